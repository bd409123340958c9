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

from assay.datasets.load import load
from assay.datasets.save import save
from assay.records import Dataset

__all__ = ["main"]

TASKS = ("verbatim", "definition")  # the masked task has a corpus of its own for each repository
UNITS = ("document", "chunk", "symbol")
CONFIGURATIONS = ("bm25", "hybrid")
BENCHMARK = """\
dataset: {task}.json
corpus: {{collections: "{repositories}", include: ["*.py"]}}
metrics: [recall@5, mrr@10]
primary: recall@5
configurations:
  - {{name: bm25, search: lexical}}
  - {{name: hybrid, model: {model}}}
"""
TITLES = ("repository", "task", "unit", "run", "queries", "failed", "Recall@5", "95 %", "MRR@10")
TITLES += ("files", "chunks")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the datasets, run each unit, and print the table."""
    given = _parser().parse_args(arguments)
    found = (path for path in given.repositories.iterdir() if path.is_dir())
    repositories = sorted(path.resolve() for path in found if not path.name.startswith("."))
    given.work.mkdir(parents=True, exist_ok=True)
    rows = [row for task in given.task for row in _rows(task, repositories, given)]
    aligned = "|---|---|---|---|" + "--:|" * (len(TITLES) - 4)
    text = "\n".join([f"| {' | '.join(TITLES)} |", aligned, *rows])
    for place in given.output:
        place.write_text(text + "\n", encoding="utf-8")
    print(text)  # noqa: T201
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reproductions.repoeval_units")
    parser.add_argument("repositories", type=Path, help="a folder of repositories")
    parser.add_argument("-o", "--output", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--work", type=Path, default=Path(".assay/repoeval-units"))
    parser.add_argument("--task", nargs="+", choices=TASKS, default=list(TASKS))
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
    for unit in given.unit:
        report = given.work / f"{task}-{unit}.json"
        _assay("run", benchmark, "--unit", unit, "--untimed", "-o", report)
        for run in json.loads(report.read_bytes())["runs"]:
            yield from _table(run, task, unit)


def _made(repository: Path, task: str, given: argparse.Namespace) -> Dataset:
    """Make the queries of a repository: the last 500 characters before a call."""
    folder = given.work / f"{repository.name}-{task}-{given.queries}"
    if not (folder / "dataset.json").exists():
        how = ("--task", task, "--lines", 0, "--characters", 500, "--call", "cut")
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


def _table(run: Mapping[str, Any], task: str, unit: str) -> Iterator[str]:
    """Write a line per repository, then the means over repositories with their interval."""
    for name, one in run["collections"].items():
        low, high = one["intervals"]["recall@5"] or (0.0, 1.0)
        yield _line(name, task, unit, run["name"], one, (low, high))
    mean = {metric: one["mean"] for metric, one in run["macro"].items()}
    each = run["collections"].values()
    sums = {key: sum(one[key] for one in each) for key in ("queries", "errors", "files", "chunks")}
    interval = run["intervals"]["recall@5"]
    yield _line("all", task, unit, run["name"], {**mean, **sums}, interval)


def _line(
    name: str,
    task: str,
    unit: str,
    run: str,
    one: Mapping[str, Any],
    ends: Sequence[float],
) -> str:
    figures = (one["queries"], one["errors"], f"{one['recall@5']:.3f}")
    reach = f"{ends[0]:.3f} to {ends[1]:.3f}"
    cells = (name, task, unit, run, *figures, reach, f"{one['mrr@10']:.3f}")
    return f"| {' | '.join(map(str, (*cells, one['files'], one['chunks'])))} |"


def _assay(*words: object) -> None:
    command = [sys.executable, "-m", "assay", *map(str, words)]
    print("$ assay", *words, file=sys.stderr)  # noqa: T201
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command


if __name__ == "__main__":
    sys.exit(main())
