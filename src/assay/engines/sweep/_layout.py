"""Which chunk is scored in which cell: one line of cells per query."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from assay.records import Bools, Ints

__all__ = ["Layout", "Lines", "lay_out_chunks", "lay_out_documents"]

_LARGEST = np.iinfo(np.int64).max
_T = TypeVar("_T", bound=np.generic)


class Lines:
    """The lines of a matrix that use as many cells from the left as ``counts`` says."""

    def __init__(self, counts: Ints, width: int) -> None:
        self.counts = counts
        self.used: Bools = np.arange(width) < counts[:, None]
        self.offsets: Ints = np.concatenate([[0], np.cumsum(counts)])
        self._cut: tuple[int, Lines] | None = None

    @property
    def width(self) -> int:
        """How many cells the matrix has in each line."""
        return int(self.used.shape[1])

    @property
    def bits(self) -> int:
        """The last bits of an integer, as many as the number of a cell needs."""
        return (1 << max(0, self.used.size - 1).bit_length()) - 1

    @cached_property
    def codes(self) -> Ints:
        """The number of each cell; of one that holds nothing, behind the largest first bits."""
        cells = np.arange(self.used.size).reshape(self.used.shape)
        return np.where(self.used, cells, cells | (_LARGEST & ~self.bits))

    @cached_property
    def long(self) -> Ints:
        """The lines that use more cells than ``short``."""
        return np.flatnonzero(self.counts > self.short)

    @property
    def short(self) -> int:
        """The largest power of two below the width."""
        return 1 << max(0, self.width - 1).bit_length() >> 1

    @cached_property
    def continues(self) -> Bools:
        """Tell of each cell but the last whether its line uses the next one, too."""
        following = self.used.copy()
        following[:, :1] = False
        return following.ravel()[1:]

    def flat(self, matrix: npt.NDArray[_T]) -> npt.NDArray[_T]:
        """Return what these lines use of a matrix that may be wider, one line after the other."""
        part = matrix[:, : self.width]
        return part.ravel() if self.offsets[-1] == part.size else part[self.used]

    def first(self, most: int) -> "Lines":
        """Cut the lines that use more cells; the last cut is cached."""
        if self._cut is None or self._cut[0] != most:
            self._cut = (most, Lines(np.minimum(self.counts, most), min(self.width, most)))
        return self._cut[1]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The place of each cell's chunk in a view, and the chunk's row.

    The first cells are a matrix of lines. They hold what is ranked, by rising row: chunks, or the
    first chunk of each document. All second chunks of documents follow, then all third ones, and so
    on; ``layers`` tells where. ``several`` has the cells of the documents that these belong to, in
    the same order: those with most chunks first.
    """

    lines: Lines
    places: Ints
    rows: Ints
    several: Ints
    layers: Sequence[slice]


def lay_out_chunks(counts: Ints, rows: Ints) -> Layout:
    """Rank chunks, which stay where they are."""
    lines = Lines(counts, rows.shape[1])
    return Layout(lines, np.arange(rows.size), rows.ravel(), np.empty(0, np.int64), ())


def lay_out_documents(chunks: Layout, documents: Ints) -> Layout:
    """Rank documents, whose chunks must be neighbours, by their best chunk."""
    used = np.flatnonzero(chunks.lines.used)
    firsts = np.flatnonzero(np.diff(documents.ravel()[used], prepend=-1))
    starts, sizes = used[firsts], np.diff(np.append(firsts, len(used)))
    counts = np.bincount(starts // max(1, chunks.lines.width), minlength=len(chunks.lines.counts))
    lines = Lines(counts, int(counts.max(initial=0)))
    matrix = np.zeros(lines.used.shape, np.int64)
    matrix[lines.used] = starts
    longest = np.argsort(-sizes, kind="stable")
    # How many documents have a second chunk, a third one, and so on.
    heights = np.searchsorted(-sizes[longest], -np.arange(1, sizes.max(initial=1))).tolist()
    others = [starts[longest[:height]] + at for at, height in enumerate(heights, 1)]
    places: Ints = np.concatenate([matrix.ravel(), *others])
    several: Ints = np.flatnonzero(lines.used)[longest[: max(heights, default=0)]]
    ends = np.cumsum([matrix.size, *heights]).tolist()
    layers = [slice(*span) for span in pairwise(ends)]
    return Layout(lines, places, chunks.rows[places], several, layers)
