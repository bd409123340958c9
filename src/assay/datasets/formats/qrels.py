"""Judgments alone, as JSON {query: {document: grade}} or parquet: queries without texts."""

import re

from assay.datasets.formats._folder import by_query
from assay.datasets.formats._read_only import read_only
from assay.datasets.limits import Limits
from assay.datasets.load_judgments import load_judgments
from assay.datasets.place import Place
from assay.errors import InputError
from assay.records import Dataset, Query

__all__ = ["qrels"]

TEXT = rb'"(?:[^"\\]|\\.)*+"'
BEGINNING = re.compile(
    rb"\s*\{\s*" + TEXT + rb"\s*:\s*\{\s*(?:\}|" + TEXT + rb"\s*:\s*-?[0-9])", re.DOTALL
)
NOTE = "the file contains only judgments: its queries have no text"


def _matches(place: Place) -> bool:
    return place.head.startswith(b"PAR1") or bool(BEGINNING.match(place.head))


def _load(place: Place, limits: Limits) -> Dataset:
    if place.is_folder or place.source.path is None:
        hint = "give the path of a judgments file"
        raise InputError("judgments can only be read from a file", where=place.name, hint=hint)
    chosen = "parquet" if place.head.startswith(b"PAR1") else "json_map"
    judgments = load_judgments(place.path, format=chosen)
    queries = tuple(Query(key, "", rows) for key, rows in by_query(judgments).items())
    notes = (*judgments.notes, NOTE)
    return Dataset(place.stem, queries, scale=judgments.scale, notes=notes, home=place.home)


qrels = read_only("judgments only: JSON {query: {document: grade}} or Parquet", 11, _matches, _load)
