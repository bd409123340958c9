"""RepoEval by one command: datasets of repositories, a run of each, and a table of Recall@5.

    python -m reproductions.repoeval REPOSITORIES -o table.md

REPOSITORIES is a folder that holds one folder for each repository. Datasets stay in ``--work``, and
those that are there already are not made again; every run is measured anew. With ``--check`` it
exits with 1 unless all queries of each task together reach the recall that is expected.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.statistics.wilson import wilson

__all__ = ["main"]

# The whole prompt, or its last 500 characters: see the families in docs/datasets.md.
TASKS = {
    "verbatim": ("--lines", "0"),
    "masked": ("--lines", "0", "--characters", "500"),
    "definition": ("--lines", "0", "--characters", "500"),
}
METRIC = "recall@5"
LEAST = {"verbatim": 0.99, "masked": 0.89, "definition": 0.52}  # of --check, over all queries
TITLE = """| repository | task | queries | failed | Recall@5 | 95 % | MRR@10 |
|---|---|--:|--:|--:|---|--:|"""


@dataclass(frozen=True, slots=True)
class Row:
    """What one task of one repository gave; of a total, ``repository`` says so."""

    repository: str
    task: str
    failed: int
    recalls: tuple[float, ...]
    ranks: tuple[float, ...]

    @property
    def recall(self) -> float:
        """The mean over all queries."""
        return sum(self.recalls) / len(self.recalls)

    def __str__(self) -> str:
        queries, found = len(self.recalls), sum(self.recalls)
        # A recall between 0 and 1 varies less than a hit or miss: this is not too narrow.
        reach = wilson(found, queries)  # type: ignore[arg-type]
        figures = f"{self.recall:.3f} | {reach.low:.3f} to {reach.high:.3f}"
        cells = (self.repository, self.task, queries, self.failed, figures)
        return f"| {' | '.join(map(str, cells))} | {sum(self.ranks) / queries:.3f} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make, run and print; return the exit code."""
    given = _parser().parse_args(arguments)
    found = (path for path in given.repositories.iterdir() if path.is_dir())
    repositories = sorted(path.resolve() for path in found if not path.name.startswith("."))
    rows = [_row(path, task, given) for path in repositories for task in given.task]
    totals = list(_totals(rows))
    text = "\n".join([TITLE, *map(str, rows), *map(str, totals)])
    for place in given.output:
        place.write_text(text + "\n", encoding="utf-8")
    print(text)  # noqa: T201
    below = [f"{row.task} {row.recall:.3f} < {LEAST[row.task]}" for row in totals if _is_low(row)]
    if given.check and (below or not totals):
        print("below what is expected:", ", ".join(below) or "nothing ran", file=sys.stderr)  # noqa: T201
        return 1
    return 0


def _is_low(row: Row) -> bool:
    return row.recall < LEAST[row.task]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reproductions.repoeval", description=__doc__)
    parser.add_argument("repositories", type=Path, help="a folder of repositories")
    parser.add_argument("-o", "--output", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--work", type=Path, default=Path(".assay/repoeval"), metavar="FOLDER")
    parser.add_argument("--task", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--queries", type=int, default=120)
    parser.add_argument("--per-file", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--call", choices=("kept", "cut"), default="cut")
    parser.add_argument("--search", help="lexical, dense or hybrid (default: the default search)")
    parser.add_argument("--check", action="store_true", help="exit with 1 below what is expected")
    return parser


def _row(repository: Path, task: str, given: argparse.Namespace) -> Row:
    parts = (repository.name, task, given.call, given.queries, given.per_file, given.seed)
    folder = given.work / "-".join(map(str, parts))
    if not (folder / "dataset.json").exists():
        _assay("dataset", "make", "repoeval", *_made(repository, task, given), "-o", folder)
    report = folder / f"{given.search or 'default'}.json"
    benchmark = report.with_suffix(".yaml")
    benchmark.write_text(_benchmark(given.search), encoding="utf-8")
    _assay("run", benchmark, "--asks", "1", "-o", report)
    (run,) = json.loads(report.read_bytes())["runs"]
    scores = run["per_query"].values()
    recalls, ranks = ([one[metric] for one in scores] for metric in (METRIC, "mrr@10"))
    return Row(repository.name, task, run["errors"], tuple(recalls), tuple(ranks))


def _made(repository: Path, task: str, given: argparse.Namespace) -> Iterator[object]:
    yield from ("--corpus", repository, "--include", "*.py", "--task", task, *TASKS[task])
    yield from ("--queries", given.queries, "--per-file", given.per_file)
    yield from ("--seed", given.seed, "--call", given.call, "--force")


def _benchmark(search: str | None) -> str:
    kind = f", search: {search}" if search else ""
    asked = f"metrics: [{METRIC}, mrr@10]\nprimary: {METRIC}\n"
    return f"dataset: .\n{asked}configurations:\n  - {{name: default{kind}}}\n"


def _assay(*words: object) -> None:
    command = [sys.executable, "-m", "assay", *map(str, words)]
    print("$ assay", *words, file=sys.stderr)  # noqa: T201
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command


def _totals(rows: Sequence[Row]) -> Iterator[Row]:
    """Put all queries of a task together; each counts alike."""
    for task in dict.fromkeys(row.task for row in rows):
        same = [row for row in rows if row.task == task]
        recalls = tuple(value for row in same for value in row.recalls)
        ranks = tuple(value for row in same for value in row.ranks)
        yield Row("all", task, sum(row.failed for row in same), recalls, ranks)


if __name__ == "__main__":
    sys.exit(main())
