"""Front matter: the fields that a Markdown file begins with, in YAML between two lines of ---."""

import re
from typing import Any

from assay.columns.documents.strict_yaml import strict_yaml
from assay.corpora.text.encoding import HEAD
from assay.errors import AssayError
from assay.records.metadata import bounded_metadata

__all__ = ["front_matter"]

BLOCK = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*$", re.S | re.M)


def front_matter(data: bytes) -> dict[str, Any]:
    r"""Return the fields of a Markdown file; none if it has none, or none that can be read.

    It stays part of the text, so that lines are counted from the beginning of the file.

    >>> front_matter(b"---\nlanguage: de\ntags: [a, b]\n---\n# Title\n")
    {'language': 'de', 'tags': ['a', 'b']}
    """
    found = BLOCK.match(data[:HEAD].replace(b"\r\n", b"\n"))
    if found is None:
        return {}
    try:
        return bounded_metadata(strict_yaml(found[1], where="front matter").value)
    except AssayError:
        return {}
