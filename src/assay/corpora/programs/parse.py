"""Text -> what a language's tree-sitter query finds in it, within bounds of time."""

import time
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from assay.corpora.programs._depth import within_depth
from assay.corpora.programs._guard import comes_back
from assay.corpora.programs.parsable_languages import parsable_languages
from assay.errors import InputError
from assay.extras import install_command

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["Captures", "broken", "find_all", "find_in", "line_span", "parse"]

Captures = dict[str, list["tree_sitter.Node"]]
"""What one match of a query captured, by the capture's name."""

SECONDS = 0.5  # of computing, for the parse and again for the query; real files take a hundredth
PER_BYTE = 2e-6  # more for the parse of large files, so that no real one comes near its end
PIECE = 1024  # bytes that are handed to the parser at a time
# Matches that may be open at once. Nested code opens a few dozen; without a limit a chain of ten
# thousand calls takes time with its square.
OPEN = 256
CROWD = 2000  # parts of a broken text between which the grammar sees no order


def find_all(data: bytes, language: str, *, calls: bool = False) -> list[Captures]:
    """Return the matches in a program's bytes, in the order of the query's patterns.

    A language without grammar has none. What takes too long is given up, and what was found until
    then is returned. (The callbacks that tree-sitter 0.26 has for this end the process.)
    """
    tree = parse(data, language)
    return find_in(tree, language, calls=calls) if tree else []


def parse(data: bytes, language: str) -> "tree_sitter.Tree | None":
    """Parse a program's bytes; none without grammar, without any word, or if it never ended.

    The tree ends early, with its root, where the text is nested beyond reason or time is over.
    """
    if language not in parsable_languages() or not data.strip():
        return None
    grammar, _ = _compiled(language, calls=False)
    bounded = within_depth(data)
    return _tree(grammar, bounded) if comes_back(bounded, language) else None


def find_in(tree: "tree_sitter.Tree", language: str, *, calls: bool = False) -> list[Captures]:
    """Return the matches in a tree, in the order of the query's patterns."""
    from tree_sitter import QueryCursor

    _, query = _compiled(language, calls=calls)
    found: list[tuple[int, Captures]] = []
    ends = time.thread_time() + SECONDS
    for node in _clear(tree.root_node):
        found += QueryCursor(query, match_limit=OPEN).matches(node)
        if time.thread_time() > ends:
            break
    return [match for _, match in sorted(found, key=lambda each: each[0])]


def _clear(root: "tree_sitter.Node") -> "Iterator[tree_sitter.Node]":
    """Yield the parts of a tree that a query can search quickly; nearly always the whole.

    In a crowd of stray brackets a query looks at all that follow for each of them. Then only what
    is in order is searched.
    """
    if not any(node.is_error and node.child_count > CROWD for node in broken(root)):
        yield root
        return
    for node in broken(root):
        yield from (part for part in node.named_children if part.child_count and not part.has_error)


def broken(root: "tree_sitter.Node") -> "Iterator[tree_sitter.Node]":
    """Yield the nodes that hold an error, from the top."""
    open_nodes = [root] if root.has_error else []
    while open_nodes:
        node = open_nodes.pop()
        yield node
        open_nodes += [part for part in node.named_children if part.has_error and part.child_count]


def line_span(first: "tree_sitter.Node", last: "tree_sitter.Node") -> tuple[int, int]:
    """Return the lines, from 1, on which two nodes begin and end."""
    # Taken apart, since Point.row of tree-sitter 0.26 gives away a reference that it does not own.
    (begin, _), (row, column) = first.start_point, last.end_point
    return begin + 1, max(begin, row - (column == 0)) + 1  # column 0 is the end of the line before


def _tree(grammar: "tree_sitter.Language", data: bytes) -> "tree_sitter.Tree":
    """Parse a text piece by piece, and end it where the time is over.

    A broken text can take time with its square. The pieces go through one buffer, since
    tree-sitter 0.26 never lets go of what it is handed.
    """
    from tree_sitter import Parser

    end, reached = len(data), 0
    ends = time.thread_time() + SECONDS + end * PER_BYTE
    buffer = bytearray()

    def read(start: int, _: "tree_sitter.Point") -> bytearray:
        nonlocal end, reached
        if end > reached and time.thread_time() > ends:
            end = reached  # for good: what was handed out once can be asked for again
        reached = max(reached, min(start + PIECE, end))
        buffer[:] = data[start : min(start + PIECE, end)]
        return buffer

    tree = Parser(grammar).parse(read)
    buffer.clear()
    return tree


@cache
def _compiled(language: str, *, calls: bool) -> "tuple[tree_sitter.Language, tree_sitter.Query]":
    its = parsable_languages()[language]
    try:
        import tree_sitter

        grammar = tree_sitter.Language(its.grammar())
    except ImportError as error:
        problem = f"{language} cannot be parsed: {error.name} is not installed"
        raise InputError(problem, hint=install_command("code")) from None
    text = f"{its.calls}\n{its.statements}" if calls else its.definitions
    return grammar, tree_sitter.Query(grammar, text)
