"""A set of characters in a pattern ([a-z], [!0-9], [[:alpha:]]) -> a regular expression."""

import re
import string
from collections.abc import Iterator

__all__ = ["MEMBER", "regex_of_set"]

PRINTED = {chr(code) for code in range(0x20, 0x7F)}
CLASSES = {  # as git has them: of ASCII alone
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, [*range(0x20), 0x7F])),
    "digit": string.digits,
    "graph": "".join(PRINTED - {" "}),
    "lower": string.ascii_lowercase,
    "print": "".join(PRINTED),
    "punct": string.punctuation,
    "space": " \t\n\r",
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}
ONE = r"(?:\\.|[^\]\\])"
MEMBER = rf"(?>\[:[^\]]*:\]|{ONE}-{ONE}|{ONE})"  # a class, a range, or one character
PART = re.compile(rf"(?<!.)\]-{ONE}|(?<!.)\]|{MEMBER}", re.DOTALL)
BYTES = frozenset(map(chr, range(256)))


def regex_of_set(text: str) -> str:
    r"""Translate what stands between brackets; a slash is never in it.

    >>> regex_of_set("a-c/")
    '[\\x61\\x62\\x63]'
    """
    negated = text.startswith(("!", "^"))
    members = {one for some in _members(text[negated:]) for one in some}
    left = sorted((BYTES - members if negated else members) - {"/"})
    return "[" + "".join(f"\\x{ord(one):02x}" for one in left) + "]" if left else "(?!)"


def _members(text: str) -> Iterator[str]:
    """Yield characters, those of each range and of each class; a class that is none is refused."""
    for part in PART.findall(text):
        if part.startswith("[:") and part.endswith(":]"):
            if part[2:-2] not in CLASSES:
                raise ValueError("no such class")
            yield CLASSES[part[2:-2]]
        else:
            low, high = _ends(part)
            yield "".join(map(chr, range(ord(low), ord(high) + 1)))


def _ends(part: str) -> tuple[str, str]:
    """Return the ends of a range; those of a character are itself."""
    skipped = part.startswith("\\")
    return part[skipped], part[-1]
