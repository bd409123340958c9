"""The parts of an index that is open: each is opened once, whoever searches with it."""

from contextlib import ExitStack
from functools import cached_property

from assay.engines.dense import DenseIndex
from assay.engines.groups import Groups
from assay.records import Configuration, LexicalIndex
from assay.searches._graph import dense_of
from assay.searches.parts import lexical_at
from assay.workspace.index.index_store import Snapshot

__all__ = ["Shared"]


class Shared:
    """A snapshot, its words and its vectors; configurations that differ in the rest share them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.places: dict[tuple[object, ...], int] = {}  # the best chunks that are known
        self._lexical: dict[str, LexicalIndex] = {}
        self._dense: dict[tuple[str | None, str | None], DenseIndex] = {}

    @property
    def generation(self) -> int:
        """The generation of the index that is open."""
        return self.snapshot.generation

    @cached_property
    def groups(self) -> Groups:
        """Tell which chunks make a document."""
        return Groups(self.snapshot.rows, self.snapshot.document_of)

    def lexical(self, chosen: Configuration) -> LexicalIndex:
        """Open the words."""
        kind = str(chosen.lexical)
        if kind not in self._lexical:
            self._lexical[kind] = lexical_at(chosen, self.snapshot.lexical)
        return self._lexical[kind]

    def dense(self, chosen: Configuration, *, dimension: int) -> DenseIndex:
        """Open the vectors."""
        kind = (chosen.dense, chosen.precision)
        if kind not in self._dense:
            self._dense[kind] = dense_of(chosen, self.snapshot, dimension=dimension)
        return self._dense[kind]

    def close(self) -> None:
        """Let go of all of it."""
        with ExitStack() as stack:  # each of them, whatever the others have to say
            stack.callback(self.snapshot.close)
            for index in self._lexical.values():
                stack.callback(index.close)
