"""A format of another tool, which is read but not written."""

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.errors import InputError
from assay.records import Dataset

__all__ = ["read_only"]


def read_only(
    summary: str,
    rank: float,
    matches: Callable[[Place], bool],
    load: Callable[[Place, Limits], Dataset],
) -> DatasetFormat:
    """Return the format; to write it is refused."""
    return DatasetFormat(summary, rank, matches, load, _refuse, _refuse, writes=False)


def _refuse(dataset: Dataset, path: Path | None = None) -> NoReturn:
    where = "" if path is None else str(path)
    hint = "choose another format, e.g. --to assay_json, beir or quepid_csv"
    raise InputError("this format can be read, but not written", where=where, hint=hint)
