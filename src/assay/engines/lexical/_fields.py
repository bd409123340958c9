"""Chunk -> the tokens of each field: what it says, what it defines, where it stands."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

from assay.engines.words.tokens import dotted, last_part
from assay.errors import InputError
from assay.records import Chunk
from assay.text.quote import quote_value

__all__ = ["CODE_WEIGHTS", "FIELDS", "WEIGHTS", "WHOLE", "check_weights", "written"]

FIELDS = ("body", "names", "path", "title")
WEIGHTS = {"body": 1.0, "names": 0.3, "path": 0.5, "title": 0.25}
CODE_WEIGHTS = {"body": 1.0, "names": 0.7, "path": 0.9, "title": 0.25}
WHOLE = ("names", "path")  # fields that also hold qualified names and file names undivided


def written(chunk: Chunk, tokens: Callable[[str], str]) -> dict[str, str]:
    """Return the tokens of each field that is not empty, joined by spaces."""
    found = {
        "body": tokens(f"{chunk.title}\n{chunk.text}" if chunk.title else chunk.text),
        "names": _names(chunk.symbols, tokens),
        "path": _path(chunk.path, tokens),
        "title": tokens(chunk.title),
    }
    return {field: words for field, words in found.items() if words}


def check_weights(
    weights: Mapping[str, float] | None, usual: Mapping[str, float]
) -> dict[str, float]:
    """Return the weight of every field, checked; a field that is not named keeps its default."""
    for field, weight in (weights or {}).items():
        if field not in FIELDS:
            hint = f"available fields: {', '.join(FIELDS)}"
            raise InputError(f'unknown field "{field}"', hint=hint)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < 1e6:
            problem = f"invalid weight {quote_value(weight)} for field {field}"
            raise InputError(problem, hint="expected a number >= 0; 0 ignores the field")
    return {**usual, **{field: float(weight) for field, weight in (weights or {}).items()}}


def _names(symbols: Iterable[str], tokens: Callable[[str], str]) -> str:
    """Write definitions: qualified names undivided, then each name that stands last in one.

    A class is written where it is defined, not once more for each of its methods.
    """
    whole = dict.fromkeys(name for symbol in symbols for name in dotted(symbol))
    own = dict.fromkeys(last_part(symbol) for symbol in symbols)
    return " ".join([*whole, tokens(" ".join(own))]).strip()


def _path(path: str, tokens: Callable[[str], str]) -> str:
    """Write a path: the file's name undivided, then each of its segments without the ending."""
    file = PurePosixPath(path)
    return " ".join([*dotted(file.name), tokens(path.removesuffix(file.suffix))]).strip()
