"""HTML: what a browser shows, with headings, lists, tables and code as in Markdown."""

import re
from collections.abc import Iterator
from typing import Any

from assay.corpora.converters._page_writer import SPACE, PageWriter
from assay.corpora.converters._shape import ConvertedFile, Converter
from assay.corpora.converters._text import clean, limited
from assay.corpora.text.encoding import HEAD, decode, encoding

__all__ = ["html"]

# What no reader sees, and menus, which are the same on every page.
HIDDEN = {"script", "style", "template", "noscript", "head", "svg", "iframe", "object", "nav"}
NAMED = {"author", "date", "description", "keywords"}
CHARSET = re.compile(rb"<meta[^>]{1,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.I)


def _convert(data: bytes) -> ConvertedFile:
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(_decoded(data))
    page = PageWriter()
    _walk(tree.body, page)
    (text,) = limited([clean(page.text)])
    return ConvertedFile([text], _title(tree), dict(_about(tree)))


def _decoded(data: bytes) -> str:
    """Decode by the mark of its first bytes, by what it says of itself, or as any other text."""
    found = encoding(data[:HEAD])
    named = CHARSET.search(data[:HEAD])
    if named and found in ("utf-8", "cp1252"):
        try:
            return data.decode(named[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data, found or "utf-8")


def _walk(node: Any, page: PageWriter) -> None:  # noqa: ANN401 - the library has no types
    """Go over a tree on a stack of its own: a page may be nested deeper than Python calls."""
    stack = [(node, False)] if node is not None else []
    while stack:
        node, seen = stack.pop()
        if seen:
            page.end(node.tag)
        elif node.tag == "-text":
            page.write(node.text_content or "")
        elif node.is_element_node and node.tag not in HIDDEN:
            page.begin(node.tag)
            if node.tag == "img":
                page.write(f" {node.attributes.get('alt') or ''} ")
            stack.append((node, True))
            stack += [(child, False) for child in reversed([*node.iter(include_text=True)])]


def _title(tree: Any) -> str:  # noqa: ANN401
    found = tree.css_first("head > title")
    return clean(SPACE.sub(" ", found.text())).strip() if found is not None else ""


def _about(tree: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    language = (tree.root.attributes.get("lang") or "") if tree.root is not None else ""
    if language.strip():
        yield "language", language.strip().lower()
    for node in tree.css("head > meta[name][content]"):
        name, value = (node.attributes[key] or "" for key in ("name", "content"))
        if name.lower() in NAMED and value.strip():
            yield name.lower(), clean(value).strip()


html = Converter(
    summary="HTML: what a browser shows, with headings, lists, tables and code.",
    endings=("html", "htm", "xhtml"),
    convert=_convert,
    recognises=lambda head: bool(encoding(head)),
    package="selectolax",
    module="selectolax",
    paged=False,
    is_text=True,
    is_container=False,
)
