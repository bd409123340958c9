"""Where the vectors of documents or queries are: as a file names them, or beside the data."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.columns.files.near_file import near_file
from assay.errors import InputError
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = [
    "VectorLocation",
    "beside_corpus",
    "beside_dataset",
    "missing_vectors",
    "vectors_at",
]

ENDINGS = (".npy", ".parquet")
IDS = (".txt", ".json", ".npy")
DOCUMENTS, QUERIES = "document_vectors", "query_vectors"  # as `assay dataset make` names them
HINT = "give the path of a .npy or .parquet file"
NPZ = 'save the array alone: np.save("vectors.npy", np.load("FILE.npz")["NAME"])'
KEYS = {"path": "", "ids": ".npy", "id": ".parquet", "vector": ".parquet"}  # and what each is for
PLACES = ("path", "jsonl", "folder")  # keys of a corpus under which a place can stand


@dataclass(frozen=True, slots=True)
class VectorLocation:
    """A file of vectors: an array (.npy), whose ids are in another file, or a table (.parquet).

    ``ids`` is the file of the ids; without one the rows are in the order of the data. ``id`` and
    ``vector`` name the columns of a table where they cannot be guessed.
    """

    path: Path
    ids: Path | None = None
    id: str = ""
    vector: str = ""


def vectors_at(given: object, *, relative_to: str | Path = "") -> VectorLocation:
    """Read what a benchmark file says of vectors: a path, or a mapping with a path.

    >>> vectors_at({"paths": "documents.npy"})
    Traceback (most recent call last):
    assay.errors.InputError: vectors: unknown key "paths"
      hint: did you mean "path"?
    """
    told: Mapping[str, Any] = given if isinstance(given, Mapping) else {"path": given}
    for key in told:
        if key not in KEYS:
            hint = did_you_mean(str(key), KEYS)
            raise InputError(f'unknown key "{str(key)[:60]}"', where="vectors", hint=hint)
    for key, value in told.items():
        if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
            problem = f"{key}: invalid value {quote_value(value)}"
            hint = HINT if key == "path" else "give a text"
            raise InputError(problem, where="vectors", hint=hint)
    if "path" not in told:
        raise InputError("no path is given", where="vectors", hint=HINT)
    path = _existing(Path(relative_to) / Path(told["path"]).expanduser())
    ending = _ending(path)
    for key in told:
        if KEYS[key] and KEYS[key] != ending:
            problem = f"{key} has no effect with a {ending} file"
            raise InputError(problem, where="vectors", hint=f"remove {key}")
    ids = _existing(Path(relative_to) / told["ids"]) if "ids" in told else _ids_beside(path)
    return VectorLocation(path, ids, str(told.get("id", "")), str(told.get("vector", "")))


def beside_corpus(corpus: object, *, relative_to: str | Path = "") -> VectorLocation | None:
    """Find the vectors of documents: as the corpus names them, beside its file, or in its folder.

    ``corpus`` is what describes it: a path, or a mapping as in a benchmark file.
    """
    place: object = corpus
    if isinstance(corpus, Mapping):
        if corpus.get("vectors") is not None:
            return vectors_at(corpus["vectors"], relative_to=relative_to)
        place = next((corpus[key] for key in PLACES if corpus.get(key)), None)
    if not isinstance(place, str | Path) or "\0" in str(place):
        return None
    path = os.path.join(relative_to, os.path.expanduser(place))  # noqa: PTH111, PTH118 - never raise
    folder = path if os.path.isdir(path) else os.path.dirname(path)  # noqa: PTH112, PTH120
    return _beside(folder, DOCUMENTS) if os.path.exists(path) else None  # noqa: PTH110


def beside_dataset(home: str, *, documents: bool = False) -> VectorLocation | None:
    """Find the vectors of queries beside a dataset; of ``documents`` where these are in it."""
    return _beside(home, DOCUMENTS if documents else QUERIES) if home else None


def missing_vectors(noun: str) -> InputError:
    """Return the error for ``model: given`` without vectors of documents or of queries."""
    what, many, stem = {
        "document": ("corpus", "documents", DOCUMENTS),
        "query": ("dataset", "queries", QUERIES),
    }[noun]
    hint = f"add {what}: {{path: ..., vectors: FILE}}, or put {stem}.npy or .parquet beside it"
    problem = f"the {what} brings no vectors of its {many}"
    return InputError(problem, where="model: given", hint=hint)


def _beside(folder: str, stem: str) -> VectorLocation | None:
    found = [path for end in ENDINGS if (path := Path(folder) / f"{stem}{end}").is_file()]
    if len(found) > 1:
        problem = f"both {found[0].name} and {found[1].name} are there"
        raise InputError(problem, where=folder, hint="keep one of them, or name it: vectors: FILE")
    return VectorLocation(found[0], _ids_beside(found[0])) if found else None


def _ids_beside(path: Path) -> Path | None:
    """Find the ids of the rows of an array: documents_ids.txt belongs to documents.npy."""
    if path.suffix.lower() != ".npy":
        return None
    found = [file for end in IDS if (file := path.with_name(f"{path.stem}_ids{end}")).is_file()]
    if len(found) > 1:
        problem = f"both {found[0].name} and {found[1].name} are there"
        raise InputError(problem, where=str(path), hint="keep one of them, or name it: ids: FILE")
    return found[0] if found else None


def _existing(path: Path) -> Path:
    if os.path.isfile(path):  # noqa: PTH113 - never raises
        return path
    if os.path.isdir(path):  # noqa: PTH112
        raise InputError("is a folder, not a file", where=str(path)[:200], hint=HINT)
    try:
        names = os.listdir(path.parent)  # noqa: PTH208
    except (OSError, ValueError):
        names = []
    close = near_file(path.name, names)
    hint = f"did you mean {path.parent / close}?" if close else "check the path"
    raise InputError("no such file", where=str(path)[:200], hint=hint)


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        hint = NPZ if ending == ".npz" else HINT
        raise InputError("not a .npy or .parquet file", where=str(path), hint=hint)
    return ending
