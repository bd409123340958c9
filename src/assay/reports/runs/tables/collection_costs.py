"""Collection costs: what the index of each run took for each of several collections."""

from collections.abc import Callable
from typing import Any

from assay.records import Cell, Report, Table

__all__ = ["COSTS", "collection_costs"]

COSTS: dict[str, Callable[[Any], str]] = {  # of a collection, and how each is written
    "errors": "{:,}".format,
    "files": "{:,}".format,
    "chunks": "{:,}".format,
    "seconds": "{:,.1f}".format,
    "index_bytes": "{:,}".format,
}


def collection_costs(report: Report) -> Table | None:
    """Give each collection of each run a row; None where there is only one."""
    found = [(run.name, name, one) for run in report.runs for name, one in run.collections.items()]
    costs = [key for key in COSTS if any(one.get(key) is not None for *_, one in found)]
    if len({name for _, name, _ in found}) < 2 or not costs:
        return None
    rows: list[list[Cell]] = [
        [run, name, *(one.get(key) for key in costs)] for run, name, one in found
    ]
    texts = {
        (r, 2 + c): COSTS[key](one[key])
        for r, (*_, one) in enumerate(found)
        for c, key in enumerate(costs)
        if one.get(key) is not None
    }
    titles = ("run", "collection", *(key.replace("_", " ") for key in costs))
    return Table(titles, rows, "Index of each collection", texts=texts, names=frozenset([0, 1]))
