"""Smallest: the run whose index needs the fewest bytes for each document."""

from collections.abc import Collection, Sequence
from typing import Any

from assay.records import Run
from assay.text.count_noun import count_noun
from assay.verdicts._named_run import BYTES, by_bytes, named_run, size

__all__ = ["smallest"]


def smallest(
    runs: Sequence[Run], *, primary: str, silent: Collection[str] = ()
) -> dict[str, Any] | None:
    """Name the smallest of those that answer; None where nobody counted bytes."""
    counted = [
        (value, run)
        for run in runs
        if primary in run.scores and run.name not in silent and (value := size(run)) is not None
    ]
    if not counted:
        return None
    value, first = min(counted, key=lambda pair: pair[0])
    told = by_bytes(first, [run for _, run in counted])
    tied = " (tied)" if told["equal"] else ""
    reason = f"fewest bytes per document of {count_noun(len(counted), 'run')}{tied}"
    return named_run(first, BYTES, value, reason, told)
