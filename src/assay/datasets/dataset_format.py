"""A dataset format: how to recognise, read and write it, and what it can hold."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.records import Dataset

__all__ = ["DatasetFormat"]


@dataclass(frozen=True, slots=True)
class DatasetFormat:
    """Reads and writes datasets.

    ``reduce`` returns the dataset as this format can hold it, which is what ``write`` writes and
    ``load`` gives back; the difference is what a conversion loses. ``rank`` orders the question
    whether a format matches: those with a clear signature are asked first. ``suffixes`` are the
    endings of a path that pick this format for writing (a folder format has none); one that only
    reads says so with ``writes``.
    """

    summary: str
    rank: float
    matches: Callable[[Place], bool]
    load: Callable[[Place, Limits], Dataset]
    reduce: Callable[[Dataset], Dataset]
    write: Callable[[Dataset, Path], None]
    suffixes: tuple[str, ...] = ()
    writes: bool = True
