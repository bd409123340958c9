"""What Assay knows of a programming language: how to recognise its files and take them apart."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Language"]


@dataclass(frozen=True, slots=True)
class Language:
    """A language with its tree-sitter grammar and the patterns that find its parts.

    ``grammar`` returns what ``tree_sitter.Language`` takes; it imports the grammar's package, so
    that only files of this language need it. ``definitions`` is a tree-sitter query: each pattern
    captures the whole definition under the name of its kind (``@function``, ``@class``, ...) and
    its ``@name``; ``@prefix`` is what qualifies the name where nesting does not (a Go receiver);
    ``@scope`` in place of a kind only qualifies what is inside (a Rust impl). ``calls`` captures a
    ``@call`` and the ``@name`` that is called. ``statements`` are the kinds of node at which a
    call's lines end.
    """

    package: str
    grammar: Callable[[], object]
    extensions: tuple[str, ...]
    definitions: str
    calls: str
    statements: tuple[str, ...]
    shebangs: tuple[str, ...] = ()
