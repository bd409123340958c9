"""A program's text -> what it defines, with qualified names and lines."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.corpora._parsed import Found, find_all, line_span
from assay.records import Definition

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["definitions"]

# What only says more about a definition; every other capture is its kind.
PARTS = {"name", "prefix", "decorator"}
# A function directly in one of these is a method.
CLASSES = {"class", "struct", "interface", "trait", "enum", "scope"}


def definitions(text: str, language: str) -> list[Definition]:
    """List the definitions in a text in order; none for a language without grammar.

    A text that does not parse gives what can be made out; none raises.
    """
    data = text.encode("utf-8", "replace")
    found: list[Definition] = []
    around: list[tuple[_Part, str]] = []  # what is open at this place, with its qualified name
    for part in _parts(find_all(data, language), data):
        while around and not part.inside(around[-1][0]):
            around.pop()
        outer, above = around[-1] if around else (None, "")
        name = f"{above}.{part.name}" if above else part.name
        around.append((part, name))
        if part.kind != "scope":
            kind = _kind(part, outer.kind if outer else "")
            found.append(Definition(name, kind, *part.lines, part.start, part.end))
    return found


@dataclass(frozen=True, slots=True)
class _Part:
    """A definition, or a scope, before it is known what it is in."""

    name: str
    kind: str
    lines: tuple[int, int]
    start: int
    end: int

    def inside(self, other: "_Part") -> bool:
        """Say whether it is a part of another that began before; ``a, b = 1, 2`` are equals."""
        return self.end <= other.end and (self.start, self.end) != (other.start, other.end)


def _parts(matches: list[Found], data: bytes) -> list[_Part]:
    """Make one part of all matches that meet the same name; outer parts come before inner ones."""
    parts: dict[tuple[int, int], _Part] = {}
    for match in matches:
        for name in match.get("name", ()):
            key = (name.start_byte, name.end_byte)
            if key[0] == key[1]:
                continue  # the parser made it up, to go on in a broken text
            part = _part(match, name, data)
            parts[key] = _wider(parts[key], part) if key in parts else part
    return sorted(parts.values(), key=lambda part: (part.start, -part.end))


def _part(match: Found, name: "tree_sitter.Node", data: bytes) -> _Part:
    kind = next(capture for capture in match if capture not in PARTS)
    (whole,) = match[kind]
    first = match.get("decorator", [whole])[0]
    words = [data[node.start_byte : node.end_byte] for node in (*match.get("prefix", ()), name)]
    text = b".".join(word.strip(b"\"'") for word in words).decode("utf-8", "replace")
    return _Part(text, kind, line_span(first, whole), first.start_byte, whole.end_byte)


def _wider(one: _Part, other: _Part) -> _Part:
    """Keep the wider of two extents of a definition, and the kind that was found first."""
    if other.end - other.start <= one.end - one.start:
        return one
    return _Part(one.name, one.kind, other.lines, other.start, other.end)


def _kind(part: _Part, outside: str) -> str:
    if part.kind == "function" and outside in CLASSES:
        return "method"
    return "constant" if part.kind == "variable" and part.name.isupper() else part.kind
