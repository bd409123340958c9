"""Chunks as rows of a table, and back."""

import json
import zlib
from collections.abc import Iterable
from typing import Any

from assay.records import Chunk, Document

__all__ = [
    "COLUMNS",
    "as_bytes",
    "as_chunk",
    "as_fields",
    "as_metadata",
    "as_row",
    "as_text",
    "deflate",
    "inflate",
]

LEVEL = 1  # 20 µs for a kilobyte of code, which halves; higher levels save 4% more

COLUMNS = (
    "c.row, d.id, c.start, c.end, c.first_line, c.last_line, t.deflated, "
    "coalesce(c.path, d.path), coalesce(c.title, d.title), c.symbols, c.kind, c.page "
    "FROM chunks c JOIN documents d ON d.code = c.document JOIN texts t ON t.row = c.row"
)


def as_bytes(text: str) -> bytes:
    """Encode any text, also half a surrogate pair, as file names may hold one."""
    return text.encode("utf-8", "surrogatepass")


def as_text(data: bytes) -> str:
    """Decode what `as_bytes` encoded."""
    return data.decode("utf-8", "surrogatepass")


def deflate(text: str) -> bytes:
    """Compress a text."""
    return zlib.compress(as_bytes(text), LEVEL)


def inflate(data: bytes) -> str:
    """Give back what `deflate` compressed."""
    return as_text(zlib.decompress(data))


def as_symbols(data: bytes | None) -> tuple[str, ...]:
    """Read the symbols of a chunk from its row."""
    return tuple(json.loads(as_text(data))) if data else ()


def as_metadata(document: Document) -> bytes | None:
    """Write the metadata of a document; the same fields give the same bytes."""
    if not document.metadata:
        return None
    return json.dumps(dict(document.metadata), sort_keys=True).encode()


def as_fields(data: bytes | None) -> dict[str, Any]:
    """Read what `as_metadata` wrote."""
    found: dict[str, Any] = json.loads(data) if data else {}
    return found


def as_row(row: int, code: int, chunk: Chunk, document: Document) -> tuple[object, ...]:
    """Write a chunk as a row; what it shares with its document is left out."""
    return (
        row,
        code,
        chunk.start,
        chunk.end,
        *chunk.lines,
        chunk.kind,
        None if chunk.path == document.path else as_bytes(chunk.path),
        None if chunk.title == document.title else as_bytes(chunk.title),
        as_bytes(json.dumps(chunk.symbols, ensure_ascii=False)) if chunk.symbols else None,
        chunk.page or None,
    )


def as_chunk(values: Iterable[Any]) -> Chunk:
    """Read a chunk back from the values of `COLUMNS` without the first."""
    document, start, end, first, last, deflated, path, title, symbols, kind, page = values
    return Chunk(
        document=as_text(document),
        start=start,
        end=end,
        lines=(first, last),
        text=inflate(deflated),
        path=as_text(path),
        title=as_text(title),
        symbols=as_symbols(symbols),
        kind=kind,
        page=page or 0,
    )
