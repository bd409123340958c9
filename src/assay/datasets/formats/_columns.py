"""Which column of a spreadsheet holds what, by its title, however people spell it."""

import csv
import re
from collections.abc import Sequence

__all__ = ["DOCUMENTS", "TITLES", "columns", "separator"]

# The first title of each is the one that is written.
TITLES: dict[str, tuple[str, ...]] = {
    "key": ("query_id", "query_key", "qid", "q_id", "topic_id", "topic"),
    "text": ("query", "query_text", "question", "search", "text"),
    "name": ("document", "doc", "file", "relevant", "expected", "expected_document", "result"),
    "document_id": ("document_id", "doc_id", "docid", "docno", "corpus_id"),
    "uri": ("uri", "url", "link"),
    "content_hash": ("content_hash", "sha256", "hash"),
    "path": ("path", "file_path", "expected_file", "filepath"),
    "file_name": ("file_name", "filename"),
    "symbol": ("symbol", "expected_symbol"),
    "match": ("match", "match_mode"),
    "grade": ("grade", "relevance", "relevance_grade", "rel", "label", "score", "judgment"),
    "group": ("group",),
    "reason": ("reason", "because", "comment"),
    "lines": ("lines", "line_range"),
    "category": ("category", "type"),
    "difficulty": ("difficulty",),
    "collection": ("collection", "repo", "repository"),
}
DOCUMENTS = ("name", "document_id", "uri", "content_hash", "path", "file_name", "symbol")
FIRST = re.compile(r"""(?:"(?:[^"]|"")*+"|[^",;\t]*+)([,;\t])""")


def columns(titles: Sequence[str]) -> dict[int, str]:
    """Return the field of each column whose title is known; the rest are the user's own.

    >>> columns(["Query ID", "Query", "Corpus-ID", "Owner"])
    {0: 'key', 1: 'text', 2: 'document_id'}
    """
    plain = [re.sub(r"[\s-]+", "_", title.strip().lower()) for title in titles]
    return {
        at: name
        for at, title in enumerate(plain)
        for name, options in TITLES.items()
        if title in options
    }


def separator(line: str) -> str:
    """Return what parts the titles of a line, if they name a query and a document; else nothing."""
    found = FIRST.match(line)
    if not found:
        return ""
    try:
        titles = next(csv.reader([line], delimiter=found[1]), [])
    except csv.Error:
        return ""
    names = set(columns(titles).values())
    fits = not names.isdisjoint(("key", "text")) and not names.isdisjoint(DOCUMENTS)
    return found[1] if fits else ""
