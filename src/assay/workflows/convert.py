"""Convert: a dataset in one format -> the same in another, and what that one cannot hold."""

from pathlib import Path

from assay.datasets.limits import Limits
from assay.datasets.save import save
from assay.records import Dataset
from assay.workflows.load_dataset import load_dataset

__all__ = ["convert"]

# How the readers of all formats say that something of a file is not in the dataset.
NOT_KEPT = ("not kept", "left out", "left aside", "is ignored")


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
    """Write a dataset to ``path`` in the format ``to`` (default: by the path's ending).

    The answer says, in words and numbers, what could not be kept: first by reading it, as the notes
    of a loaded dataset say, then by the new format.
    """
    loaded = load_dataset(dataset, format=format, limits=limits, binary=binary, subtopics=subtopics)
    lost = save(loaded, path, format=to)
    return [*(note for note in loaded.notes if any(word in note for word in NOT_KEPT)), *lost]
