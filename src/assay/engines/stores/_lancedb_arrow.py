"""Batches of chunks as tables of Arrow, which is what LanceDB takes."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from assay.engines.stores._given_vectors import Batch
from assay.records import Ints

__all__ = ["arrow", "gathered", "safe", "schema"]

ROWS_AT_ONCE = 8192  # each time something is added there is one more file to look into
CHARACTERS_AT_ONCE = 64_000_000


def schema(dimension: int) -> Any:  # noqa: ANN401
    """Describe the columns: the row, the text, and the vector or none."""
    import pyarrow as pa  # type: ignore[import-untyped]

    vector = pa.list_(pa.float32(), max(dimension, 1))
    return pa.schema([("row", pa.int64()), ("text", pa.large_string()), ("vector", vector)])


def arrow(batch: Batch, places: Ints, dimension: int) -> Any:  # noqa: ANN401
    """Turn a batch into a table; only the rows at ``places`` get a vector."""
    import pyarrow as pa

    rows, texts, vectors = batch
    values = np.zeros((len(rows), max(dimension, 1)), np.float32)
    missing = np.ones(len(rows), np.bool_)
    if vectors is not None:
        values[places], missing[places] = vectors[places], False
    column = pa.FixedSizeListArray.from_arrays(
        pa.array(values.ravel()), values.shape[1], mask=pa.array(missing)
    )
    written = pa.array([safe(text) for text in texts], pa.large_string())
    return pa.table([pa.array(rows, pa.int64()), written, column], schema=schema(dimension))


def safe(text: str) -> str:
    """Replace what UTF-8 cannot hold: halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode("utf-8")


def gathered(chunks: Iterable[Batch]) -> Iterator[Batch]:
    """Join small batches to large ones, those with vectors and those without apart."""
    held: list[Batch] = []
    rows = characters = 0
    for batch in chunks:
        if held and (held[0][2] is None) != (batch[2] is None):
            yield _joined(held)
            held, rows, characters = [], 0, 0
        held.append(batch)
        rows += len(batch[0])
        characters += sum(map(len, batch[1]))
        if rows >= ROWS_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield _joined(held)
            held, rows, characters = [], 0, 0
    if rows:
        yield _joined(held)


def _joined(held: list[Batch]) -> Batch:
    rows: Ints = np.concatenate([batch[0] for batch in held]).astype(np.int64)
    vectors = [batch[2] for batch in held if batch[2] is not None]
    texts = [text for batch in held for text in batch[1]]
    return rows, texts, np.concatenate(vectors) if vectors else None
