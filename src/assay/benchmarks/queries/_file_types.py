"""Names of documents -> the types of their files, as extensions tell them."""

import re
from collections.abc import Iterable, Mapping

__all__ = ["file_type", "file_types_of"]

NO_TYPE = "none"
MOST = 0.5  # share of a corpus's relevant documents that have an extension, if they are files
EXTENSION = re.compile(r"[^./\\]\.([a-z][a-z0-9_+-]{0,9})$", re.IGNORECASE)


def file_type(document: str) -> str:
    """Return the extension in small letters, without its dot; that of a hidden file is none.

    >>> file_type("src/Main.PY"), file_type("Makefile"), file_type(".gitignore")
    ('py', 'none', 'none')
    """
    name = document.partition("?")[0].partition("#")[0] if "://" in document else document
    found = EXTENSION.search(name)
    return found.group(1).lower() if found else NO_TYPE


def file_types_of(relevant: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Name the types of each query's relevant documents, within one corpus.

    Nothing where less than half of all relevant documents have an extension: they are no files,
    and a dot in one of their ids means something else.
    """
    types = {query: [*map(file_type, documents)] for query, documents in relevant.items()}
    every = [one for found in types.values() for one in found]
    if not every or sum(one != NO_TYPE for one in every) < MOST * len(every):
        return {}
    return {query: sorted(set(found)) for query, found in types.items() if found}
