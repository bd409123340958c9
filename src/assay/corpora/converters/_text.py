"""Text that a library gave, as documents have it; and how much of it there may be."""

import re
from collections.abc import Iterable, Iterator

from assay.corpora.converters._shape import UnreadableError

__all__ = ["clean", "limited"]

MOST = 64 << 20  # characters of a file: a small one can hold endless text
BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\ufffe\uffff\ud800-\udfff]")
BLANKS = re.compile(r"[ \t]+$", re.MULTILINE)
EMPTY = re.compile(r"\n{3,}")


def clean(text: str) -> str:
    r"""Leave out what is no text: control characters, soft hyphens, blanks at the ends of lines.

    >>> clean("one\x00  \r\n\r\n\r\n\r\nsoft\xad\x0chyphen ")
    'one\n\nsoft\nhyphen'
    """
    text = UNSEEN.sub("", BREAKS.sub("\n", text))
    return EMPTY.sub("\n\n", BLANKS.sub("", text)).strip("\n")


def limited(pages: Iterable[str]) -> Iterator[str]:
    """Yield pages until they have more text than any document."""
    left = MOST
    for page in pages:
        left -= len(page)
        if left < 0:
            raise UnreadableError("too_long")
        yield page
