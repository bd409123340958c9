"""A dataset -> a file or folder, and what that format could not hold."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from assay import catalogue
from assay.columns.files.atomic_write import FOLDER, atomic_write
from assay.datasets import formats
from assay.datasets._conversion_losses import losses
from assay.datasets.dataset_format import DatasetFormat
from assay.errors import InputError, UnknownNameError
from assay.records import Dataset
from assay.text.near_miss import did_you_mean

__all__ = ["save"]

SOURCES = ("folder", "git", "jsonl", "stdlib")  # of a corpus, which may be the key of its place
GIT = "git:"


def save(
    dataset: Dataset,
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
) -> list[str]:
    """Write a dataset in the named format, or the one of the path's ending; say what is lost."""
    path = Path(path)
    chosen = _by_name(format) if format else _by_suffix(path)
    moved = replace(dataset, corpus=_moved(dataset, path if not chosen.suffixes else path.parent))
    reduced = chosen.reduce(moved)
    try:
        if chosen.suffixes:
            _write_file(chosen, reduced, path)
        else:
            chosen.write(reduced, path)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(problem, where=str(path), hint=FOLDER) from None
    return losses(moved, reduced)


def _write_file(chosen: DatasetFormat, dataset: Dataset, path: Path) -> None:
    """Write aside; what the format refuses is said of the file that was asked for."""
    with atomic_write(path) as new:
        try:
            chosen.write(dataset, new)
        except InputError as error:
            raise InputError(error.problem, where=str(path), hint=error.hint) from None


def _writable() -> dict[str, DatasetFormat]:
    every = {name: catalogue.find(formats, name) for name in catalogue.names(formats)}
    return {
        name: one for name, one in cast("dict[str, DatasetFormat]", every).items() if one.writes
    }


def _by_name(name: str) -> DatasetFormat:
    try:
        return cast("DatasetFormat", catalogue.find(formats, name))
    except UnknownNameError as error:
        names = list(_writable())
        hint = did_you_mean(name, names, otherwise=f"available: {', '.join(names)}")
        raise UnknownNameError(error.problem, hint=hint) from None


def _by_suffix(path: Path) -> DatasetFormat:
    """Pick the format by the ending; an ending that several share means the simplest of them."""
    every = _writable()
    fits = [one for one in every.values() if path.name.lower().endswith(one.suffixes)]
    if fits:
        return min(fits, key=lambda one: one.rank)
    endings = sorted({ending for one in every.values() for ending in one.suffixes})
    hint = f"specify it with --to ({', '.join(every)}), or use the extension {', '.join(endings)}"
    raise InputError("the extension does not determine a format", where=str(path), hint=hint)


def _moved(dataset: Dataset, folder: Path) -> Mapping[str, Any]:
    """Keep a relative path to the corpus right when the dataset moves to another folder.

    The words of a corpus (stdlib, git:REPOSITORY@REVISION) are such only where no source is named.
    """
    corpus = dataset.corpus
    source = corpus.get("source") or next((name for name in SOURCES if name in corpus), "")
    keys = ("path", str(source), "repository")
    key = next((key for key in keys if key in corpus), "")
    place = corpus.get(key)
    if not dataset.home or not isinstance(place, str) or not place or source == "stdlib":
        return corpus
    if source:
        return {**corpus, key: _path(place, dataset.home, folder)}
    return {**corpus, key: _word(place, dataset.home, folder)}


def _word(place: str, home: str, folder: Path) -> str:
    """Move a path that no source explains; one that became a word by it stays a path."""
    if place == "stdlib":
        return place
    if not place.startswith(GIT):
        moved = _path(place, home, folder)
        return f"./{moved}" if moved == "stdlib" or moved.startswith(GIT) else moved
    text = place.removeprefix(GIT)
    repository, at, revision = text.partition("@")
    if not repository or repository.endswith("/"):  # the @ belongs to a folder's name
        return GIT + _path(text, home, folder)
    return GIT + _path(repository, home, folder) + at + revision


def _path(place: str, home: str, folder: Path) -> str:
    try:
        absolute = Path(place).expanduser().is_absolute()
    except RuntimeError:  # no home folder is known
        absolute = False
    if absolute:
        return place
    # Only the folders are resolved: a link that stands in the path itself may be meant.
    target = Path(os.path.realpath(home), place)
    try:
        return Path(os.path.relpath(target, os.path.realpath(folder))).as_posix()
    except ValueError:  # on another drive
        return target.as_posix()
