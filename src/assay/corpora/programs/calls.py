"""A program's text -> what it calls, with the lines of the statement around each call."""

import re
from typing import TYPE_CHECKING, NamedTuple

from assay.corpora.programs.parsable_languages import parsable_languages
from assay.corpora.programs.parse import Captures, find_all, line_span
from assay.records import Call

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["calls"]

LONGEST = 200  # bytes of a name; a longer one is a chain of calls, of which the end is kept
WORD = re.compile(r"^(?:await|new)\s+")  # that a grammar takes for a part of the name
SPACE = re.compile(r"\s+")
LAST = re.compile(r"([\w$]+)\W*$")
NAMES = re.compile(r"\\?[\w$#]+(?:(?:\.|::|\?\.|\??->|&\.|\\)[\w$#]+)*[!?]?")
TYPES = re.compile(r"(?:::)?<[^<>]*>")  # of a generic: foo::<u8>, List<String>


class _Span(NamedTuple):
    """A call (rank 2), or what may stand around it, in the order of the text."""

    start: int
    end: int
    rank: int
    lines: tuple[int, int]
    name: str = ""


def calls(text: str, language: str) -> list[Call]:
    """List the calls in a text in order; none for a language without grammar."""
    data = text.encode("utf-8", "replace")
    builtins = _builtins(language)
    spans = {_span(match, data) for match in find_all(data, language, calls=True)}
    found: list[Call] = []
    around: list[_Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end, span.rank)):
        while around and around[-1].end < span.end:
            around.pop()
        if span.rank < 2:
            around.append(span)
        elif call := _call(span, around[-1:], builtins):
            found.append(call)
    return found


def _builtins(language: str) -> frozenset[str]:
    return (
        frozenset(parsable_languages()[language].builtins.split())
        if language in parsable_languages()
        else frozenset()
    )


def _span(match: Captures, data: bytes) -> _Span:
    for rank, capture in enumerate(("compound", "simple")):
        if capture in match:
            (node,) = match[capture]
            return _Span(node.start_byte, node.end_byte, rank, line_span(node, node))
    (node,) = match["call"]
    name = _written(match, node, data)
    return _Span(node.start_byte, node.end_byte, 2, line_span(node, node), name)


def _written(match: Captures, call: "tree_sitter.Node", data: bytes) -> str:
    """Return what is called as it is written, without line ends and the types of a generic."""
    (named,) = match.get("name") or match["last"]
    start = named.start_byte if "name" in match else call.start_byte
    text = data[max(start, named.end_byte - LONGEST) : named.end_byte].decode("utf-8", "ignore")
    text = SPACE.sub("", WORD.sub("", text))
    return TYPES.sub("", TYPES.sub("", text))  # twice, for Map<K, List<V>>


def _call(span: _Span, around: list[_Span], builtins: frozenset[str]) -> Call | None:
    last = LAST.search(span.name)
    if last is None:
        return None
    lines = around[0].lines if around and around[0].rank == 1 else span.lines
    api = NAMES.fullmatch(span.name) is not None and span.name not in builtins
    return Call(span.name, last[1], *lines, span.start, span.end, api)
