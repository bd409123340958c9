"""Numbers of runs: long names of many runs get one, which stays when they are shortened."""

from collections.abc import Sequence
from dataclasses import replace

from assay.records import Table
from assay.reports.text import text

__all__ = ["is_numbered", "number_runs"]

FEW = 4  # runs whose names are easy to distinguish
SHORT = 24  # characters of a name that no table shortens


def number_runs(table: Table, names: Sequence[str]) -> Table:
    """Put the number of each run before its name in the first column, if they are many and long."""
    if not is_numbered(names):
        return table
    places = {name: f"{at:>{len(str(len(names)))}}" for at, name in enumerate(names, 1)}
    shown = [text(table, row, 0) for row in range(len(table.rows))]
    texts = {(row, 0): f"{places[name]} {name}" for row, name in enumerate(shown) if name in places}
    return replace(table, texts={**table.texts, **texts})


def is_numbered(names: Sequence[str]) -> bool:
    """Tell whether tables number runs of these names."""
    return len(names) > FEW and max(map(len, names)) > SHORT
