"""Progress on stderr: count, rate and remaining time, and silence where nobody looks."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

__all__ = ["progress"]

T = TypeVar("T")
STEP = 0.1  # seconds between two looks at the clock's answer


def progress(
    items: Iterable[T], doing: str, *, total: int | None = None, unit: str = ""
) -> Iterable[T]:
    """Pass items through and draw how far they are; fits the ``Track`` of the workflows."""
    return _drawn(items, doing, total, unit) if sys.stderr.isatty() else items


def _drawn(items: Iterable[T], doing: str, total: int | None, unit: str) -> Iterator[T]:
    from time import monotonic

    from rich.console import Console  # rich is imported only when something is drawn
    from rich.progress import Progress

    columns = _columns(total, unit)
    with Progress(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task(doing, total=total, rate="")
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

    doing, rate = TextColumn("{task.description}"), TextColumn("{task.fields[rate]}")
    if total is None:
        count = TextColumn("{task.completed:,} " + unit)
        return [SpinnerColumn(), doing, count, rate, TimeElapsedColumn()]
    count = TextColumn("{task.completed:,}/{task.total:,}")
    return [doing, BarColumn(24), count, rate, TimeRemainingColumn()]
