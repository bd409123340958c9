r"""Texts and JSON as both databases take them, so that each comes back exactly as it was.

PostgreSQL stores no NUL, and neither database half of a surrogate pair: they are written as
`\u0000`, and a backslash as two. What is stored stays readable, and no two texts become one.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from assay.errors import InputError
from assay.text.quote import quote, quote_value

__all__ = ["ANY", "from_column", "hash_texts", "label", "no_json", "to_column", "to_json"]

LONGEST = 200  # characters of a name: PostgreSQL refuses longer ones in an index
ANY = 1_000_000  # characters of a text that no index holds
_ODD = re.compile("[\\\\\0\ud800-\udfff]")
_SPELLED = re.compile(r"\\(\\|u[0-9a-f]{4})")


def to_column(text: str) -> str:
    r"""Write a text so that every database takes it.

    >>> to_column("a\0b"), from_column(to_column("\\u0000 \ud800"))
    ('a\\u0000b', '\\u0000 \ud800')
    """
    return _ODD.sub(_spelled, text)


def from_column(stored: str) -> str:
    """Return the text that was written."""
    return _SPELLED.sub(_read, stored) if "\\" in stored else stored


def label(text: object, what: str, *, required: bool = True, longest: int = LONGEST) -> str:
    """Check a name that a person gives, and write it for a column."""
    if not isinstance(text, str):
        raise InputError(f"invalid value {quote_value(text)}", where=what, hint="expected a string")
    if required and not text.strip():
        raise InputError("is empty", where=what, hint="expected a text that is not blank")
    if len(text) > longest:
        problem = f"{quote(text[:20])}... is too long ({len(text):,} characters)"
        raise InputError(problem, where=what, hint=f"use at most {longest:,} characters")
    return to_column(text)


def to_json(value: Mapping[str, Any], what: str) -> str:
    """Write JSON that comes back equal; what would come back as something else is refused."""
    try:
        text = json.dumps(dict(value), separators=(",", ":"), allow_nan=False)
        same = json.loads(text) == value
    except (TypeError, ValueError, RecursionError) as error:
        raise no_json(what, str(error)) from None
    if not same:
        raise no_json(what, "a value would change")
    return text


def hash_texts(*texts: str) -> bytes:
    """Name texts by their content: an index holds names of one length, however long texts are."""
    data = json.dumps(texts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return sha256(data).digest()


def no_json(what: str, reason: str) -> InputError:
    """Say that a value is none that JSON holds."""
    hint = "use strings as keys, and strings, finite numbers, booleans, null, lists or objects"
    return InputError(f"cannot be stored as JSON ({reason})", where=what, hint=hint)


def _spelled(found: re.Match[str]) -> str:
    return "\\\\" if found[0] == "\\" else f"\\u{ord(found[0]):04x}"


def _read(found: re.Match[str]) -> str:
    return "\\" if found[1] == "\\" else chr(int(found[1][1:], 16))
