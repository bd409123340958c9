"""Which column of a spreadsheet holds what, by its title, however people spell it."""

import csv
import re
from collections.abc import Sequence

from assay.columns.titles import TITLES, plain, plain_titles

__all__ = ["DOCUMENTS", "columns", "separator"]

DOCUMENTS = ("name", "document_id", "uri", "content_hash", "path", "file_name", "symbol")
FIELD_OF = {plain(title): name for name, options in TITLES.items() for title in options}
FIRST = re.compile(r"""(?:"(?:[^"]|"")*+"|[^",;\t]*+)([,;\t])""")


def columns(titles: Sequence[str]) -> dict[int, str]:
    """Return the field of each column whose title is known; the rest are the user's own.

    >>> columns(["Query ID", "Query", "Corpus-ID", "Owner"])
    {0: 'key', 1: 'text', 2: 'document_id'}
    """
    found = {at: FIELD_OF[name] for at, name in enumerate(plain_titles(titles)) if name in FIELD_OF}
    documents = [at for at, name in found.items() if name in DOCUMENTS]
    grades = [at for at, name in found.items() if name == "grade"]
    for at, title in enumerate(plain_titles(titles)):
        if title == "relevant" and len(documents) > 1 and not grades:
            found[at] = "grade"  # 0 or 1, beside a column that names the document
        if title == "score" and len(grades) > 1:
            del found[at]  # of a search, beside the grade
    return found


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
