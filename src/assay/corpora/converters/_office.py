"""Office Open XML -> pages: what is written, with headings, lists and tables as in Markdown."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from assay.corpora.converters._shape import ConvertedFile, UnreadableError
from assay.corpora.converters._text import clean, limited

__all__ = ["blocks", "is_office", "opened", "rendered"]

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PACKAGE = "EncryptedPackage".encode("utf-16-le")  # the entry of an encrypted file
PROPERTIES = ("author", "subject", "created", "modified", "keywords", "category", "language")
DEEPEST = 50  # elements inside of each other
Node = Mapping[str, Any]


def is_office(head: bytes) -> bool:
    """Tell whether a file begins as one does; an encrypted one begins otherwise."""
    return head.startswith((ZIP, OLE))


def opened(data: bytes, kind: Literal["docx", "pptx"]) -> dict[str, Any]:
    """Read a file into the library's tree of sections."""
    import office_oxide

    if data.startswith(OLE):  # or a file of Word 97, whose ending is not its own
        raise UnreadableError("encrypted" if PACKAGE in data else "damaged")
    try:
        tree: dict[str, Any] = json.loads(office_oxide.Document.from_bytes(data, kind).to_ir_json())
    except office_oxide.OfficeOxideError as error:
        bomb = "limit exceeded" in str(error)
        raise UnreadableError("too_long" if bomb else "damaged") from None
    return tree


def rendered(tree: Node, pages: Iterator[str], *, paged: bool) -> ConvertedFile:
    """Put pages together with what the file says of itself."""
    kept = list(limited(map(clean, pages)))
    about = tree.get("metadata") or {}
    own = {str(one["name"]).lower(): one["value"] for one in about.get("custom_properties") or ()}
    found = own | {name: about[name] for name in PROPERTIES if about.get(name)}
    counted = {"pages": len(kept)} if paged else {}
    return ConvertedFile(kept, clean(about.get("title") or ""), found | counted)


def blocks(elements: Sequence[Node], depth: int = DEEPEST) -> Iterator[str]:
    """Yield the text of each element, in order."""
    for element in elements if depth else ():
        kind, content = element.get("type"), element.get("content") or []
        if kind == "heading":
            level = min(int(element.get("level") or 1), 6)
            yield f"{'#' * level} {' '.join(_words(content).split())}"
        elif kind == "paragraph":
            yield _words(content)
        elif kind == "list":
            yield "\n".join(_items(element, depth))
        elif kind == "table":
            yield "\n".join(_rows(element, depth))
        elif isinstance(content, str):  # a block of code
            yield f"```\n{content}\n```"
        else:  # a text box or a note
            yield from blocks(content, depth - 1)


def _items(element: Node, depth: int) -> Iterator[str]:
    indent = "  " * min(int(element.get("level") or 0), 9)
    for item in element.get("items") or ():
        text = "\n".join(blocks(item.get("content") or [], depth - 1)).strip()
        yield f"{indent}- {text}"
        if item.get("nested") and depth > 1:
            yield from _items(item["nested"], depth - 1)


def _rows(element: Node, depth: int) -> Iterator[str]:
    """Write the rows of a table; a line break in a cell is a blank, so that a row is a line."""
    for row in element.get("rows") or ():
        cells = [
            " ".join(" ".join(blocks(cell.get("content") or [], depth - 1)).split())
            for cell in row.get("cells") or ()
        ]
        yield f"| {' | '.join(cells)} |"


def _words(content: Sequence[Node]) -> str:
    return "".join(_word(one) for one in content)


def _word(run: Node) -> str:
    return "\n" if run.get("type") == "line_break" else str(run.get("text") or "")
