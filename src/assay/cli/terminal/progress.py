"""Progress on stderr: count, rate and remaining time, and silence where nobody looks."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from assay.text import Screen, sanitize, trusted

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID

__all__ = ["clear", "progress"]

T = TypeVar("T")
STEP = 0.1  # seconds between two looks at the clock's answer
_drawing: "list[Progress]" = []


def progress(
    items: Iterable[T], doing: str, *, total: int | None = None, unit: str = ""
) -> Iterable[T]:
    """Pass items through and draw how far they are; fits the ``Track`` of the workflows."""
    return _drawn(items, doing, total, unit) if sys.stderr.isatty() else items


def clear() -> None:
    """Take away what is drawn: work that fails or is interrupted does not come to its own end."""
    while _drawing:
        _drawing.pop().stop()


def _drawn(items: Iterable[T], doing: str, total: int | None, unit: str) -> Iterator[T]:
    from rich.console import Console  # rich is imported only when something is drawn
    from rich.progress import Progress

    console = Console(file=trusted(sys.stderr))
    with Progress(*_columns(total, unit), console=console, transient=True) as drawn:
        _drawing.append(drawn)
        sys.stdout, sys.stderr = Screen.before(sys.stdout), Screen.before(sys.stderr)  # now rich's
        try:
            task = drawn.add_task(sanitize(doing), total=total, rate="")
            yield from _counted(items, drawn, task, unit)
        finally:
            if drawn in _drawing:
                _drawing.remove(drawn)


def _counted(items: Iterable[T], drawn: "Progress", task: "TaskID", unit: str) -> Iterator[T]:
    from time import monotonic

    start = last = monotonic()
    for done, item in enumerate(items, 1):
        yield item
        if (now := monotonic()) - last > STEP:
            speed = f"{done / max(now - start, 1e-9):,.0f} {unit}/s".replace(" /s", "/s")
            drawn.update(task, completed=done, rate=speed)
            last = now


def _columns(total: int | None, unit: str) -> "list[ProgressColumn]":
    """Choose what is shown; where the end is unknown, no bar claims how near it is."""
    from rich.progress import (
        BarColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    doing, rate = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[rate]}")
    if total is None:
        count = TextColumn("{task.completed:,} " + unit)
        counted = [count, rate] if unit else []  # of a single step there is nothing to count
        return [SpinnerColumn(), doing, *counted, TimeElapsedColumn()]
    count = TextColumn("{task.completed:,}/{task.total:,}")
    return [doing, BarColumn(24), count, rate, TimeRemainingColumn()]
