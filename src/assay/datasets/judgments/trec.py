"""TREC qrels: ``query iteration document grade``, split at spaces or tabs."""

from assay.columns import Format, Source, Triples, delimited

__all__ = ["trec"]

LAYOUT = ("query", "iteration", "document", "grade")


def _read(source: Source) -> Triples:
    return delimited(source, LAYOUT, (0, 2, 3))


trec = Format("query iteration document grade", lambda _: True, _read, rank=9)
