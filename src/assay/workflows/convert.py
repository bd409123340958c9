"""Convert: a dataset in one format -> the same in another, and what that one cannot hold."""

from pathlib import Path

from assay.datasets.limits import Limits
from assay.datasets.save import save
from assay.records import Dataset
from assay.workflows.load_dataset import load_dataset

__all__ = ["convert"]

# The word by which the readers of all formats say that data of a file is not in the dataset.
NOT_KEPT = "ignored"


def convert(
    dataset: "str | Path | Dataset",
    path: str | Path,
    *,
    to: str | None = None,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
    binary: bool = False,
    subtopics: bool = False,
) -> list[str]:
    """Write a dataset to ``path`` in the format ``to`` (default: by the extension).

    Returns one sentence for each loss of data: first data that was ignored when the dataset was
    read, then data that the new format cannot store.
    """
    loaded = load_dataset(dataset, format=format, limits=limits, binary=binary, subtopics=subtopics)
    lost = save(loaded, path, format=to)
    return [*(note for note in loaded.notes if NOT_KEPT in note), *lost]
