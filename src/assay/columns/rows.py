"""Equal-length columns of Python values (from csv, parquet or frames) -> triples."""

from collections.abc import Callable, Sequence

import numpy as np

from assay.columns.block import PAD, Block
from assay.columns.names import names
from assay.columns.triples import Triples, gather
from assay.errors import InputError
from assay.records import Floats, Names, as_words

__all__ = ["rows", "text_column"]


def rows(
    queries: Sequence[str],
    documents: Sequence[str],
    values: Floats,
    *,
    place: Callable[[int], str],
    value: str,
) -> Triples:
    """Read three columns; ``value`` says what the numbers are: a score or a grade."""
    ids = as_words(text_column(queries, where=place(0)))
    first = np.concatenate(([0], np.flatnonzero((ids[1:] != ids[:-1]).any(axis=1)) + 1))
    first = first[: len(queries)]
    lengths = np.diff(np.append(first, len(queries)))
    column = text_column(documents, where=place(0))
    starts = [str(queries[at]) for at in first.tolist()]
    triples = gather(starts, lengths.tolist(), column, values, place)
    bad = ~np.isfinite(triples.values)
    hint = "give each document a finite number"
    triples.refuse(bad, lambda row: f"{value} {triples.values[row]} is not a finite number", hint)
    return triples


def text_column(texts: Sequence[str], *, where: str) -> Names:
    """Turn ids into an array of names by way of one joined text, which is fastest."""
    try:
        text = "\n".join(texts)
    except TypeError:
        text = "\n".join(map(str, texts))
    data = np.frombuffer(b"\n" * PAD + text.encode() + b"\n" * PAD, np.uint8)
    block = Block(data, 1, where)
    ends = np.flatnonzero(data[PAD : 1 - PAD] == ord("\n")) + PAD
    starts = np.concatenate(([PAD], ends[:-1] + 1))
    if texts and (len(ends) != len(texts) or not data[PAD:-PAD].all() or (ends == starts).any()):
        raise _refuse(texts, where)
    return names(block, starts[: len(texts)], ends[: len(texts)])


def _refuse(texts: Sequence[str], where: str) -> InputError:
    odd = next(text for text in map(str, texts) if not text or "\n" in text or "\0" in text)
    problem = f"the id {odd!r} is empty or has a line break or a zero byte in it"
    return InputError(problem, where=where, hint="give each query and document a plain id")
