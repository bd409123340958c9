"""Texts below a title of files: which are names, and which are prose, numbers or verdicts."""

import re
from collections.abc import Sequence

from assay.columns.grade_values import is_verdict

__all__ = [
    *("NUMBERS", "is_id", "is_listing", "is_name", "is_nothing", "is_path", "is_prose"),
    "split_names",
]

ENDING = re.compile(
    r"[^\s.]\.(?:[A-Za-z][A-Za-z0-9]{0,9}|7z)(?:#\S*+|:L?[0-9]++(?:-L?[0-9]++)?+)?\Z"
)
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://\S+")
SEVERAL, COMMAS = re.compile(r"[;|\n]"), re.compile(",")
NUMBERS = re.compile(r"[\s.,:/%+-]*+\d[\d\s.,:/%+-]*+")  # also dates and times
SENTENCE = re.compile(r"[.!?…](?:\s|\Z)|[。！？，、；：]")
# An address of mail or of a whole site says who wrote something, or where.
SITE = re.compile(
    r"[^@\s/]+@[^@\s/]+|[\w.-]+\.(?:com|org|net|edu|gov|info|io|co|ai|eu|uk|de)", re.I
)
SLASHES = ("/", "\\")
IN_IDS = re.compile(r"[_\-#:.@]|\d")
NOTHING = (
    *("none", "n/a", "na", "nan", "null", "nil", "unknown", "tbd"),
    *("?", "-", "--", "–", "—", "."),
)
MOST_WORDS = 15  # of a name with blanks
LONGEST, WORD = 1000, 120  # letters of a path, and of a name that is one word
PROSE = 8  # words that no title of a document has


def is_name(text: str) -> bool:
    """Tell whether a text looks like the name of a document: a path, a URL, or one plain word.

    >>> [is_name(one) for one in ("Rent, and more.md", "docs/a", "setup", "it is so", "42", "N/A")]
    [True, True, True, False, False, False]
    """
    name = text.strip()
    if not name or len(name) > LONGEST or "\n" in name or is_listing(name) or is_nothing(name):
        return False
    if NUMBERS.fullmatch(name) or is_verdict(name):
        return False
    if ENDING.search(name):
        return len(name.split()) <= MOST_WORDS
    if " " in name or "\t" in name:
        return False
    if URL.fullmatch(name):
        return True
    most = LONGEST if any(map(name.count, SLASHES)) else WORD
    return len(name) <= most and not SENTENCE.search(name)


def is_path(text: str) -> bool:
    """Tell whether a text is a name with the ending of a file, or with a folder."""
    return is_name(text) and (bool(ENDING.search(text.strip())) or any(map(text.count, SLASHES)))


def is_id(text: str) -> bool:
    """Tell whether a text looks like the name of a document, and not like a word of an answer.

    >>> [is_id(one) for one in ("setup.md", "docs/a", "D17", "Paris", "web", "yes")]
    [True, True, True, False, False, False]
    """
    name = text.strip()
    if not is_name(name) or SITE.fullmatch(name):
        return False
    return any(map(name.count, SLASHES)) or bool(IN_IDS.search(name))


def is_listing(text: str) -> bool:
    """Tell whether a text is a list as programs write it.

    >>> is_listing("['a.md', 'b.md']"), is_listing("[slug]")
    (True, False)
    """
    name = text.strip()
    return name.startswith("[") and name.endswith("]") and any(map(name.count, "'\","))


def is_nothing(text: str) -> bool:
    """Tell whether a cell stands for no file, such as "none"."""
    return text.strip().casefold() in NOTHING


def is_prose(text: str) -> bool:
    """Tell whether a text is a passage and not the name or the title of a document.

    >>> is_prose("International Organized Crime"), is_prose("It is on the Seine.")
    (False, True)
    """
    name = text.strip()
    if is_name(name):
        return False
    if is_listing(name):
        return True
    return len(name.split()) >= PROSE or ("\n" in name) or (" " in name and bool(_ends(name)))


def _ends(text: str) -> re.Match[str] | None:
    return SENTENCE.search(text[-1:])


def split_names(text: str) -> list[str]:
    """Split a text at semicolons, bars and line ends, or at commas, if all parts are names.

    >>> split_names("a.md; b.md"), split_names("a.md,b.md"), split_names("Rent, and more.md")
    (['a.md', 'b.md'], ['a.md', 'b.md'], ['Rent, and more.md'])
    >>> split_names("https://x.org/a?x=1;y=2|3"), split_names("a;b.md"), split_names("D1|D2")
    (['https://x.org/a?x=1;y=2|3'], ['a;b.md'], ['D1', 'D2'])
    """
    whole = text.strip()
    parts = [one for part in SEVERAL.split(whole) if (one := part.strip())]
    if len(parts) > 1 and _are_names(parts, whole):
        return parts
    listed = [one for part in COMMAS.split(whole) if (one := part.strip())]
    if len(listed) > 1 and "://" not in whole and all(map(is_path, listed)):
        return listed
    return [part for part in (parts[:1] if len(parts) == 1 else [whole]) if part]


def _are_names(parts: Sequence[str], whole: str) -> bool:
    """Tell whether each part names a document: all with an ending or a folder, or none."""
    if "://" in whole:
        return all(map(URL.fullmatch, parts))
    if not all(map(is_name, parts)):
        return False
    return len({is_path(part) for part in parts}) == 1
