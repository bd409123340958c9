"""A syntax tree -> spans of its text under a budget, cut between its parts.

The algorithm is cAST (Zhang et al. 2025, arXiv 2506.15655): what is over the budget is taken apart
into its children, and neighbours that fit together are merged. Two things are added: spans are
whole lines wherever lines allow it, and a comment stays with what follows it where both fit.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from assay.corpora.text.ruler import Ruler, Span

if TYPE_CHECKING:
    import tree_sitter

    Nodes = list[tree_sitter.Node]

__all__ = ["Budget", "syntax_spans"]

DEEPEST = 100  # parts inside of parts that are over the budget; then lines are counted
CROWD = 20_000  # children of one part, as a table of numbers has; their lines are counted, too
# What belongs to what follows it, besides comments.
BEFORE = {"decorator", "attribute_item", "inner_attribute_item", "attribute_list", "annotation"}


class Budget(NamedTuple):
    """How large a span can be, and up to which size neighbours are merged."""

    most: int
    merged: int


class _Unit(NamedTuple):
    """Neighbours that are not to be parted if it can be helped."""

    start: int
    end: int
    nodes: "Nodes"


def syntax_spans(tree: "tree_sitter.Tree", ruler: Ruler, budget: Budget) -> list[Span]:
    """Cut the text of a tree; the spans follow each other from its beginning to its end."""
    whole = _Unit(0, len(ruler.data), [tree.root_node])
    if ruler.size(whole.start, whole.end) <= budget.most:
        return [(whole.start, whole.end)]
    return _apart(whole, ruler, budget, 0)


def _apart(unit: _Unit, ruler: Ruler, budget: Budget, depth: int) -> list[Span]:
    """Take apart what is over the budget: its largest parts first, then what is on one line."""
    nodes = _opened(unit.nodes, ruler, budget)
    as_before = nodes is unit.nodes
    opened = _Unit(unit.start, unit.end, nodes)
    if depth < DEEPEST and nodes:
        for part in _ways(unit, ruler.data):
            units = part(opened, ruler.data)
            if len(units) > 1:
                return _packed(units, ruler, budget, depth + 1)
            if not as_before:
                return _apart(opened, ruler, budget, depth + 1)
    return list(ruler.cut(unit.start, unit.end, budget.most))


def _opened(nodes: "Nodes", ruler: Ruler, budget: Budget) -> "Nodes":
    """Put the children of each part that is over the budget in its place."""
    large = [_large(node, ruler, budget) for node in nodes]
    if not any(large):
        return nodes
    return [
        part
        for node, its in zip(nodes, large, strict=True)
        for part in (_inside(node, ruler, budget) if its else (node,))
    ]


def _inside(node: "tree_sitter.Node", ruler: Ruler, budget: Budget) -> "Nodes":
    """Return a part's children, with those of its body in the body's place if that is large.

    So the head of a function or class is a neighbour of its first lines, and merges with them.
    """
    parts, body = node.children, node.child_by_field_name("body")
    if body is None:  # Kotlin's grammar has no name for it
        body = next((part for part in parts if part.type.endswith("_body")), None)
    if body is None or body not in parts or not _large(body, ruler, budget):
        return parts
    place = parts.index(body)
    return [*parts[:place], *body.children, *parts[place + 1 :]]


def _large(node: "tree_sitter.Node", ruler: Ruler, budget: Budget) -> bool:
    large = ruler.size(node.start_byte, node.end_byte) > budget.most
    return large and 0 < node.child_count < CROWD


def _packed(units: list[_Unit], ruler: Ruler, budget: Budget, depth: int) -> list[Span]:
    """Merge neighbours that fit together, and take apart what fits nowhere."""
    spans: list[Span] = []
    free = False  # whether the last span can grow: it is not the end of something larger
    for unit in units:
        if ruler.size(unit.start, unit.end) > budget.most:
            spans += _apart(unit, ruler, budget, depth)
            free = False
        elif free and ruler.size(spans[-1][0], unit.end) <= budget.merged:
            spans[-1] = (spans[-1][0], unit.end)
        else:
            spans.append((unit.start, unit.end))
            free = True
    return spans


def _ways(unit: _Unit, data: bytes) -> "tuple[Callable[[_Unit, bytes], list[_Unit]], ...]":
    """Say how to part a unit: between its lines, or where all is on one line, anywhere."""
    last = unit.nodes[-1].end_byte if unit.nodes else unit.end
    several = data.find(b"\n", unit.nodes[0].start_byte if unit.nodes else 0, last) >= 0
    return (_with_comments, _lines) if several else (_parts,)


def _with_comments(unit: _Unit, data: bytes) -> list[_Unit]:
    return _parted(unit, [_before(one, two, data) for one, two in pairwise(unit.nodes)])


def _lines(unit: _Unit, data: bytes) -> list[_Unit]:
    return _parted(unit, [_line(one, two, data) for one, two in pairwise(unit.nodes)])


def _parts(unit: _Unit, _: bytes) -> list[_Unit]:
    return _parted(unit, [node.start_byte for node in unit.nodes[1:]])


def _parted(unit: _Unit, places: list[int]) -> list[_Unit]:
    """Part a unit at the places before its nodes; a place of -1 is none."""
    found: list[_Unit] = []
    start, first = unit.start, 0
    for number, place in enumerate(places, 1):
        if place > start:
            found.append(_Unit(start, place, unit.nodes[first:number]))
            start, first = place, number
    found.append(_Unit(start, unit.end, unit.nodes[first:]))
    return found


def _line(one: "tree_sitter.Node", two: "tree_sitter.Node", data: bytes) -> int:
    """Return where the line of the second node begins; -1 if the first is on it too."""
    end = one.end_byte
    # One back, since the line end can be a part of the node, as in C's preprocessor.
    place = data.rfind(b"\n", max(end - 1, 0), two.start_byte)
    return place + 1 or -1


def _before(one: "tree_sitter.Node", two: "tree_sitter.Node", data: bytes) -> int:
    """Return the same, but -1 for a comment right above what it is about."""
    place = _line(one, two, data)
    if place < 0 or not _leads(one.type):
        return place
    start, end = one.start_byte, max(one.end_byte - 1, 0)
    begins = not data[data.rfind(b"\n", 0, start) + 1 : start].strip()
    near = data.count(b"\n", end, two.start_byte) <= 1
    return -1 if begins and near else place


def _leads(kind: str) -> bool:
    return kind.endswith("comment") or kind in BEFORE
