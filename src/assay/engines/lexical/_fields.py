"""Chunk -> the tokens of each field: what it says, what it defines, where it stands."""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from assay.engines.lexical._tokens import dotted
from assay.errors import InputError
from assay.records import Chunk

__all__ = ["FIELDS", "WEIGHTS", "WHOLE", "check_weights", "written"]

FIELDS = ("body", "names", "path", "title")
WEIGHTS = {"body": 1.0, "names": 2.0, "path": 1.0, "title": 1.5}
WHOLE = ("names", "path")  # fields that also hold qualified names and file names undivided


def written(chunk: Chunk, tokens: Callable[[str], str]) -> dict[str, str]:
    """Return the tokens of each field that is not empty, joined by spaces."""
    found = {
        "body": tokens(chunk.text),
        "names": " ".join(_name(symbol, tokens) for symbol in chunk.symbols),
        "path": _path(chunk.path, tokens),
        "title": tokens(chunk.title),
    }
    return {field: words for field, words in found.items() if words}


def check_weights(weights: Mapping[str, float] | None) -> dict[str, float]:
    """Return the weight of every field, checked; a field that is not named keeps its default."""
    for field, weight in (weights or {}).items():
        if field not in FIELDS:
            raise InputError(f"no field is called {field!r}", hint=f"fields: {', '.join(FIELDS)}")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < 1e6:
            problem = f"the weight of {field} is {weight!r}"
            raise InputError(problem, hint="a weight is a number from 0; 0 leaves the field out")
    return WEIGHTS | {field: float(weight) for field, weight in (weights or {}).items()}


def _name(symbol: str, tokens: Callable[[str], str]) -> str:
    """Write a definition: its qualified name undivided, then each of its parts."""
    return " ".join([*dotted(symbol), tokens(symbol)])


def _path(path: str, tokens: Callable[[str], str]) -> str:
    """Write a path: the file's name undivided, then each of its segments."""
    return " ".join([*dotted(PurePosixPath(path).name), tokens(path)])
