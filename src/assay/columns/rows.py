"""Equal-length columns of Python values (from csv, parquet or frames) -> triples."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from numbers import Integral
from typing import cast

import numpy as np

from assay.columns.blocks.block import PAD, Block
from assay.columns.blocks.names import LONGEST, names
from assay.columns.triples import Triples, gather
from assay.errors import InputError
from assay.records import Floats, Names, as_words, decode
from assay.text.quote import quote_value

__all__ = ["rows", "text_column"]


def rows(
    queries: Sequence[str],
    documents: Sequence[str],
    values: Floats,
    *,
    place: Callable[[int], str],
    where: str,
    value: str,
    labels: Names | None = None,
) -> Triples:
    """Read three columns; ``value`` says what the numbers are: a score or a grade.

    A run may have ``labels``: its tags, if they differ.
    """
    asked = text_column(queries, place=place)
    ids = as_words(asked)
    first = np.concatenate(([0], np.flatnonzero((ids[1:] != ids[:-1]).any(axis=1)) + 1))
    first = first[: len(queries)]
    lengths = np.diff(np.append(first, len(queries)))
    column = text_column(documents, place=place)
    starts = decode(asked[first])
    triples = gather(starts, lengths.tolist(), column, values, place, name=where, labels=labels)
    bad = ~np.isfinite(triples.values)
    hint = "give each document a finite number"
    triples.refuse(bad, lambda row: f"{value} {triples.values[row]} is not a finite number", hint)
    return triples


def text_column(texts: Sequence[object], *, place: Callable[[int], str]) -> Names:
    """Turn ids into an array of names by way of one joined text, which is fastest."""
    text = _joined(texts)
    if text is None:
        plain = [_text(value, row, place) for row, value in enumerate(texts)]
        return text_column(plain, place=place)
    data = np.frombuffer(b"\n" * PAD + text + b"\n" * PAD, np.uint8)
    ends = np.flatnonzero(data[PAD : 1 - PAD] == ord("\n")) + PAD
    starts = np.concatenate(([PAD], ends[:-1] + 1))
    odd = len(ends) != len(texts) or not data[PAD:-PAD].all() or (ends == starts).any()
    if texts and (odd or (ends - starts).max() > LONGEST):
        raise _refuse(cast("Sequence[str]", texts), place)
    return names(Block(data, 1, ""), starts[: len(texts)], ends[: len(texts)])


def _joined(texts: Sequence[object]) -> bytes | None:
    try:
        return "\n".join(cast("Sequence[str]", texts)).encode()
    except (TypeError, UnicodeEncodeError):
        return None


def _text(value: object, row: int, place: Callable[[int], str]) -> str:
    """Read an id that is a whole number or bytes; 1.0 is refused, for it may mean "1"."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(value)
    with suppress(UnicodeError):  # half a surrogate pair, or bytes in another encoding
        text = value.decode() if isinstance(value, bytes) else value
        if isinstance(text, str):
            return text.encode().decode()
    hint = "use text (UTF-8) or whole numbers as ids"
    raise InputError(f"the id {quote_value(value)} is not text", where=place(row), hint=hint)


def _refuse(texts: Sequence[str], place: Callable[[int], str]) -> InputError:
    row = next(row for row, text in enumerate(texts) if not _is_plain(text))
    shown = quote_value(texts[row], 40)
    problem = f"the id {shown} is empty, too long, or contains a line break or zero byte"
    hint = f"give each query and document a plain id of at most {LONGEST:,} bytes"
    return InputError(problem, where=place(row), hint=hint)


def _is_plain(text: str) -> bool:
    return bool(text) and not {"\n", "\0"} & set(text) and len(text.encode()) <= LONGEST
