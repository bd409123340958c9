"""The settings of chunkers: which values they can have."""

from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["positive", "ratio", "switch", "tokens"]


def tokens(chunker: str, chunk_size: object, overlap: object = 0) -> None:
    """Refuse a size or an overlap that no chunk can have."""
    _whole(chunker, "chunk_size", chunk_size, 1)
    _whole(chunker, "overlap", overlap, 0)
    _below(chunker, "overlap", overlap, chunk_size)


def positive(chunker: str, name: str, value: object, chunk_size: object) -> None:
    """Refuse a number of tokens that is negative or as many as a chunk has."""
    _whole(chunker, name, value, 0)
    _below(chunker, name, value, chunk_size)


def ratio(chunker: str, name: str, value: object, least: float, most: float) -> None:
    """Refuse what is not a number between two others."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not least <= value <= most:  # type: ignore[operator]
        hint = f"give a number from {least:g} to {most:g}, or omit {name} for the default"
        raise _invalid(chunker, name, value, hint)


def switch(chunker: str, name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        hint = f"give true or false, or omit {name} for the default"
        raise _invalid(chunker, name, value, hint)


def _whole(chunker: str, name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        hint = f"give a whole number of tokens >= {least}, or omit {name} for the default"
        raise _invalid(chunker, name, value, hint)


def _below(chunker: str, name: str, value: object, chunk_size: object) -> None:
    if value >= chunk_size:  # type: ignore[operator]
        problem = f"{name} {value} must be less than chunk_size {chunk_size}"
        hint = f"lower {name}, or raise chunk_size"
        raise InputError(problem, where=f"chunker {chunker}", hint=hint)


def _invalid(chunker: str, name: str, value: object, hint: str) -> InputError:
    problem = f"{name}: invalid value {quote_value(value)}"
    return InputError(problem, where=f"chunker {chunker}", hint=hint)
