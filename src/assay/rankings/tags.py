"""Several tags in one run file -> a refusal, or a note where each query has its own."""

import numpy as np

from assay.columns import Triples
from assay.errors import InputError
from assay.text.join_list import first_few

__all__ = ["check_tags"]

NAMED = 5  # tags that a message names
SHOWN = 40  # letters of each


def check_tags(triples: Triples) -> tuple[str, ...]:
    """Refuse rows of several runs that answer one query: they would be merged into one ranking."""
    tags = triples.labels
    if tags is None:
        return ()
    found = [name.decode() or '""' for name in dict.fromkeys(tags.tolist())]
    named = first_few([name[:SHOWN] for name in found], NAMED)
    changes = np.flatnonzero(tags[1:] != tags[:-1]) + 1
    inside = np.setdiff1d(changes, triples.offsets)
    if not len(inside):
        what = f"its {len(found):,} tags name one run for each query ({named})"
        return (f"{what}: they are taken for one run",)
    row = int(inside[0])
    problem = f'holds {len(found):,} runs ({named}): query "{triples.query_of(row)}" has several'
    hint = (
        "write each run into a file of its own; if it is one run, give all lines one tag, or remove"
        " the column from a table"
    )
    raise InputError(problem, where=triples.place(row), hint=hint)
