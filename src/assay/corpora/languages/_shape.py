"""What Assay knows of a programming language: how to recognise its files and take them apart."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Language"]


@dataclass(frozen=True, slots=True)
class Language:
    """A language with its tree-sitter grammar and the queries that find its parts.

    ``grammar`` returns what ``tree_sitter.Language`` takes; it imports the grammar's package, so
    that only files of this language need it.

    ``definitions`` captures each definition under the name of its kind (``@function``, ``@class``,
    ...) with its ``@name``. Of several patterns that meet one name the first says the kind and the
    widest the extent. ``@decorator`` before it belongs to it; ``@prefix`` qualifies its name where
    nesting does not (a Go receiver); ``@scope`` in place of a kind defines nothing, but qualifies
    what is inside (a Rust impl).

    ``calls`` captures a ``@call`` with the ``@name`` that is called, or only the ``@last`` part of
    the name where no node holds the whole. ``statements`` captures as ``@simple`` what a call is a
    part of, and as ``@compound`` what has statements inside. ``builtins`` are the words, parted by
    spaces, whose calls are the language's own. ``guarded`` names the grammar's package if it may
    never end on a broken text: a child process tries it first.
    """

    grammar: Callable[[], object]
    extensions: tuple[str, ...]
    definitions: str
    calls: str
    statements: str
    shebangs: tuple[str, ...] = ()
    builtins: str = ""
    guarded: str = ""

    @property
    def summary(self) -> str:
        """Say by which endings its files are known."""
        return f"files ending in {', '.join(f'.{ending}' for ending in self.extensions)}"
