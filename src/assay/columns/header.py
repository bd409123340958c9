"""Which column of a table holds the query, the document and the number, by its title."""

from collections.abc import Sequence

from assay.errors import InputError

__all__ = ["DOCUMENT", "GRADE", "QUERY", "SCORE", "find_columns", "has_header"]

QUERY = ("query_id", "query-id", "query", "qid", "q_id", "topic", "topic_id", "query_key")
DOCUMENT = ("doc_id", "document", "document_id", "corpus-id", "docid", "docno", "doc", "corpus_id")
SCORE = ("score", "similarity", "sim")
GRADE = ("grade", "relevance", "rel", "relevance_grade", "label", "score", "judgment")


def has_header(head: bytes, separator: str) -> bool:
    """Say whether the first line names a query and a document column."""
    line = head.decode("utf-8", "replace").lstrip("\ufeff").partition("\n")[0]
    titles = _clean(line.rstrip("\r").split(separator))
    return bool(set(titles) & set(QUERY)) and bool(set(titles) & set(DOCUMENT))


def find_columns(
    titles: Sequence[str], wanted: Sequence[Sequence[str]], *, where: str
) -> list[int]:
    """Return the position of the first title that fits each wanted column."""
    clean = _clean(titles)
    found = []
    for options in wanted:
        fits = next((option for option in options if option in clean), None)
        if fits is None:
            problem = f"no column is called {' or '.join(options[:3])}"
            hint = f"its columns are: {', '.join(titles)}"
            raise InputError(problem, where=where, hint=hint)
        if clean.count(fits) > 1:
            hint = "keep one of them"
            raise InputError(f'two columns are called "{fits}"', where=where, hint=hint)
        found.append(clean.index(fits))
    return found


def _clean(titles: Sequence[str]) -> list[str]:
    return [title.strip().strip('"').lower() for title in titles]
