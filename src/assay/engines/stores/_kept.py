"""What a store was filled with, kept beside it: what it finds gets the scores of our own search."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from assay.engines._ranked import nothing, ranked
from assay.engines.dense._stored import Stored, store
from assay.engines.packing import pack
from assay.errors import InputError
from assay.records import Floats, Found, Ints, Track, Vectors

__all__ = ["Ask", "Kept", "counted", "safe", "settled"]

Ask = Callable[[int], tuple[Ints, Floats]]
"""Asks a store for so many rows: they come best first, with the scores that the store gave."""


class Kept:
    """Vectors with a direction, by row, in float32 as they were given, and how many rows came."""

    def __init__(self, dimension: int) -> None:
        self.rows = 0
        self.wanted = False  # whether any vectors came at all
        self._parts: list[tuple[Ints, Vectors]] = []
        self._dimension = dimension

    def add(self, rows: Ints, texts: Sequence[str], vectors: Vectors | None) -> Ints:
        """Keep a batch, and return the places in it that have a vector with a direction."""
        if len(rows) != len(texts) or (vectors is not None and len(vectors) != len(rows)):
            raise InputError(
                "a batch with unequal numbers of rows, texts and vectors", where="fill"
            )
        self.rows += len(rows)
        if vectors is None:
            return np.empty(0, np.int64)
        if vectors.shape[1:] != (self._dimension,):
            problem = f"vectors of shape {vectors.shape} where {self._dimension} values were said"
            raise InputError(problem, where="fill", hint="give one row per text")
        self.wanted = True
        places = np.flatnonzero(np.asarray(vectors).any(axis=1))
        self._parts.append((np.asarray(rows, np.int64)[places], vectors[places]))
        return places

    def stored(self) -> Stored:
        """Return all vectors, ready to be compared exactly."""
        rows = np.concatenate([np.empty(0, np.int64), *(part[0] for part in self._parts)])
        none = np.empty((0, self._dimension), np.float32)
        vectors = np.concatenate([none, *(part[1] for part in self._parts)])
        self._parts.clear()
        return store(pack(vectors, "float32"), rows, "float32")


def counted(
    chunks: Iterable[tuple[Ints, Sequence[str], Vectors | None]],
    doing: str,
    total: int,
    track: Track,
) -> Iterator[tuple[Ints, Sequence[str], Vectors | None]]:
    """Pass batches on, and show how many chunks went by."""
    steps = iter(track(range(total), doing, total=total, unit="chunks"))
    for rows, texts, vectors in chunks:
        yield rows, texts, vectors
        for _ in zip(rows, steps, strict=False):
            pass
    for _ in steps:  # whoever shows the progress learns that it ended
        pass


def safe(text: str) -> str:
    """Replace what UTF-8 cannot hold: halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode("utf-8")


def settled(
    ask: Ask,
    depth: int,
    *,
    most: int,
    kind: str,
    score: Callable[[Ints], Floats] | None = None,
    best: float | None = None,
    slack: float = 0.0,
) -> Found:
    """Ask for more until nothing that was left out can belong to the best ``depth``.

    A store breaks ties as it likes, and rounds: what it leaves out may be as good, within
    ``slack``, as the last that it gave. Minus infinity: what it gives first is good enough.
    """
    if depth <= 0 or most <= 0:
        return nothing(kind, best)
    asked = depth + depth // 4 + 8
    while True:
        rows, given = ask(min(asked, most))
        scores = given if score is None else score(rows)
        found = ranked(rows, scores, kind=kind, best=best, depth=depth)
        if len(rows) < asked or asked >= most or given[-1] + slack < found.scores[-1]:
            return found
        asked *= 2
