"""What a search returns: the documents, the chunks or the symbols of an index, by number."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.records import Ints
from assay.records.chunk import chunk_id, symbol_id
from assay.workspace.index._snapshot import Snapshot

__all__ = ["Units", "units_of"]


@dataclass(frozen=True, eq=False)
class Units:
    """The units of an index, and which of them each of its chunks belongs to or defines.

    ``names`` and ``document_of`` (a number in the index) are by the number of the unit. The units
    of chunk ``rows[i]`` are ``numbers[starts[i]:starts[i + 1]]``. ``symbols`` are the qualified
    names, where units are symbols.
    """

    names: Sequence[str]
    document_of: Ints
    rows: Ints
    starts: Ints
    numbers: Ints
    symbols: Sequence[str] = ()

    def of_rows(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return the units of rows, and beside each the place of its row.

        A negative row is itself a unit: see the stage ``symbols``.
        """
        if len(rows) and rows.min() < 0:
            return -rows - 1, np.arange(len(rows))
        places = np.searchsorted(self.rows, rows)
        starts, sizes = self.starts[places], np.diff(self.starts)[places]
        begins = np.cumsum(sizes) - sizes
        owner: Ints = np.repeat(np.arange(len(rows)), sizes)
        return self.numbers[np.arange(len(owner)) + (starts - begins)[owner]], owner

    def named(self, rows: Ints) -> list[str]:
        """Name results, each of which is one unit."""
        numbers, _ = self.of_rows(rows)
        return [self.names[at] for at in numbers.tolist()]

    def of_document(self, document: int) -> Sequence[str]:
        """Return the names of the units of a document, by its number in the index."""
        first, last = np.searchsorted(self.document_of, [document, document + 1])
        return self.names[int(first) : int(last)]

    def find(self, names: Iterable[str]) -> list[int]:
        """Number units by their names; -1 for those of which the index has no chunk."""
        return [self._number.get(name, -1) for name in names]

    @cached_property
    def _number(self) -> dict[str, int]:
        held = np.zeros(len(self.names), bool)
        held[self.numbers] = True
        return {name: at for at, name in enumerate(self.names) if held[at]}


def units_of(snapshot: Snapshot, unit: str) -> Units:
    """Number the documents, chunks or symbols of an index."""
    return {"document": _documents, "chunk": _chunks, "symbol": _symbols}[unit](snapshot)


def _documents(snapshot: Snapshot) -> Units:
    each = np.arange(len(snapshot.rows) + 1)
    every = np.arange(len(snapshot.documents))
    return Units(snapshot.documents, every, snapshot.rows, each, snapshot.document_of)


def _chunks(snapshot: Snapshot) -> Units:
    each = np.arange(len(snapshot.rows) + 1)
    spans = zip(snapshot.document_of.tolist(), snapshot.spans()[:, :2].tolist(), strict=True)
    names = [chunk_id(snapshot.documents[code], *span) for code, span in spans]
    return Units(names, snapshot.document_of, snapshot.rows, each, each[:-1])


def _symbols(snapshot: Snapshot) -> Units:
    """Number the symbols of each document in the order in which its chunks define them.

    A chunk that defines nothing itself belongs to the symbol that it is a part of.
    """
    codes, rows = snapshot.document_of.tolist(), snapshot.rows.tolist()
    defined = snapshot.symbols(rows)
    known: dict[tuple[int, str], int] = {}
    for code, some in zip(codes, defined, strict=True):
        for symbol in some:
            known.setdefault((code, symbol), len(known))
    parts = snapshot.continued()
    held = [
        [*some] if some or (code, parts.get(row, "")) not in known else [parts[row]]
        for code, row, some in zip(codes, rows, defined, strict=True)
    ]
    numbers = [known[code, one] for code, some in zip(codes, held, strict=True) for one in some]
    sizes = np.array([len(some) for some in held], np.int64)
    return Units(
        names=[symbol_id(snapshot.documents[code], symbol) for code, symbol in known],
        document_of=np.array([code for code, _ in known], np.int64),
        rows=snapshot.rows,
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        numbers=np.array(numbers, np.int64),
        symbols=[symbol for _, symbol in known],
    )
