"""A dataset -> a file or folder, and what that format could not hold."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from assay import catalogue
from assay.datasets import formats
from assay.datasets._format import DatasetFormat
from assay.datasets._losses import losses
from assay.errors import InputError
from assay.records import Dataset

__all__ = ["save"]


def save(
    dataset: Dataset,
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
) -> list[str]:
    """Write a dataset in the named format, or the one of the path's ending; say what is lost."""
    path = Path(path)
    chosen = cast("DatasetFormat", catalogue.find(formats, format or _by_suffix(path)))
    moved = replace(dataset, corpus=_moved(dataset, path if not chosen.suffixes else path.parent))
    reduced = chosen.reduce(moved)
    try:
        chosen.write(reduced, path)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(problem, where=str(path), hint="check the folder") from None
    return losses(moved, reduced)


def _by_suffix(path: Path) -> str:
    """Pick the format by the ending; an ending that several share means the simplest of them."""
    names = catalogue.names(formats)
    every = {name: cast("DatasetFormat", catalogue.find(formats, name)) for name in names}
    fits = [name for name in names if path.name.lower().endswith(every[name].suffixes)]
    if fits:
        return min(fits, key=lambda name: every[name].rank)
    endings = sorted({ending for one in every.values() for ending in one.suffixes})
    hint = f"name it (--to): {', '.join(every)}; or end the path in {', '.join(endings)}"
    raise InputError("its ending tells no format", where=str(path), hint=hint)


def _moved(dataset: Dataset, folder: Path) -> Mapping[str, Any]:
    """Keep a relative path to the corpus right when the dataset moves to another folder."""
    path = dataset.corpus.get("path")
    if not isinstance(path, str) or not dataset.home or Path(path).is_absolute():
        return dataset.corpus
    there = os.path.relpath(Path(dataset.home) / path, folder or ".")
    return {**dataset.corpus, "path": Path(there).as_posix()}
