"""TREC qrels: ``query iteration document grade``; for diversity the second is the subtopic."""

from assay.columns import Format, Source, Triples
from assay.columns.delimited import delimited
from assay.datasets.sheets.columns import refuse_titles
from assay.errors import InputError

__all__ = ["trec"]

LAYOUT = ("query", "iteration", "document", "grade")


def _read(source: Source) -> Triples:
    first = source.first_fields()
    if len(first) == 6 and first[1] == b"Q0":  # its ranks would be taken for grades
        problem = "contains a run (query Q0 document rank score tag), not judgments"
        hint = "give the path of a judgments file (the first argument of `assay eval`)"
        raise InputError(problem, where=source.name, hint=hint)
    refuse_titles(source.head(), where=source.name)
    return delimited(source, LAYOUT, (0, 2, 3), label=1)


trec = Format("TREC qrels: query iteration document grade", lambda _: True, _read, rank=9)
