"""Notebooks: their cells in order, text as it is and code in a fence; outputs are left out."""

import json
from collections.abc import Iterator
from typing import Any

from assay.corpora.converters._shape import ConvertedFile, Converter, UnreadableError
from assay.corpora.converters._text import clean, limited

__all__ = ["ipynb"]


def _convert(data: bytes) -> ConvertedFile:
    try:
        return _read(json.loads(data.decode("utf-8-sig")))
    except (ValueError, RecursionError, AttributeError, TypeError):
        raise UnreadableError("damaged") from None


def _read(notebook: dict[str, Any]) -> ConvertedFile:
    about = notebook.get("metadata") or {}
    spoken = _language(about)
    pages = [*limited(_written(cell, spoken) for cell in _cells(notebook))]
    title = about.get("title", "")
    found = {"language": spoken} if spoken else {}
    counted = {"pages": len(pages)}
    return ConvertedFile(pages, clean(title) if isinstance(title, str) else "", found | counted)


def _cells(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the cells; before version 4 of the format they were in worksheets."""
    if not isinstance(notebook.get("cells", notebook.get("worksheets")), list):
        raise TypeError
    yield from notebook.get("cells") or ()
    for sheet in notebook.get("worksheets") or ():
        yield from sheet.get("cells") or ()


def _language(about: Any) -> str:  # noqa: ANN401
    """Name the language of the code cells, as the notebook does."""
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        found = about.get(part)
        if isinstance(found, dict) and isinstance(found.get(key), str):
            return str(found[key])
    return ""


def _written(cell: dict[str, Any], spoken: str) -> str:
    source = cell.get("source", cell.get("input", ""))
    text = clean("".join(map(str, source)) if isinstance(source, list) else str(source))
    if cell.get("cell_type") == "heading" and text:  # before version 4
        return f"{'#' * min(int(cell.get('level') or 1), 6)} {text}"
    if cell.get("cell_type") != "code" or not text:
        return text
    fence = "```" if "```" not in text else "~~~~"
    return f"{fence}{spoken}\n{text}\n{fence}"


ipynb = Converter(
    summary="Notebooks: their cells without outputs; needs no extra.",
    endings=("ipynb",),
    convert=_convert,
    version=2,
    recognises=lambda head: head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"),
    is_text=True,
)
