"""A path, or the name of a shipped dataset -> a dataset."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

from assay import catalogue
from assay.columns.header import first_line
from assay.columns.json_map import refuse_lines
from assay.datasets import families, formats, shipped
from assay.datasets._foreign_files import refuse_foreign
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.dataset_list import join_datasets, read_list
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.sheets.columns import refuse_titles
from assay.datasets.sheets.query_weights import with_weights
from assay.errors import InputError
from assay.records import Dataset, GeneratedDataset
from assay.text.near_miss import did_you_mean

__all__ = ["FAMILIES", "load", "opened", "recognise", "shipped_names"]

SHIPPED = Path(shipped.__file__).parent
COLUMNS = (3, 6)  # of judgments that lack one, or of a run
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
PREFIX = "ir_datasets:"
# What can be made from nothing, and is small: named like a shipped dataset, it is made with seed 0.
FAMILIES = ("exact-match", "semantic-similarity", "cross-domain", "long-documents", "short-queries")


def load(
    where: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
    binary: bool = False,
    subtopics: bool = False,
) -> Dataset:
    """Read a dataset in the named format, or in the one that its content tells.

    ``binary`` takes each listed document of a table without a grade column for relevant, whatever
    further columns there are. ``subtopics`` takes the second column of TREC's judgments for the
    subtopic that a document is judged for.
    """
    if str(where).startswith(PREFIX):
        return _format("ir_datasets").load(cast("Place", where), limits or Limits())
    if str(where) in FAMILIES and not os.path.exists(where):  # noqa: PTH110
        make = cast(
            "Callable[[], GeneratedDataset]", catalogue.find(families, str(where).replace("-", "_"))
        )
        return make().dataset
    base, name = _part(where)
    if parts := read_list(base):
        return _from_list(base, parts, name, limits or Limits())
    with opened(where, binary=binary, subtopics=subtopics) as place:
        chosen = format if format is not None else _recognised(place)
        found = _format(chosen).load(place, limits or Limits())
        found = with_weights(found, where=place.name)
        return replace(found, format=chosen)


def _recognised(place: Place) -> str:
    """Name the format; a file that is nearly TREC judgments is one, whose reader says why not."""
    try:
        return recognise(place)
    except InputError:
        if place.is_folder or not _is_nearly_trec(place.head):
            raise
        return "trec"


def _is_nearly_trec(head: bytes) -> bool:
    """Tell whether the first line has about as many columns, and numbers among them."""
    fields = first_line(head).split()
    return COLUMNS[0] <= len(fields) <= COLUMNS[1] and any(map(NUMBER.fullmatch, fields[1:4]))


def _part(where: str | Path) -> tuple[str | Path, str]:
    """Split FILE#NAME, which names a dataset of a list, unless there is a file of that name."""
    base, mark, name = str(where).rpartition("#")
    return (base, name) if mark and not os.path.exists(where) else (where, "")  # noqa: PTH110


def _from_list(base: str | Path, parts: dict[str, bytes], name: str, limits: Limits) -> Dataset:
    if name and name not in parts:
        hint = did_you_mean(name, parts, otherwise=f"available: {', '.join(parts)}")
        raise InputError(f'unknown dataset "{name[:60]}"', where=str(base), hint=hint)
    read: dict[str, Dataset] = {}
    for number, (one, content) in enumerate(parts.items(), 1):
        if name in ("", one):
            with Place(base, content=content, entry=number) as place:
                found = _format("assay_json").load(place, limits)
            read[one] = replace(with_weights(found, where=str(base)), name=one)
    whole = read[name] if name else join_datasets(read, Path(base).name.partition(".")[0])
    return replace(whole, format="assay_json")


def opened(where: str | Path, *, binary: bool = False, subtopics: bool = False) -> Place:
    """Open the file or folder behind a path or a shipped name."""
    return Place(_found(where), binary=binary, subtopics=subtopics)


def _found(where: str | Path) -> str | Path:
    """Find a shipped dataset by its name, and the dataset in a folder that `make` wrote."""
    # os.path says no, where pathlib raises, of a name that cannot be one (too long, a zero byte).
    if str(where) in shipped_names() and not os.path.exists(where):  # noqa: PTH110
        return SHIPPED / f"{where}.json"
    made = os.path.join(where, "dataset.json")  # noqa: PTH118
    return made if os.path.isfile(made) else where  # noqa: PTH113


def shipped_names() -> set[str]:
    """Name the datasets that come with Assay."""
    return {path.stem for path in SHIPPED.glob("*.json")}


def recognise(place: Place) -> str:
    """Name the first format that knows the place; plugins are asked after our own."""
    if not place.is_folder:
        refuse_foreign(place.head, where=place.name)
    names = sorted(catalogue.names(formats), key=lambda name: _format(name).rank)
    for name in names:
        if _format(name).matches(place):
            return name
    if not place.is_folder:
        refuse_titles(place.head, where=place.name)
        refuse_lines(place.head, where=place.name, value="grade")
    what = "folder" if place.is_folder else "file"
    hint = f"specify the format with --format: {', '.join(sorted(names))}"
    raise InputError(f"the format of this {what} is not recognized", where=place.name, hint=hint)


def _format(name: str) -> DatasetFormat:
    return cast("DatasetFormat", catalogue.find(formats, name))
