"""What a run says of its rows besides query, document and score: ranks, and tags of systems."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from assay.columns.blocks.block import Block
from assay.columns.blocks.names import LOW_BYTES, names
from assay.columns.blocks.numbers import numbers
from assay.columns.titles import RANK, TAG, plain_titles
from assay.records import Floats, Ints, Names, encode, join

__all__ = ["SAMPLE", "RunColumns", "ranks_and_tags", "run_columns"]

SAMPLE = 20_000  # first rows whose ranks are read, and all of whose tags are looked at
SHOWN = 200  # letters of a tag in a table
STEP = 25  # further down only every 25th tag is looked at: a second run has more lines than that


def run_columns(titles: Sequence[str]) -> tuple[int | None, int | None]:
    """Return where a table has ranks and tags of runs, by the titles of its columns."""
    clean = plain_titles(titles)
    rank, tag = (
        next((clean.index(one) for one in plain_titles(options) if one in clean), None)
        for options in (RANK, TAG)
    )
    return rank, tag


def ranks_and_tags(
    titles: Sequence[str], column: Callable[[int, int | None], Iterable[object]]
) -> tuple[Floats | None, Names | None]:
    """Read the ranks of the first rows, and the tags if they differ, of a table.

    ``column`` returns so many of the cells of a column, or all.
    """
    rank, tag = run_columns(titles)
    ranks = None if rank is None else np.array([_number(cell) for cell in column(rank, SAMPLE)])
    tags = [] if tag is None else [str(cell)[:SHOWN] for cell in column(tag, None)]
    return ranks, encode(tags) if len(set(tags)) > 1 else None


def _number(cell: object) -> float:
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return float("nan")


class RunColumns:
    """Collects the ranks of the first rows, and tags, which are kept only where they differ."""

    def __init__(self, rank: int | None, tag: int | None) -> None:
        self.columns = tuple(at for at in (rank, tag) if at is not None)
        self._has = rank is not None, tag is not None
        self._rows = 0
        self._ranks: list[Floats] = []
        self._first: bytes | None = None
        self._tags: list[Names | int] = []  # of each block; a number of rows that have the first

    def add(self, block: Block, starts: Sequence[Ints], ends: Sequence[Ints]) -> None:
        """Read the columns of a block, in their order."""
        has_rank, has_tag = self._has
        left = SAMPLE - self._rows
        if has_rank and left > 0:
            self._ranks.append(numbers(block, starts[0][:left], ends[0][:left]))
        if has_tag:
            self._add_tags(block, starts[-1], ends[-1])
        self._rows += len(starts[0]) if starts else 0

    @property
    def ranks(self) -> Floats | None:
        """The ranks of the first rows, NaN where there is none."""
        return np.concatenate(self._ranks) if self._ranks else None

    @property
    def tags(self) -> Names | None:
        """The tag of each row; nothing where all are the same."""
        if all(isinstance(part, int) for part in self._tags):
            return None
        first = np.array([self._first])
        parts = [np.repeat(first, one) if isinstance(one, int) else one for one in self._tags]
        return join(parts)

    def _add_tags(self, block: Block, starts: Ints, ends: Ints) -> None:
        if not len(starts):
            return
        if self._first is None:
            self._first = block.data[starts[0] : ends[0]].tobytes()
        some = slice(None, None, 1 if self._rows < SAMPLE else STEP)
        same = _is_all(block, starts[some], ends[some], self._first)
        self._tags.append(len(starts) if same else names(block, starts, ends))


def _is_all(block: Block, starts: Ints, ends: Ints, tag: bytes) -> bool:
    """Tell whether every field is this one, without a copy of each."""
    if ((ends - starts) != len(tag)).any():
        return False
    last = len(block.data) - 8
    for at in range(0, len(tag), 8):
        part = tag[at : at + 8]
        wanted = np.uint64(int.from_bytes(part, "little"))
        places = np.minimum(starts + at, last) if at else starts
        if ((block.words(places) & LOW_BYTES[len(part)]) != wanted).any():
            return False
    return True
