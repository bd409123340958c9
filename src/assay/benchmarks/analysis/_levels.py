"""A sweep -> its levels in order, with the runs of each, and the one that others are put beside."""

from typing import Any

from assay.benchmarks.analysis._sweeps import ABSENT, NONE, Sweep, is_number

__all__ = ["levels_of", "reference_of"]


def levels_of(sweep: Sweep) -> list[tuple[Any, list[int]]]:
    """Give the values that take effect: none first, then numbers upwards, then as they come."""
    found: list[tuple[Any, list[int]]] = []
    for at, value in enumerate(sweep.values):
        if value is ABSENT:
            continue
        runs = next((runs for known, runs in found if known == value), None)
        if runs is None:
            found.append((value, [at]))
        else:
            runs.append(at)
    return sorted(found, key=lambda level: _place(level[0]))


def reference_of(sweep: Sweep, baseline: int | None) -> object:
    """Return the baseline's level, where it has one that is matched, else the first."""
    matched = {at for pair in sweep.pairs for at in pair}
    if baseline is not None and sweep.values[baseline] is not ABSENT:
        of = [at for at in matched if sweep.values[at] == sweep.values[baseline]]
        if of:
            return sweep.values[baseline]
    return next(value for value, runs in levels_of(sweep) if matched & {*runs})


def _place(value: object) -> tuple[int, float]:
    if value == NONE:
        return 0, 0.0
    return (1, float(value)) if is_number(value) else (2, 0.0)  # type: ignore[arg-type]
