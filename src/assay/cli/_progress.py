"""Progress on stderr: count, rate and remaining time, and silence where nobody looks."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

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
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    rate = TextColumn("{task.fields[rate]}")
    end = TimeElapsedColumn() if total is None else TimeRemainingColumn()
    columns = (TextColumn("{task.description}"), BarColumn(24), MofNCompleteColumn(), rate, end)
    with Progress(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task(doing, total=total, rate="")
        start = last = monotonic()
        for done, item in enumerate(items, 1):
            yield item
            if (now := monotonic()) - last > STEP:
                speed = f"{done / (now - start):,.0f} {unit}/s".replace(" /s", "/s")
                drawn.update(task, completed=done, rate=speed)
                last = now
