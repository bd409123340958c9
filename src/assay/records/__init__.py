"""The nouns that every room speaks: frozen, typed, free of files and networks."""

from assay.records.arrays import Bools, Floats, Ints, Names, PerQuery
from assay.records.comparison import Comparison, Interval
from assay.records.verdict import Outcome, Verdict

__all__ = [
    "Bools",
    "Comparison",
    "Floats",
    "Interval",
    "Ints",
    "Names",
    "Outcome",
    "PerQuery",
    "Verdict",
]
