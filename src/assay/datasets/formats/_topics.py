"""TREC topics in any of their forms -> the fields of each topic."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from assay.errors import InputError

__all__ = ["NAMED", "TAG", "TEXTS", "Topic", "as_xml", "topics"]

# Tags are found one by one from left to right, so that no text can make this slow; no entity is
# ever declared, so that none can grow.
MARK = re.compile(r"<(/?)([A-Za-z_][\w.-]*+)([^<>]*+)>")
TAG = re.compile(r"[a-z_][a-z0-9_]*")
NUMBER = re.compile(r"""\b(?:number|num|id)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
LABEL = re.compile(r"(?:Number|Topic|Title|Description|Narrative|Summary)\s*:\s*")
ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
SPACES = " \t\r\n"
ALIASES = {"number": "num", "description": "desc", "narrative": "narr"}
NAMED = ("num", "id")
TEXTS = ("title", "query", "question", "text")
KNOWN = (*NAMED, *TEXTS, "desc", "narr", "dom", "smry", "con", "fac", "def")
OUTER = ("top", "topic")


@dataclass(slots=True)
class Topic:
    """The fields of one topic, as far as they were given, and the line where it begins."""

    line: int
    key: str = ""
    fields: dict[str, list[str]] = field(default_factory=dict)


def topics(text: str, *, where: str) -> Iterator[Topic]:
    """Read <top>, <topic> or lines of id, tab, text."""
    if not text.lstrip().startswith("<"):
        yield from _lines(text)
        return
    found = re.search(r"<!\s*(?:DOCTYPE|ENTITY)", text, re.IGNORECASE)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        hint = "remove the declaration"
        raise InputError(
            "contains a DOCTYPE or ENTITY declaration", where=f"{where}, line {line}", hint=hint
        )
    yield from _marked(_uncommented(text))


def as_xml(topics: Iterable[tuple[str, dict[str, list[str]]]]) -> Iterator[str]:
    """Write topics as XML; what could get lost between tags is written as a character's number."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<topics>\n'
    for key, fields in topics:
        yield f'<topic number="{_escaped(key)}">\n'
        for name, texts in fields.items():
            yield from (f"<{name}>{_escaped(text)}</{name}>\n" for text in texts)
        yield "</topic>\n"
    yield "</topics>\n"


def _lines(text: str) -> Iterator[Topic]:
    for number, line in enumerate(text.split("\n"), 1):
        key, tab, rest = line.rstrip("\r").partition("\t")
        if line.strip():
            yield Topic(number, key.strip(), {"title": [rest.strip(SPACES)]} if tab else {})


def _marked(text: str) -> Iterator[Topic]:
    """Walk from tag to tag; what stands before the first topic and after the last is nobody's."""
    walk = _Walk(text)
    for mark in MARK.finditer(text):
        tag = ALIASES.get(mark[2].lower(), mark[2].lower())
        if walk.ends(tag, closing=bool(mark[1])):
            walk.keep(mark.start())
            if tag in OUTER:
                yield from walk.turn(mark, tag)
            elif not mark[1]:
                walk.name, walk.start = tag, mark.end()
    walk.keep(len(text))
    if walk.topic is not None:
        yield walk.topic


class _Walk:
    """Where a walk through tags is: in which topic, and in which field of it since where."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.topic: Topic | None = None
        self.name, self.start = "", 0
        self._labelled = False
        self._line, self._counted = 1, 0

    def ends(self, tag: str, *, closing: bool) -> bool:
        """Tell whether a tag ends the open field; TREC leaves many unclosed, so others do too."""
        if not self.name:
            return True
        return tag in (self.name, *OUTER) if closing else tag in (*KNOWN, *OUTER)

    def keep(self, end: int) -> None:
        """Add the open field to the topic."""
        if self.topic is not None and self.name:
            text = _joined(self.text[self.start : end])
            label = LABEL.match(text) if self._labelled else None
            text = ENTITY.sub(_character, text[label.end() :] if label else text)
            if self.name in NAMED:
                self.topic.key = self.topic.key or text
            else:
                self.topic.fields.setdefault(self.name, []).append(text)
        self.name = ""

    def turn(self, mark: "re.Match[str]", tag: str) -> Iterator[Topic]:
        """Yield the topic that ends, and begin the next."""
        if self.topic is not None:
            yield self.topic
        self._line += self.text.count("\n", self._counted, mark.start())
        self._counted = mark.start()
        self._labelled = tag == "top"
        self.topic = None if mark[1] else Topic(self._line, _number(mark[3]))


def _joined(raw: str) -> str:
    """Put the lines of a wrapped text together."""
    lines = (line.strip(SPACES) for line in raw.split("\n"))
    return " ".join(line for line in lines if line)


def _uncommented(text: str) -> str:
    """Leave comments out, but keep their line ends for counting."""
    first, *pieces = text.split("<!--")
    parts = (piece.partition("-->") for piece in pieces)
    return first + "".join("\n" * before.count("\n") + after for before, _, after in parts)


def _number(attributes: str) -> str:
    found = NUMBER.search(attributes[:1000])
    text = (found[1] or found[2] or "") if found else ""
    return ENTITY.sub(_character, text.strip(SPACES))


def _character(found: "re.Match[str]") -> str:
    if found[1]:
        return CHARACTERS[found[1]]
    code = int(found[2]) if found[2] else int(found[3], 16)
    whole = code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if whole else found[0]


def _escaped(text: str) -> str:
    inner = text.strip(SPACES)
    before = len(text) - len(text.lstrip(SPACES))
    edges = text[:before], text[before + len(inner) :]
    body = re.sub(r"[&<>\"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", _coded, inner)
    return (
        re.sub(".", _coded, edges[0], flags=re.S) + body + re.sub(".", _coded, edges[1], flags=re.S)
    )


def _coded(found: "re.Match[str]") -> str:
    return f"&#{ord(found[0])};"
