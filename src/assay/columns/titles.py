"""Titles of columns, however people spell them -> what the columns hold."""

import re
from collections.abc import Iterable, Sequence

__all__ = [
    *(
        "COUNTS",
        "DOCUMENT",
        "FIELDS",
        "GRADE",
        "ITEMS",
        "KNOWN",
        "QUERY",
        "RANK",
        "SCORE",
        "TAG",
        "TITLES",
    ),
    *("plain", "plain_titles"),
]

# The first title of each is the one that is written.
TITLES: dict[str, tuple[str, ...]] = {
    "key": ("query_id", "query_key", "qid", "q_id", "topic_id", "topic"),
    "text": (
        *("query", "query_text", "question", "search", "text"),
        *("search_term", "search_query", "search_text"),
    ),
    "name": ("document", "doc", "file", "relevant", "expected", "expected_document", "result"),
    "document_id": (
        *("document_id", "doc_id", "docno", "corpus_id", "product_id", "item_id", "sku"),
    ),
    "uri": ("uri", "url", "link"),
    "content_hash": ("content_hash", "sha256", "hash"),
    "path": ("path", "file_path", "expected_file"),
    "file_name": ("file_name",),
    "symbol": ("symbol", "expected_symbol"),
    "match": ("match", "match_mode"),
    "grade": (
        *("grade", "relevance", "relevance_grade", "rel", "rating", "label", "judgment"),
        *("judgement", "judgment_rating", "relevance_label", "relevance_score", "relevance_rating"),
        *("relevancy", "rel_grade", "is_relevant", "score"),
    ),
    "group": ("group",),
    "reason": ("reason", "because", "comment"),
    "lines": ("lines", "line_range"),
    "category": ("category", "type"),
    "difficulty": ("difficulty",),
    "collection": ("collection", "repo", "repository"),
    "weight": ("weight",),
}
COUNTS = ("traffic", "frequency", "count", "impressions", "search_volume")
"""What people call how often a query is asked: its weight, if every query has it."""
QUERY = (*TITLES["key"], *(title for title in TITLES["text"] if title not in ("search", "text")))
DOCUMENT = (*TITLES["document_id"], "document", "doc")
SCORE = ("score", "similarity", "sim")
RANK = ("rank", "position")
TAG = (
    *("system", "system_id", "system_name", "run", "run_id", "run_name", "run_tag", "tag"),
    *("model", "model_name", "method", "config", "configuration", "variant", "experiment"),
)
GRADE = (*TITLES["grade"], "relevant")


def plain(title: str) -> str:
    """Leave only letters and digits of a title.

    >>> plain(" Query-ID "), plain("queryId"), plain("query_id")
    ('queryid', 'queryid', 'queryid')
    """
    return re.sub(r"[\W_]+", "", title.lower())


def plain_titles(titles: Iterable[str]) -> list[str]:
    """Do so with all of them."""
    return [plain(title) for title in titles]


FIELDS = {plain(title): name for name, options in TITLES.items() for title in options}
KNOWN: Sequence[str] = tuple(FIELDS)
ITEMS = frozenset(
    plain(title)
    for titles in (
        *(TITLES[name] for name in ("category", "content_hash", "symbol", "match", "group")),
        *(TITLES["weight"], COUNTS),
    )
    for title in titles
)
"""Titles of what a plain file of judgments has no place for."""
