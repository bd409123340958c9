"""Judgments wherever they are: a file of judgments, or a dataset of any format."""

import os
from pathlib import Path

from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError
from assay.records import Judgments

__all__ = ["truth"]

ENDINGS = (".json", ".jsonl", ".yaml", ".yml")  # that a dataset shares with files of judgments


def truth(qrels: object, *, scale: int | None = None) -> Judgments:
    """Read judgments; the references of a dataset are taken for the ids that the runs use."""
    if not _is_dataset(qrels):
        return load_judgments(qrels, scale=scale)
    from assay.datasets.as_judgments import as_judgments
    from assay.workflows.load_dataset import load_dataset

    return load_judgments(as_judgments(load_dataset(qrels)), scale=scale)


def _is_dataset(qrels: object) -> bool:
    """Tell a dataset from a file of judgments, without a look at the files that cannot be one."""
    if not isinstance(qrels, str | Path):
        from assay.records import Dataset

        return isinstance(qrels, Dataset)
    path = Path(qrels)
    folder = os.path.isdir(qrels)  # noqa: PTH112 - never raises
    if path.suffix.lower() not in ENDINGS and not folder:
        return not os.path.exists(qrels) and _is_shipped(str(qrels))  # noqa: PTH110
    from assay.datasets.load import opened, recognise

    try:
        with opened(path) as place:
            return bool(recognise(place))
    except InputError:
        return False


def _is_shipped(name: str) -> bool:
    from assay.datasets.load import shipped_names

    return name in shipped_names()
