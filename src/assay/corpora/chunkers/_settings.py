"""The settings of chunkers: which values they can have."""

from assay.errors import InputError

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
    """Refuse what is no number between two others."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not least <= value <= most:  # type: ignore[operator]
        problem = f"{name} must be a number from {least:g} to {most:g}, not {value!r}"
        raise InputError(problem, where=_where(chunker), hint=f"leave {name} out for the default")


def switch(chunker: str, name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        problem = f"{name} must be true or false, not {value!r}"
        raise InputError(problem, where=_where(chunker), hint=f"leave {name} out for the default")


def _whole(chunker: str, name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        problem = f"{name} must be a whole number of tokens from {least}, not {value!r}"
        raise InputError(problem, where=_where(chunker), hint=f"leave {name} out for the default")


def _below(chunker: str, name: str, value: object, chunk_size: object) -> None:
    if value >= chunk_size:  # type: ignore[operator]
        problem = f"{name} {value} must be less than chunk_size {chunk_size}"
        raise InputError(problem, where=_where(chunker), hint=f"make {name} smaller")


def _where(chunker: str) -> str:
    return f"chunker {chunker}"
