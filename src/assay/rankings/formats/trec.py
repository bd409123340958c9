"""TREC run: ``query Q0 document rank score tag``, split at spaces or tabs."""

from assay.columns import Format, Source, Triples, delimited

__all__ = ["trec"]

LAYOUT = ("query", "Q0", "document", "rank", "score", "tag")


def _read(source: Source) -> Triples:
    return delimited(source, LAYOUT, (0, 2, 4))


trec = Format("query Q0 document rank score tag", lambda _: True, _read, rank=9)
