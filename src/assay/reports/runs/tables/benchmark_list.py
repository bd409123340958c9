"""Listed: the benchmarks of a workspace, newest first."""

import time
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, Protocol

from assay.records import Cell, Table

__all__ = ["KeptBenchmark", "benchmark_list", "benchmark_list_json"]


class KeptBenchmark(Protocol):
    """What is known of a benchmark without its report."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def identity(self) -> str:
        """What it asks for, whenever it was started."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def state(self) -> str:
        """Pending, running, completed, failed, cancelled or interrupted."""

    @property
    def interrupted(self) -> bool:
        """Whether it runs no more, though nothing noted its end: it was killed."""

    @property
    def created(self) -> float:
        """When it began, in seconds since 1970."""

    @property
    def finished(self) -> float | None:
        """When it ended."""

    @property
    def runs(self) -> Mapping[str, Any]:
        """The state of each run."""

    @property
    def about(self) -> Mapping[str, Any]:
        """What its file says, such as the dataset."""

    @property
    def done(self) -> int:
        """How many pieces of its work are completed."""

    @property
    def total(self) -> int:
        """Of how many."""


def benchmark_list(kept: Sequence[KeptBenchmark]) -> Table:
    """Give each benchmark a row, and each diff its latest; times are those of this machine.

    Where benchmarks of one name have several datasets, a column tells which.
    """
    kept = _latest_diffs(kept)
    rows, titles = [_row(one) for one in kept], ["id", "name", "state", "runs", "when"]
    several = len({(one.name, _dataset(one)) for one in kept}) > len({one.name for one in kept})
    if several:
        titles.insert(2, "dataset")
        for row, one in zip(rows, kept, strict=True):
            row.insert(2, _dataset(one))
    return Table(tuple(titles), rows, names=frozenset(range(4 if several else 3)))


def _latest_diffs(kept: Sequence[KeptBenchmark]) -> list[KeptBenchmark]:
    """Leave out earlier diffs of the same searches: each of them recorded the same."""
    found: dict[str, KeptBenchmark] = {}
    for one in kept:
        is_diff = one.about.get("scored") is False and one.state == "completed"
        found.setdefault(one.identity if is_diff else one.id, one)
    return [*found.values()]


def _row(one: KeptBenchmark) -> list[Cell]:
    state = _state(one) if one.state == "completed" else f"{_state(one)} {one.done}/{one.total}"
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.created))
    return [one.id, one.name, state, len(one.runs), when]


def _dataset(one: KeptBenchmark) -> str:
    """Name the dataset by its file, or several by their names."""
    several = one.about.get("datasets") or ()
    return ", ".join(map(str, several)) or PurePath(str(one.about.get("dataset") or "")).name


def _state(one: KeptBenchmark) -> str:
    return "interrupted" if one.interrupted else one.state


def benchmark_list_json(kept: Sequence[KeptBenchmark]) -> dict[str, Any]:
    """Return what ``assay show --json`` prints."""
    keys = ("created", "finished", "done", "total")
    return {
        "benchmarks": [
            {"id": one.id, "name": one.name, "state": _state(one)}
            | {key: getattr(one, key) for key in keys}
            | {"runs": dict(one.runs)}
            | {key: one.about.get(key) for key in ("dataset", "datasets")}
            for one in kept
        ]
    }
