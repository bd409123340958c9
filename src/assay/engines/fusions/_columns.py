"""Where the rows of one list stand among the rows of all lists."""

import numpy as np

from assay.records import Floats, FoundRows, Ints

__all__ = ["spread"]


def spread(found: FoundRows, values: Floats, rows: Ints, floor: float) -> Floats:
    """Put the values of a list at the places of its rows, and its floor at all others."""
    column = np.full(len(rows), floor, dtype=np.float64)
    column[np.searchsorted(rows, found.rows)] = values
    return column
