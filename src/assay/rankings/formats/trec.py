"""TREC run: ``query Q0 document rank score tag``, split at spaces or tabs."""

import re

import numpy as np

from assay.columns import Format, Source, Triples
from assay.columns.blocks.block import Block
from assay.columns.blocks.numbers import numbers
from assay.columns.delimited import delimited
from assay.columns.faults import Faults
from assay.columns.run_columns import RunColumns
from assay.errors import InputError
from assay.records import Bools, Ints

__all__ = ["trec"]

SPACES = "if an id contains a space, use tabs and a header line: query-id<TAB>corpus-id<TAB>score"
LAYOUT = ("query", "Q0", "document", "rank", "score", "tag")


def _read(source: Source) -> Triples:
    first = source.first_fields()
    if len(first) == 4 and re.fullmatch(rb"[+-]?\d+", first[3]):
        problem = "contains judgments (query iteration document grade), not a run"
        raise InputError(problem, where=source.name, hint="give the path of a run file")
    beside = RunColumns(LAYOUT.index("rank"), LAYOUT.index("tag"))
    return delimited(source, LAYOUT, (0, 2, 4), check_extra=_refuse_shifted, beside=beside)


def _refuse_shifted(block: Block, starts: Ints, ends: Ints, lines: Ints, faults: Faults) -> Bools:
    """An id with a space moves what follows: a word for the rank, or the score for the tag."""
    rank, tag = LAYOUT.index("rank"), LAYOUT.index("tag")
    ranks, tags = (numbers(block, starts[:, at], ends[:, at]) for at in (rank, tag))
    odd_rank = ~np.isfinite(ranks) | (np.floor(ranks) != ranks)
    odd = odd_rank | (np.isfinite(tags) & (np.floor(tags) != tags))

    def error(line: int) -> InputError:
        row = int(np.searchsorted(lines, line - block.first_line))
        at = rank if odd_rank[row] else tag
        token = block.token(int(starts[row, at]), int(ends[row, at]))[:40]
        found = f'"{token}" is not a rank' if odd_rank[row] else f'"{token}" is not a tag'
        problem = f"more than {len(LAYOUT)} columns ({' '.join(LAYOUT)}), and {found}"
        return block.refuse(problem, line, SPACES)

    faults.add_all((lines[odd] + block.first_line).tolist(), error)
    return odd  # type: ignore[no-any-return]


trec = Format("TREC run: query Q0 document rank score tag", lambda _: True, _read, rank=9)
