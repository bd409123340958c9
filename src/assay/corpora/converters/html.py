"""HTML: what a browser shows, with headings, lists, tables and code as in Markdown."""

import codecs
import re
from collections.abc import Iterator
from typing import Any

from assay.corpora.converters._page_writer import SPACE, PageWriter
from assay.corpora.converters._shape import ConvertedFile, Converter
from assay.corpora.converters._text import clean, limited
from assay.corpora.text.encoding import HEAD, decode, encoding

__all__ = ["html"]

# What no reader sees, and menus, which are the same on every page.
HIDDEN = {
    *("script", "style", "template", "noscript", "head", "svg", "iframe", "object", "nav"),
    *("audio", "video", "canvas", "datalist"),
}
UNSEEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
# What is said to browsers and search engines, not of the page.
TECHNICAL = re.compile(
    r"viewport|generator|robots|.*bot|referrer|theme-color|color-scheme|format-detection|csrf.*"
    r"|.*-verification|(?:apple|msapplication|mobile)-.*|handheldfriendly|mobileoptimized|next-.*"
)
# What browsers take for the encodings that pages name (WHATWG Encoding, 4.2), where it differs.
MEANT = {
    **dict.fromkeys(("ascii", "iso8859-1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **{"shift_jis": "cp932", "euc_kr": "cp949", "iso8859-9": "cp1254", "tis-620": "cp874"},
}
NEVER = re.compile(r"utf|.*escape|idna|punycode")
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
    found, named = encoding(data[:HEAD]), _named(data[:HEAD])
    if found in ("utf-8", "cp1252", "") and named and not _is_utf8(data):
        return data.decode(named, "replace")
    return decode(data, found or "utf-8")


def _is_utf8(data: bytes) -> bool:
    """Tell whether text beyond ASCII is UTF-8: then it is, whatever it says of itself."""
    try:
        return not data.isascii() and bool(data.decode())
    except UnicodeDecodeError:
        return False


def _named(head: bytes) -> str:
    """Return the encoding that a page says it is in, as browsers take it; nothing if it does not.

    UTF-8 counts as nothing: other text is examined for it anyway.
    """
    found = CHARSET.search(head)
    try:
        name = codecs.lookup(found[1].decode("ascii")).name if found else "utf-8"
        fits = b"<".decode(name) == "<" and not NEVER.match(name)
    except (LookupError, UnicodeError):  # none of this name, or one that is not of text
        return ""
    return MEANT.get(name, name) if fits else ""


def _recognises(head: bytes) -> bool:
    return bool(encoding(head)) or (b"\0" not in head and bool(_named(head)))


def _walk(node: Any, page: PageWriter) -> None:  # noqa: ANN401 - the library has no types
    """Go over a tree on a stack of its own: a page may be nested deeper than Python calls."""
    stack = [(node, False)] if node is not None else []
    while stack:
        node, seen = stack.pop()
        if seen:
            page.end(node.tag)
        elif node.tag == "-text":
            page.write(node.text_content or "")
        elif node.is_element_node and node.tag not in HIDDEN and _is_seen(node.attributes):
            page.begin(node.tag)
            if node.tag == "img":
                page.write(f" {node.attributes.get('alt') or ''} ")
            stack.append((node, True))
            stack += [(child, False) for child in reversed([*node.iter(include_text=True)])]


def _is_seen(attributes: dict[str, str | None]) -> bool:
    """Tell whether a browser shows an element; what it reveals when searched for counts."""
    hidden = "hidden" in attributes and attributes["hidden"] != "until-found"
    return not hidden and not UNSEEN.search(attributes.get("style") or "")


def _title(tree: Any) -> str:  # noqa: ANN401
    found = tree.css_first("head > title")
    return clean(SPACE.sub(" ", found.text())).strip() if found is not None else ""


def _about(tree: Any) -> Iterator[tuple[str, str | list[str]]]:  # noqa: ANN401
    language = (tree.root.attributes.get("lang") or "") if tree.root is not None else ""
    if language.strip():
        yield "language", language.strip().lower()
    told: dict[str, list[str]] = {}
    for node in tree.css("head > meta[name][content]"):
        name, value = (clean(node.attributes[key] or "").strip() for key in ("name", "content"))
        if value and not TECHNICAL.fullmatch(name.lower()):
            told.setdefault(name.lower(), []).append(value)
    for name, values in told.items():
        yield name, values if values[1:] else values[0]


html = Converter(
    summary="HTML: what a browser shows, with headings, lists, tables and code.",
    endings=("html", "htm", "xhtml"),
    convert=_convert,
    recognises=_recognises,
    version=3,
    package="selectolax",
    module="selectolax",
    paged=False,
    is_text=True,
    is_container=False,
)
