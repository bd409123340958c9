"""Listed: the benchmarks of a workspace, newest first."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from assay.records import Cell, Table

__all__ = ["Kept", "listed", "listed_json"]


class Kept(Protocol):
    """What is known of a benchmark without its report."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def state(self) -> str:
        """Pending, running, completed, failed or cancelled."""

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
    def done(self) -> int:
        """How many pieces of its work are completed."""

    @property
    def total(self) -> int:
        """Of how many."""


def listed(kept: Sequence[Kept]) -> Table:
    """Give each benchmark a row; times are those of this machine."""
    rows = [_row(one) for one in kept]
    titles = ("id", "name", "state", "runs", "when")
    return Table(titles, rows, names=frozenset([0, 1, 2]))


def _row(one: Kept) -> list[Cell]:
    state = _state(one) if one.state == "completed" else f"{_state(one)} {one.done}/{one.total}"
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.created))
    return [one.id, one.name, state, len(one.runs), when]


def _state(one: Kept) -> str:
    return "interrupted" if one.interrupted else one.state


def listed_json(kept: Sequence[Kept]) -> dict[str, Any]:
    """Return what ``assay show --json`` prints."""
    keys = ("created", "finished", "done", "total")
    return {
        "benchmarks": [
            {"id": one.id, "name": one.name, "state": _state(one)}
            | {key: getattr(one, key) for key in keys}
            | {"runs": dict(one.runs)}
            for one in kept
        ]
    }
