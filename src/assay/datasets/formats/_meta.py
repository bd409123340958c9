"""What a folder says of the whole dataset: meta.json, and the corpus beside it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.place import Place
from assay.errors import InputError
from assay.records import Dataset, Query

__all__ = ["CORPUS", "RESERVED", "described", "free", "write_meta"]

META = "meta.json"
CORPUS = ("corpus.jsonl", "corpus.jsonl.gz")
KINDS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "description": str,
    "scale": int,
    "corpus": (dict, str),
}
RESERVED = (*KINDS, "match")


def described(place: Place, queries: tuple[Query, ...], top: int, notes: list[str]) -> Dataset:
    """Return the dataset of these queries with what its folder says of it.

    ``top`` is the largest grade, which is the scale unless meta.json gives one. What is not of its
    kind there belongs to somebody else's file, and is left out with a note.
    """
    meta = _read(place)
    odd = [key for key in RESERVED if key in meta and not _fits(key, meta[key])]
    notes += [f'"{key}" in {META} has an invalid value and is ignored' for key in odd]
    given = {key: meta[key] for key in KINDS if key in meta and key not in odd}
    scale = given.get("scale", top)
    if scale < top:
        problem = f"grade {top} exceeds the scale maximum {scale}"
        where = str(place.path / META)
        raise InputError(problem, where=where, hint=f"set the scale to at least {top}")
    corpus = given.get("corpus", _beside(place))
    return Dataset(
        name=given.get("name") or place.stem,
        queries=queries,
        description=given.get("description", ""),
        scale=scale,
        corpus={"path": corpus} if isinstance(corpus, str) else corpus,
        metadata={key: value for key, value in meta.items() if key not in RESERVED},
        notes=tuple(notes),
        home=place.home,
    )


def free(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the keys that mean something else where metadata are written."""
    return {key: value for key, value in metadata.items() if key not in RESERVED}


def write_meta(dataset: Dataset, folder: Path) -> None:
    """Write what belongs to no query."""
    meta: dict[str, Any] = {"name": dataset.name, "scale": dataset.scale}
    meta |= {"description": dataset.description} if dataset.description else {}
    meta |= {"corpus": dict(dataset.corpus)} if dataset.corpus else {}
    text = json.dumps(meta | dict(dataset.metadata), ensure_ascii=False, indent=2, allow_nan=False)
    (folder / META).write_text(text + "\n", encoding="utf-8", newline="\n")


def _read(place: Place) -> dict[str, Any]:
    path = place.file(META)
    if path is None or not path.stat().st_size:
        return {}
    with Place(path) as file:
        meta = strict_json(file.read(), where=file.name)
    if not isinstance(meta, dict):
        raise InputError("is not an object", where=str(path), hint='write {"name": "...", ...}')
    return meta


def _fits(key: str, value: object) -> bool:
    if key == "scale":
        return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1000
    return key in KINDS and isinstance(value, KINDS[key])


def _beside(place: Place) -> dict[str, str]:
    path = place.file(*CORPUS)
    return {} if path is None else {"source": "jsonl", "path": path.name}
