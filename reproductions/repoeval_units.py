"""RepoEval at the level of documents, chunks and symbols, from one benchmark file.

    python -m reproductions.repoeval_units REPOSITORIES -o table.md

REPOSITORIES is a folder that holds one folder for each repository. The queries of all of them are
one dataset, whose queries name their repository; ``--work`` keeps it beside the benchmark file.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reproductions.repoeval import TASKS

from assay.datasets.load import load
from assay.datasets.save import save
from assay.records import Dataset

__all__ = ["main"]

UNITS = ("document", "chunk", "symbol")
BENCHMARK = """\
dataset: {task}.json
corpus: {{collections: "{repositories}", include: ["*.py"]}}
metrics: [recall@5, mrr@10]
primary: recall@5
configurations:
  - {{name: default, model: {model}}}
  - {{name: dense, search: dense, model: {model}}}
"""
# The masked task is not here: it has a corpus of its own for each repository.
WORDS = {task: TASKS[task] for task in ("verbatim", "definition")}
FACTS = ("files", "chunks", "queries", "errors")
TITLES = ("repository", "task", "run", "files", "chunks", "queries", "failed")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the datasets, run each unit, and print the table."""
    given = _parser().parse_args(arguments)
    found = (path for path in given.repositories.iterdir() if path.is_dir())
    repositories = sorted(path.resolve() for path in found if not path.name.startswith("."))
    given.work.mkdir(parents=True, exist_ok=True)
    rows = [row for task in given.task for row in _rows(task, repositories, given)]
    titles = (*TITLES, *(f"Recall@5 of {unit}s" for unit in given.unit))
    aligned = "|---|---|---|" + "--:|" * (len(titles) - 3)
    text = "\n".join([f"| {' | '.join(titles)} |", aligned, *rows])
    for place in given.output:
        place.write_text(text + "\n", encoding="utf-8")
    print(text)  # noqa: T201
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reproductions.repoeval_units")
    parser.add_argument("repositories", type=Path, help="a folder of repositories")
    parser.add_argument("-o", "--output", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--work", type=Path, default=Path(".assay/repoeval-units"))
    parser.add_argument("--task", nargs="+", choices=WORDS, default=list(WORDS))
    parser.add_argument("--unit", nargs="+", choices=UNITS, default=list(UNITS))
    parser.add_argument("--queries", type=int, default=120)
    parser.add_argument("--model", default="minilm")
    return parser


def _rows(task: str, repositories: Sequence[Path], given: argparse.Namespace) -> Iterator[str]:
    dataset, benchmark = given.work / f"{task}.json", given.work / f"{task}.yaml"
    parts = [_made(path, task, given) for path in repositories]
    save(_joined(task, parts), dataset)
    place = repositories[0].parent
    text = BENCHMARK.format(task=task, repositories=place, model=given.model)
    benchmark.write_text(text, encoding="utf-8")
    units = [_runs(benchmark, unit) for unit in given.unit]
    for runs in zip(*units, strict=True):
        yield from _table(task, runs)


def _runs(benchmark: Path, unit: str) -> list[dict[str, Any]]:
    report = benchmark.with_name(f"{benchmark.stem}-{unit}.json")
    _assay("run", benchmark, "--unit", unit, "--untimed", "-o", report)
    runs: list[dict[str, Any]] = json.loads(report.read_bytes())["runs"]
    return runs


def _made(repository: Path, task: str, given: argparse.Namespace) -> Dataset:
    """Make the queries of a repository, as reproductions.repoeval does."""
    folder = given.work / f"{repository.name}-{task}-{given.queries}"
    if not (folder / "dataset.json").exists():
        how = ("--task", task, *WORDS[task], "--call", "cut")
        many = ("--queries", given.queries, "--per-file", 4, "--seed", 0)
        corpus = ("--corpus", repository, "--include", "*.py")
        _assay("dataset", "make", "repoeval", *corpus, *how, *many, "-o", folder, "--force")
    return load(folder)


def _joined(task: str, parts: Sequence[Dataset]) -> Dataset:
    queries = tuple(
        replace(query, key=f"{query.collection}-{query.key}")
        for part in parts
        for query in part.queries
    )
    return Dataset(task, queries, description=parts[0].description, scale=parts[0].scale)


def _table(task: str, runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Write a line per repository, then the means over repositories; ``runs`` has one per unit."""
    for name, facts in runs[0]["collections"].items():
        ones = [run["collections"][name] for run in runs]
        yield _line((name, task, runs[0]["name"]), facts, [one["recall@5"] for one in ones])
    each = runs[0]["collections"].values()
    sums = {key: sum(one[key] for one in each) for key in FACTS}
    means = [run["macro"]["recall@5"]["mean"] for run in runs]
    intervals = [run["intervals"]["recall@5"] for run in runs]
    yield _line(("all", task, runs[0]["name"]), sums, means, intervals)


def _line(
    names: Sequence[str],
    facts: Mapping[str, int],
    recalls: Sequence[float],
    intervals: Sequence[Sequence[float]] = (),
) -> str:
    figures = [f"{recall:.3f}" for recall in recalls]
    for at, (low, high) in enumerate(intervals):
        figures[at] += f" ({low:.3f} to {high:.3f})"
    return f"| {' | '.join([*names, *(str(facts[key]) for key in FACTS), *figures])} |"


def _assay(*words: object) -> None:
    command = [sys.executable, "-m", "assay", *map(str, words)]
    print("$ assay", *words, file=sys.stderr)  # noqa: T201
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command


if __name__ == "__main__":
    sys.exit(main())
