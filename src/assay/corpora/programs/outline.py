"""What a query found in a program -> its definitions in order, with qualified names."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.corpora.programs.parse import Captures, line_span

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["OutlineEntry", "outline"]

# What only says more about a definition; every other capture is its kind.
PARTS = {"name", "prefix", "decorator"}
# A function directly in one of these is a method.
CLASSES = {"class", "struct", "interface", "trait", "enum", "scope"}
COLONS = re.compile(rb"\s*::\s*")
TYPES = re.compile(rb"<[^<>]*>(?=\s*::)")  # of a template


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A definition: where it is, and at which byte its name stands."""

    name: str
    kind: str
    lines: tuple[int, int]
    start: int
    end: int
    named: int

    def inside(self, other: "OutlineEntry") -> bool:
        """Say whether it is a part of another that began before; ``a, b = 1, 2`` are equals."""
        return self.end <= other.end and (self.start, self.end) != (other.start, other.end)


def outline(matches: list[Captures], data: bytes) -> list[OutlineEntry]:
    """List the definitions; what only qualifies the names in it (a Rust impl) is none."""
    found: list[OutlineEntry] = []
    around: list[
        tuple[OutlineEntry, str]
    ] = []  # what is open at this place, with its qualified name
    for part in _parts(matches, data):
        while around and not part.inside(around[-1][0]):
            around.pop()
        outer, above = around[-1] if around else (None, "")
        name = f"{above}.{part.name}" if above else part.name
        around.append((part, name))
        if part.kind != "scope":
            kind = _kind(part, outer.kind if outer else "")
            found.append(replace(part, name=name, kind=kind))
    return found


def _parts(matches: list[Captures], data: bytes) -> list[OutlineEntry]:
    """Make one part of all matches that meet the same name; outer parts come before inner ones."""
    parts: dict[tuple[int, int], OutlineEntry] = {}
    for match in matches:
        for name in match.get("name", ()):
            key = (name.start_byte, name.end_byte)
            if key[0] == key[1]:
                continue  # the parser made it up, to go on in a broken text
            part = _part(match, name, data)
            parts[key] = _wider(parts[key], part) if key in parts else part
    return sorted(parts.values(), key=lambda part: (part.start, -part.end))


def _part(match: Captures, name: "tree_sitter.Node", data: bytes) -> OutlineEntry:
    kind = next(capture for capture in match if capture not in PARTS)
    (whole,) = match[kind]
    first = match.get("decorator", [whole])[0]
    words = [data[node.start_byte : node.end_byte] for node in (*match.get("prefix", ()), name)]
    text = b".".join(_dotted(word.strip(b"\"'")) for word in words).decode("utf-8", "replace")
    lines = line_span(first, whole)
    return OutlineEntry(text, kind, lines, first.start_byte, whole.end_byte, name.start_byte)


def _dotted(name: bytes) -> bytes:
    """Qualify a name with dots that its language qualifies with colons: ``Stack<T>::push``."""
    if b"::" not in name:
        return name
    return COLONS.sub(b".", TYPES.sub(b"", name)).strip(b".")


def _wider(one: OutlineEntry, other: OutlineEntry) -> OutlineEntry:
    """Keep the wider of two extents of a definition, and the kind that was found first."""
    if other.end - other.start <= one.end - one.start:
        return one
    return replace(other, name=one.name, kind=one.kind)


def _kind(part: OutlineEntry, outside: str) -> str:
    if part.kind == "function" and outside in CLASSES:
        return "method"
    return "constant" if part.kind == "variable" and part.name.isupper() else part.kind
