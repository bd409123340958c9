"""Load a dataset: any format, any shipped name -> queries, judgments and references."""

from pathlib import Path

from assay.datasets.limits import Limits
from assay.datasets.load import load
from assay.errors import InputError
from assay.records import Dataset

__all__ = ["load_dataset"]


def load_dataset(
    where: object,
    *,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
    binary: bool = False,
    subtopics: bool = False,
) -> Dataset:
    """Read a dataset from a file, a folder, ``ir_datasets:NAME`` or a shipped name (``stdlib``).

    The format is detected unless ``format`` is given. ``limits`` are the size limits of the format
    assay_json. With ``binary``, every document listed in a table without a grade column is
    relevant; with ``subtopics``, the second column of TREC qrels contains subtopics.

    >>> load_dataset("stdlib").scale
    3
    """
    if isinstance(where, Dataset):
        return where
    if not isinstance(where, str | Path):
        hint = "expected a path, the name of a shipped dataset, or a Dataset"
        raise InputError(f"cannot read a dataset from {type(where).__name__}", hint=hint)
    return load(where, format=format, limits=limits, binary=binary, subtopics=subtopics)
