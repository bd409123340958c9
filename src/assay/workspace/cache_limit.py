"""How many bytes may be kept for later: as given, ASSAY_CACHE_LIMIT, or five gigabytes."""

import os
import re

from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["cache_limit"]

DEFAULT = 5 * 1000**3
VARIABLE = "ASSAY_CACHE_LIMIT"
UNITS = {"": 1, "b": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
UNITS |= {"ki": 1024, "mi": 1024**2, "gi": 1024**3, "ti": 1024**4}
SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?) ?(bytes|[kmgt]i?b?|b)?", re.IGNORECASE)


def cache_limit(given: str | int | None = None, *, name: str = "limit") -> int:
    """Read a limit in bytes, such as 500MB or 2.5 GiB; ``name`` is what a message calls it.

    >>> cache_limit("500MB"), cache_limit("1.5 KiB"), cache_limit(0)
    (500000000, 1536, 0)
    """
    if given is None:
        name, given = VARIABLE, os.environ.get(VARIABLE, "").strip() or DEFAULT
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return given
    found = SIZE.fullmatch(given.strip()) if isinstance(given, str) else None
    if found is None:
        hint = "expected a size such as 500MB, 5GB or 1.5GiB"
        raise InputError(f"invalid size {quote_value(str(given), 80)}", where=name, hint=hint)
    number, unit = found[1], (found[2] or "").lower().removesuffix("bytes")
    each = UNITS[unit if unit == "b" else unit.removesuffix("b")]
    return int(number) * each if number.isdigit() else int(float(number) * each)
