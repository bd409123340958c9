"""Where each field of each line begins and ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.columns.blocks.block import EXPECTED, LINE_FEED, PAD, Block
from assay.columns.faults import Faults
from assay.errors import InputError
from assay.records import Bools, Ints
from assay.text.count_noun import plural

__all__ = ["CheckExtra", "Fields", "split"]

TAB, RETURN, SPACE, HASH = 9, 13, 32, 35
TRUNCATED = "check the format of the file, and whether the line is truncated"

# Says which of the lines with more columns than expected are at fault, given where their fields
# begin and end, and which lines of the block they are.
CheckExtra = Callable[[Block, Ints, Ints, Ints, Faults], Bools]


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """The wanted fields of the lines that carry data.

    ``lines`` is None when every line of the block does; ``extra`` counts lines with more fields
    than the layout has, ``comments`` those that begin with #.
    """

    starts: tuple[Ints, ...]
    ends: tuple[Ints, ...]
    lines: Ints | None
    skipped: Ints
    extra: int
    comments: int = 0

    def line(self, block: Block, row: int) -> int:
        """Return the line number of a row."""
        return block.first_line + row if self.lines is None else int(self.lines[row])


def split(
    block: Block,
    layout: Sequence[str],
    wanted: Sequence[int],
    *,
    tabs: bool,
    faults: Faults,
    check_extra: CheckExtra | None = None,
    optional: int = 0,
) -> Fields:
    """Find the wanted fields; ``layout`` names all columns, for counting and for messages.

    Lines that lack fields go to ``faults``; the last ``optional`` of the wanted may be empty.
    """
    text = block.text
    breaks = np.flatnonzero((text == TAB) | (text == LINE_FEED) if tabs else text <= SPACE)
    regular = None if tabs else _split_regular(block, breaks, len(layout), wanted)
    if regular is not None:
        return regular
    return _split_any(
        block,
        breaks,
        layout,
        wanted,
        tabs=tabs,
        faults=faults,
        check_extra=check_extra,
        needed=len(wanted) - optional,
    )


def _split_regular(block: Block, breaks: Ints, count: int, wanted: Sequence[int]) -> Fields | None:
    """Take the short way when each line has just the expected single separators."""
    text, lines = block.text, block.line_count
    if len(breaks) != count * lines or text[0] == HASH or breaks[0] == 0:
        return None
    if np.count_nonzero(text < SPACE) != lines + np.count_nonzero(text == TAB):
        return None
    table = breaks.reshape(-1, count)
    line_ends = table[:, -1]
    if not (text[line_ends] == LINE_FEED).all() or (breaks[1:] - breaks[:-1]).min(initial=2) < 2:
        return None
    if (text[line_ends[:-1] + 1] == HASH).any():
        return None
    before = np.concatenate(([-1], line_ends[:-1]))
    starts = tuple((table[:, j - 1] if j else before) + (1 + PAD) for j in wanted)
    ends = tuple(table[:, j] + PAD for j in wanted)
    return Fields(starts, ends, None, np.empty(0, np.int64), 0)


def _split_any(
    block: Block,
    breaks: Ints,
    layout: Sequence[str],
    wanted: Sequence[int],
    *,
    tabs: bool,
    faults: Faults,
    check_extra: CheckExtra | None,
    needed: int,
) -> Fields:
    """Split lines of any shape: runs of separators, comments, empty lines, extra columns."""
    text = block.text
    _refuse_binary(block)
    starts = np.concatenate(([0], breaks[:-1] + 1))
    ends = breaks.copy()
    if tabs:
        ends -= (ends > starts) & (text[ends - 1] == RETURN)
    line_ends = np.flatnonzero(text == LINE_FEED)
    line_of = np.searchsorted(line_ends, starts)
    filled = ends > starts
    if tabs:
        filled = np.ones(len(starts), bool)
        filled[(ends == starts) & (np.bincount(line_of)[line_of] == 1)] = False
    starts, ends, line_of = starts[filled], ends[filled], line_of[filled]
    counts = np.bincount(line_of, minlength=len(line_ends))
    first = np.cumsum(counts) - counts
    data = counts > 0
    filled_lines = int(data.sum())
    data[data] = text[starts[first[data]]] != HASH
    comments = filled_lines - int(data.sum())
    data &= ~_too_short(block, counts, data, layout, faults)
    if tabs:
        at = first[data][:, None] + wanted[:needed]
        data[data] = ~_add_empty(block, ends[at] == starts[at], data, faults)
    long = np.flatnonzero(data & (counts > len(layout)))
    if check_extra is not None and len(long):
        at = first[long][:, None] + np.arange(len(layout))
        data[long] = ~check_extra(block, starts[at] + PAD, ends[at] + PAD, long, faults)
    rows = first[data]
    lines = np.flatnonzero(data) + block.first_line
    return Fields(
        tuple(starts[rows + j] + PAD for j in wanted),
        tuple(ends[rows + j] + PAD for j in wanted),
        None if data.all() else lines,
        np.flatnonzero(~data) + block.first_line,
        len(long),
        comments,
    )


def _refuse_binary(block: Block) -> None:
    text = block.text
    odd = (text < SPACE) & (text != TAB) & (text != LINE_FEED) & (text != RETURN)
    if not odd.any():
        return _refuse_returns(block)
    line = block.first_line + int((text[: odd.argmax()] == LINE_FEED).sum())
    raise block.refuse("contains binary data", line, EXPECTED)


def _refuse_returns(block: Block) -> None:
    """A carriage return inside a line is a line end of old, which would join two lines."""
    text = block.text
    alone = np.flatnonzero(text == RETURN)
    alone = alone[(text[alone + 1] != LINE_FEED) & (text[alone + 1] != RETURN)]
    if not len(alone):
        return
    line = block.first_line + int((text[: alone[0]] == LINE_FEED).sum())
    hint = r"convert the line endings, e.g. tr '\r' '\n' < OLD > NEW"
    raise block.refuse("carriage return inside a line", line, hint)


def _too_short(
    block: Block, counts: Ints, data: Bools, layout: Sequence[str], faults: Faults
) -> Bools:
    """Find the lines that lack columns; a first line of another format ends the reading."""
    short = data & (counts < len(layout))
    if not short.any():
        return short

    def error(line: int, hint: str = TRUNCATED) -> InputError:
        count = counts[line - block.first_line]
        found = f"{count} {plural(count, 'column')}"
        problem = f"found {found}, expected {len(layout)} ({' '.join(layout)})"
        return block.refuse(problem, line, hint)

    at = int(short.argmax())
    if block.first_line == 1 and at == data.argmax():
        hint = _other_format(block, at, counts[at], "grade" if "grade" in layout else "score")
        if hint:
            raise error(1 + at, hint)
    faults.add_all((np.flatnonzero(short) + block.first_line).tolist(), error)
    return short


def _other_format(block: Block, line: int, count: int, value: str) -> str:
    """Say what the first line of another format lacks."""
    text = block.text.tobytes().split(b"\n", line + 1)[line]
    if text.count(b";") >= 2 or text.count(b",") >= 2:
        return f"a file with commas or semicolons needs a header line: query_id,document_id,{value}"
    if count == 3:
        return "a file with three columns needs a header line: query-id<TAB>corpus-id<TAB>score"
    return ""


def _add_empty(block: Block, empty: Bools, data: Bools, faults: Faults) -> Bools:
    """Find the rows with an empty field."""
    odd: Bools = np.asarray(empty.any(axis=1))
    lines = np.flatnonzero(data)[odd] + block.first_line
    hint = "fill in the field or remove the line"
    faults.add_all(lines.tolist(), lambda line: block.refuse("empty field", line, hint))
    return odd
