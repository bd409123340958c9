"""python -m performance.revisions REVISION: this tree's CPU time beside that of an older revision.

Each task is run in turns by both, in fresh processes; the ratio of the medians is printed.
"""

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from performance._data import run_files
from performance._measure import METRICS, ONE_THREAD, measure, progress, script
from performance._settings import DOCUMENTS, QUERIES, Settings

__all__ = ["main"]

HOME = Path(__file__).parents[1]
SAFELY = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from Python 3.11.4 on
TARGET = 1.10  # of the older revision's CPU time, at most
MATRIX = {
    "name": "matrix",
    "dataset": "stdlib",
    "matrix": {
        "search": ["lexical", "hybrid"],
        "model": "static",
        "depth": [50, 100],
        "fusion": ["rrf", "min_max"],
    },
}
Task = Callable[[Path, int], list[str]]  # a tree and a turn -> a command


def main(arguments: list[str] | None = None) -> int:
    """Measure all tasks, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m performance.revisions", description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("names", nargs="*", metavar="TASK")
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="assay-revisions-") as name:
        folder = Path(name)
        trees = {"before": _tree(options.revision, folder / "before"), "now": HOME}
        lines = [
            "| task | before, CPU s | now, CPU s | ratio | target |",
            "|---|---:|---:|---:|---|",
        ]
        missed = False
        for task, command in _tasks(folder).items():
            if options.names and task not in options.names:
                continue
            seconds = _turns(task, command, trees, options.turns)
            before, now = median(seconds["before"]), median(seconds["now"])
            missed |= now / before > TARGET
            lines.append(
                f"| {task} | {before:.3f} | {now:.3f} | {now / before:.2f}x | {TARGET:.2f}x |"
            )
        print("\n".join(lines))
    return int(missed)


def _tasks(folder: Path) -> dict[str, Task]:
    settings = Settings(folder, QUERIES, DOCUMENTS, 1, 1)
    large, small = (run_files(settings, size=size) for size in ((1_000, 1_000), (200, 100)))
    repository, file = folder / "repository", folder / "matrix.json"
    measure(script("make_repository", repository, 300, 4))
    file.write_text(json.dumps(MATRIX), encoding="utf-8")
    chosen = [part for metric in METRICS for part in ("-m", metric)]
    assay = [sys.executable, "-m", "assay"]

    def place(task: str, tree: Path, turn: int) -> str:
        return str(folder / f"{task}-{tree.name}-{turn}")

    return {
        "files": lambda _tree, _turn: [*assay, "eval", *map(str, large), *chosen, "--json"],
        "small": lambda _tree, _turn: [*assay, "eval", *map(str, small), *chosen, "--json"],
        "matrix": lambda tree, turn: [
            *(*assay, "run", str(file), "--untimed", "--json"),
            *("--workspace", place("matrix", tree, turn)),
        ],
        "sweep": lambda tree, _turn: [
            *(sys.executable, str(tree / "performance" / "scripts" / "sweep_assay.py")),
            *("300", "100", "300", "5"),
        ],
        "indexing": lambda tree, turn: [
            *(*assay, "index", str(repository), "--search", "lexical", "--json"),
            *("--workspace", place("index", tree, turn)),
        ],
    }


def _turns(name: str, task: Task, trees: dict[str, Path], turns: int) -> dict[str, list[float]]:
    """Let both sides do the task in turns, once before anything counts."""
    seconds: dict[str, list[float]] = {side: [] for side in trees}
    for turn in range(turns + 1):
        progress(f"{name}: turn {turn} of {turns}")
        for side, tree in _alternating(trees, turn):
            environment = {**ONE_THREAD, "PYTHONPATH": str(tree / "src"), **_cache()}
            used = measure(task(tree, turn), environment).cpu_s
            if turn:
                seconds[side].append(used)
    return seconds


def _alternating(trees: dict[str, Path], turn: int) -> Sequence[tuple[str, Path]]:
    both = list(trees.items())
    return both if turn % 2 else both[::-1]


def _cache() -> dict[str, str]:
    return {"ASSAY_CACHE": os.environ["ASSAY_CACHE"]} if "ASSAY_CACHE" in os.environ else {}


def _tree(revision: str, folder: Path) -> Path:
    """Write a revision's source and scripts into a folder, compiled as this tree is."""
    command = ["git", "archive", "--format=tar", revision, "src", "performance"]
    done = subprocess.run(command, cwd=HOME, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, **SAFELY)  # noqa: S202 - our own revision
    for tree in (folder, HOME):
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(tree / "src")], check=False)
    return folder


if __name__ == "__main__":
    sys.exit(main())
