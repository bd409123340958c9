"""Valid files of every kind that the command line takes, and the commands that take them."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

from assay.cli import start

__all__ = ["Kind", "prepare"]

WORDS = ["rotate a key", "retry a request", "parse a date", "close a file", "read a line"]
WORDS += ["sort a list", "open a socket", "join two paths", "copy a tree", "hash a text"]
WORDS += ["lock a file", "draw a chart"]
FORMATS = ["akashic_yaml", "assay_json", "beir", "consciousdb", "csv", "exocortex", "jsonl_pairs"]
FORMATS += ["repoeval", "sia_code", "trec"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One file that is changed, and the commands that read it (one of them is chosen)."""

    name: str
    path: str
    commands: tuple[str, ...]
    weight: int = 4


def prepare(folder: Path) -> list[Kind]:
    """Write all of it into a folder, which is the current one."""
    _write_corpus(folder)
    _write_dataset(folder)
    return [
        *_run_kinds(folder),
        *_dataset_kinds(folder),
        *_benchmark_kinds(folder),
        *_other_kinds(),
    ]


def _write_corpus(folder: Path) -> None:
    (folder / "corpus").mkdir()
    lines = []
    for at, words in enumerate(WORDS):
        text = f"# {words}\n\nHow to {words}: {' '.join(WORDS[at : at + 3])}.\n"
        (folder / "corpus" / f"d{at}.md").write_text(text)
        lines.append(json.dumps({"_id": f"d{at}.md", "title": words, "text": text}))
    (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n")


def _write_dataset(folder: Path) -> None:
    queries = [
        {
            "query_key": f"q{at}",
            "query_text": words,
            "category": "a" if at % 2 else "b",
            "difficulty": "easy",
            "relevant_docs": [
                {"doc_ref": {"path": f"d{at}.md"}, "relevance_grade": 3},
                {"doc_ref": {"path": f"d{(at + 1) % len(WORDS)}.md"}, "relevance_grade": 1},
            ],
        }
        for at, words in enumerate(WORDS)
    ]
    whole = {"schema_version": "1.0", "metadata": {"name": "words"}, "queries": queries}
    (folder / "dataset.json").write_text(json.dumps(whole))


def _run_kinds(folder: Path) -> list[Kind]:
    """Judgments and rankings, in each format of both."""
    rows = [(f"q{at}", f"d{at + by}.md", 3 - by) for at in range(len(WORDS)) for by in range(3)]
    judged = {q: {d: g for one, d, g in rows if one == q} for q, _, _ in rows}
    files = {
        "qrels.trec": "".join(f"{q} 0 {d} {g}\n" for q, d, g in rows),
        "qrels.tsv": "query-id\tcorpus-id\tscore\n"
        + "".join(f"{q}\t{d}\t{g}\n" for q, d, g in rows),
        "qrels.csv": "query_id,doc_id,grade\n" + "".join(f"{q},{d},{g}\n" for q, d, g in rows),
        "qrels.json": json.dumps(judged),
        "run.trec": "".join(f"{q} Q0 {d} {4 - g} {g}.5 one\n" for q, d, g in rows),
        "run.tsv": "query-id\tcorpus-id\tscore\n"
        + "".join(f"{q}\t{d}\t{g}.5\n" for q, d, g in rows),
        "run.csv": "query_id,doc_id,score\n" + "".join(f"{q},{d},{g}.5\n" for q, d, g in rows),
        "run.json": json.dumps(
            {q: {d: g + 0.5 for d, g in of.items()} for q, of in judged.items()}
        ),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    for name in ("qrels.trec", "run.trec"):
        (folder / f"{name}.gz").write_bytes(gzip.compress(files[name].encode(), mtime=0))
    names = [*files, "qrels.trec.gz", "run.trec.gz"]
    return [Kind(name, name, _of_run(name)) for name in names]


def _of_run(name: str) -> tuple[str, ...]:
    if name.startswith("qrels"):
        return (
            f"eval {name} run.trec --per-query",
            f"eval {name} run.json -m ndcg@10 -m ap --json",
            f"compare run.trec run.csv --qrels {name}",
            f"dataset check {name}",
        )
    return (
        f"eval qrels.trec {name} --per-query",
        f"eval qrels.json {name} run.tsv -o out.csv",
        f"compare run.trec {name} --qrels qrels.tsv",
        f"compare {name} run.json --qrels qrels.csv --json",
    )


def _dataset_kinds(folder: Path) -> list[Kind]:
    """Datasets in each format that can be written."""
    kinds: list[Kind] = []
    for name in FORMATS:
        output = f"set_{name}"
        if start(["dataset", "convert", "dataset.json", "-o", output, "--to", name, "--force"]):
            continue
        there, commands = folder / output, _of_set(output, name)
        files = sorted(one for one in [there, *there.rglob("*")] if one.is_file())
        kinds += [Kind(f"{name}:{f.name}", str(f.relative_to(folder)), commands) for f in files]
    return kinds


def _of_set(place: str, name: str) -> tuple[str, ...]:
    form = f"--format {name}"
    return (
        f"dataset check {place} {form}",
        f"dataset check {place}",
        f"dataset audit {place} {form}",
        f"dataset convert {place} {form} -o new.json --force",
        f"dataset convert {place} {form} -o new.csv --force",
        f"dataset resolve {place} {form} --corpus corpus",
    )


def _benchmark_kinds(folder: Path) -> list[Kind]:
    text = (
        "name: words\ndataset: dataset.json\ncorpus: {path: corpus, include: ['**/*.md']}\n"
        "metrics: [ndcg@10, mrr@10]\nprimary: ndcg@10\nbaseline: one\n"
        "budgets: {latency_p95_ms: 500}\n"
        "configurations:\n  - {name: one, search: lexical}\n"
        "  - {name: two, search: lexical, lexical_unit: [document, chunk], chunk_size: 64}\n"
    )
    (folder / "benchmark.yaml").write_text(text)
    start(["run", "benchmark.yaml", "-o", "report.json"])
    shown = ("show report.json", "show report.json --query q3", "show report.json --run one --json")
    told = ("report report.json", "report report.json --all", "report report.json -o out.md")
    more = (
        "report report.json -o out.csv",
        "compare report.json other.json",
        "report report.json -o o.html",
    )
    (folder / "other.json").write_bytes((folder / "report.json").read_bytes())
    return [
        Kind(
            "benchmark", "benchmark.yaml", ("run benchmark.yaml --plan", "run benchmark.yaml"), 16
        ),
        Kind("report", "report.json", (*shown, *told, *more[:2] * 2, more[2]), 30),
    ]


def _other_kinds() -> list[Kind]:
    search = "search corpus.jsonl retry --search lexical"
    asked = (
        f"{search} --explain",
        "dataset resolve dataset.json --corpus corpus.jsonl",
        "index corpus.jsonl --search lexical",
    )
    return [
        Kind("corpus", "corpus.jsonl", (*asked[:2] * 2, asked[2])),
        Kind(
            "ledger",
            "workspace/ledger.sqlite",
            ("show", "show {id}", "cache", "run benchmark.yaml"),
            6,
        ),
        Kind("arguments", "", (), 12),
    ]
