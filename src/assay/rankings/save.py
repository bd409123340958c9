"""Rankings -> a run file, so that reading it again gives the same numbers, bit for bit."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from assay.columns import recognise
from assay.columns.files.atomic_write import atomic_write
from assay.columns.files.source import BYTE_ORDER_MARK
from assay.errors import InputError, UsageError
from assay.extras import require_extra
from assay.rankings import formats
from assay.records import Rankings, decode
from assay.text.quote import quote_value

__all__ = ["save"]


def save(rankings: Rankings, path: str | Path) -> None:
    """Write a run in the format that the file's extension names; ``.gz`` behind it compresses.

    Rows are written in ranking order. Rankings that kept the order of ties must be loaded with
    ``ties="order"`` again.
    """
    path = Path(path)
    suffix = Path(path.name.removesuffix(".gz")).suffix
    if suffix not in _FORMS:
        hint = f"use the extension {', '.join(_FORMS)}, or one of these with .gz"
        raise UsageError(f'unknown extension of a run file: "{path.name}"', hint=hint)
    form, write = _FORMS[suffix]
    _refuse_odd(rankings, form, str(path))
    content = write(rankings)
    if _recognised(content) != form:
        hint = "save it as .parquet"
        raise InputError(
            f"the first id would not be read back as {form}", where=str(path), hint=hint
        )
    if path.suffix == ".gz":
        import gzip

        content = gzip.compress(content, mtime=0)
    with atomic_write(path) as new:
        new.write_bytes(content)


def _refuse_odd(rankings: Rankings, form: str, where: str) -> None:
    """Refuse ids that a line of text cannot hold."""
    if form != "json_map" and (empty := np.flatnonzero(rankings.counts == 0)).size:
        problem = (
            f'query "{rankings.queries[empty[0]]}" has no document, which this format cannot store'
        )
        raise InputError(problem, where=where, hint="save it as .json")
    names = (*rankings.queries, *decode(rankings.documents))
    if form == "csv" and (padded := next((one for one in names if one != one.strip()), None)):
        shown = quote_value(padded)
        problem = f"the id {shown} starts or ends with white space, which this format cannot store"
        raise InputError(problem, where=where, hint="save it as .json or .parquet")
    if form not in ("trec", "tsv"):
        return
    lowest = "!" if form == "trec" else " "
    for name in names:
        if min(name) < lowest:
            problem = f"the id {quote_value(name)} contains white space or a control character"
            raise InputError(problem, where=where, hint="save it as .csv, .json or .parquet")
    for query in rankings.queries:
        if query.startswith("#"):
            problem = f'the lines of query "{query}" would be read as comments'
            raise InputError(problem, where=where, hint="save it as .csv, .json or .parquet")


def _recognised(content: bytes) -> str:
    """Name the format that reading would choose; a byte order mark would be lost."""
    head = content[: 1 << 16]
    return "a byte order mark" if head.startswith(BYTE_ORDER_MARK) else recognise(formats, head)


def _rows(rankings: Rankings) -> Iterator[tuple[str, str, int, float]]:
    """Yield query, document, rank and score."""
    documents, scores = decode(rankings.documents), rankings.scores.tolist()
    offsets = rankings.offsets.tolist()
    for query, start, end in zip(rankings.queries, offsets[:-1], offsets[1:], strict=True):
        for row in range(start, end):
            yield query, documents[row], row - start + 1, scores[row]


def _trec(rankings: Rankings) -> bytes:
    tag = "_".join(rankings.name.split()) or "run"
    lines = (f"{q} Q0 {d} {rank} {score!r} {tag}\n" for q, d, rank, score in _rows(rankings))
    return "".join(lines).encode()


def _tsv(rankings: Rankings) -> bytes:
    lines = (f"{query}\t{document}\t{score!r}\n" for query, document, _, score in _rows(rankings))
    return ("query-id\tcorpus-id\tscore\n" + "".join(lines)).encode()


def _csv(rankings: Rankings) -> bytes:
    import csv

    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(("query", "document", "score"))
    writer.writerows((query, document, score) for query, document, _, score in _rows(rankings))
    return text.getvalue().encode()


def _json(rankings: Rankings) -> bytes:
    table: dict[str, dict[str, float]] = {query: {} for query in rankings.queries}
    for query, document, _, score in _rows(rankings):
        table[query][document] = score
    return json.dumps(table, ensure_ascii=False, allow_nan=False).encode()


def _parquet(rankings: Rankings) -> bytes:
    require_extra("frames", "a parquet file needs the package polars")
    import polars as pl  # costs more than writing a small text file

    query = np.repeat(np.array(rankings.queries, object), rankings.counts)
    columns = {"query": query.tolist(), "document": decode(rankings.documents)}
    buffer = io.BytesIO()
    pl.DataFrame({**columns, "score": rankings.scores}).write_parquet(buffer)
    return buffer.getvalue()


_FORMS: dict[str, tuple[str, Callable[[Rankings], bytes]]] = {
    ".run": ("trec", _trec),
    ".trec": ("trec", _trec),
    ".txt": ("trec", _trec),
    ".tsv": ("tsv", _tsv),
    ".csv": ("csv", _csv),
    ".json": ("json_map", _json),
    ".parquet": ("parquet", _parquet),
}
