"""TREC run: ``query Q0 document rank score tag``, split at spaces or tabs."""

import re

from assay.columns import Format, Source, Triples, delimited
from assay.errors import InputError

__all__ = ["trec"]

LAYOUT = ("query", "Q0", "document", "rank", "score", "tag")


def _read(source: Source) -> Triples:
    first = source.first_fields()
    if len(first) == 4 and re.fullmatch(rb"[+-]?\d+", first[3]):
        problem = "is judgments (query iteration document grade), not a run"
        raise InputError(problem, where=source.name, hint="give the run's file")
    return delimited(source, LAYOUT, (0, 2, 4))


trec = Format("query Q0 document rank score tag", lambda _: True, _read, rank=9)
