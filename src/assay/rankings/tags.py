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
        return (f"{len(found):,} tags ({named}), one per query: read as one run",)
    row = int(inside[0])
    problem = f'contains {len(found):,} runs ({named}) for query "{triples.query_of(row)}"'
    hint = (
        "write each run to its own file; if it is one run, give all lines the same tag or remove"
        " the tag column"
    )
    raise InputError(problem, where=triples.place(row), hint=hint)
