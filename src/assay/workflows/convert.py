"""Convert: a dataset in one format -> the same in another, and what that one cannot hold."""

from pathlib import Path

from assay.datasets.limits import Limits
from assay.datasets.save import save
from assay.records import Dataset
from assay.workflows.load_dataset import load_dataset

__all__ = ["convert"]


def convert(
    dataset: "str | Path | Dataset",
    path: str | Path,
    *,
    to: str | None = None,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
) -> list[str]:
    """Write a dataset to ``path`` in the format ``to`` (default: by the path's ending).

    The answer says, in words and numbers, what the new format could not keep.
    """
    return save(load_dataset(dataset, format=format, limits=limits), path, format=to)
