"""What a store was filled with, kept beside it: what it finds gets the scores of our own search."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from assay.engines.rank_rows import nothing, ranked
from assay.engines.vectors.packing import pack
from assay.engines.vectors.stored_vectors import StoredVectors, store
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints, Track, Vectors

__all__ = ["Batch", "GivenVectors", "counted", "settled"]

Batch: TypeAlias = tuple[Ints, Sequence[str], Vectors | None]
Answered: TypeAlias = tuple[Ints, Floats]  # rows, best first, and the scores that the store gave


class GivenVectors:
    """Vectors with a direction, by row, in float32 as they were given, and how many rows came."""

    def __init__(self, dimension: int) -> None:
        self.rows = 0
        self._given = False  # whether vectors came at all
        self._dimension = dimension
        self._parts: list[tuple[Ints, Vectors]] = []
        self._stored: StoredVectors | None = None
        self._off = 0.0  # the most by which the length of a vector differs from 1

    def add(self, batch: Batch) -> Ints:
        """Keep a batch, and return the places in it that have a vector with a direction."""
        rows, texts, vectors = batch
        if len(rows) != len(texts) or (vectors is not None and len(vectors) != len(rows)):
            raise InputError(
                "a batch has different numbers of rows, texts and vectors", where="fill"
            )
        self.rows += len(rows)
        if vectors is None:
            return np.empty(0, np.int64)
        if vectors.shape[1:] != (self._dimension,):
            problem = f"vectors have shape {vectors.shape}, expected {self._dimension} dimensions"
            raise InputError(problem, where="fill", hint="use one model for all vectors")
        self._given = True
        places = np.flatnonzero(vectors.any(axis=1))
        self._parts.append((np.asarray(rows, np.int64)[places], vectors[places]))
        return places

    @property
    def stored(self) -> StoredVectors:
        """All vectors, ready to be compared exactly."""
        if self._stored is None:
            rows = np.concatenate([np.empty(0, np.int64), *(part[0] for part in self._parts)])
            none = np.empty((0, self._dimension), np.float32)
            vectors = np.concatenate([none, *(part[1] for part in self._parts)])
            self._parts.clear()
            self._stored = store(pack(vectors, "float32"), rows, "float32")
            self._off = _off(self._stored)
        return self._stored

    def dense(
        self,
        vector: Vectors,
        depth: int,
        near: Callable[[Floats, int], Answered],
        *,
        approximate: bool,
    ) -> FoundRows:
        """Score what ``near`` proposes; unless it is approximate nothing better is left out."""
        if self.rows and not self._given:
            hint = "use search: lexical, or fill the store with vectors"
            raise InputError("the store has no vectors", where="dense search", hint=hint)
        stored = self.stored
        unit = stored.unit(vector)
        if unit is None:
            return nothing("cosine", 1.0)
        # Higham, Accuracy and Stability of Numerical Algorithms (2002), section 3.1: a dot product
        # of n terms is off by at most n u |x| |y|; so are the two lengths that it is divided by.
        # We do not divide by the length of a row, which is nearly 1.
        error = 4 * (stored.dimension + 8) * 2.0**-24 + self._off
        return settled(
            lambda asked: near(unit, asked),
            depth,
            most=len(stored),
            kind="cosine",
            score=lambda rows: stored.cosines(unit, _places(stored, rows)),
            best=1.0,
            error=-np.inf if approximate else error,
        )


def _off(stored: StoredVectors) -> float:
    lengths = (np.sqrt(np.square(block, dtype=np.float64).sum(axis=1)) for block in stored.blocks())
    return max((float(np.abs(some - 1).max(initial=0.0)) for some in lengths), default=0.0)


def _places(stored: StoredVectors, rows: Ints) -> Ints:
    places = stored.positions(rows)
    if (places < 0).any():
        problem = f"the store returned row {int(rows[places < 0][0])}, which was never added"
        hint = "fill the store again, and check that no other program writes to it"
        raise InputError(problem, where="dense search", hint=hint)
    return places


def counted(chunks: Iterable[Batch], doing: str, total: int, track: Track) -> Iterator[Batch]:
    """Pass batches on, and show how many chunks went by."""
    steps = iter(track(range(total), doing, total=total, unit="chunks"))
    for batch in chunks:
        yield batch
        for _ in zip(batch[0], steps, strict=False):
            pass
    for _ in steps:  # whoever shows the progress learns that it ended
        pass


def settled(
    ask: Callable[[int], Answered],
    depth: int,
    *,
    most: int,
    kind: str,
    score: Callable[[Ints], Floats] | None = None,
    best: float | None = None,
    error: float = 0.0,
) -> FoundRows:
    """Ask for more until nothing that was left out can belong to the best ``depth``.

    A store breaks ties as it likes, and rounds: what it leaves out may be better than the last that
    it gave by ``error``. Minus infinity: it is asked for ``depth``, and that is good enough.
    """
    if depth <= 0 or most <= 0:
        return nothing(kind, best)
    asked = depth if error == -np.inf else depth + depth // 4 + 8
    while True:
        rows, given = ask(min(asked, most))
        scores = given if score is None else score(rows)
        found = ranked(rows, scores, kind=kind, best=best, depth=depth)
        if len(rows) < asked or asked >= most or given[-1] + error < found.scores[-1]:
            return found
        asked *= 2
