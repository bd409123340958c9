"""Sizes of files as people write them: 1 MB, 500KB."""

import re

__all__ = ["parse_size", "size_text"]

UNITS = {"": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9}
UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30}
SIZE = re.compile(r"\s*(\d{1,15}(?:\.\d{1,6})?)\s*([a-zA-Z]*)\s*", re.ASCII)


def parse_size(text: str) -> int | None:
    """Return the bytes that a text means; None if it is not a size.

    >>> parse_size("5MB"), parse_size("1.5 KB"), parse_size("2MiB"), parse_size("5 pages")
    (5000000, 1500, 2097152, None)
    """
    found = SIZE.fullmatch(text)
    factor = UNITS.get(found[2].lower()) if found else None
    return None if found is None or factor is None else int(float(found[1]) * factor)


def size_text(size: int) -> str:
    """Write a number of bytes in the largest unit that divides it nearly evenly.

    >>> size_text(1_000_000), size_text(1 << 26), size_text(1_500), size_text(999), size_text(1)
    ('1 MB', '64 MiB', '1.5 KB', '999 bytes', '1 byte')
    """
    for unit, factor in (("GB", 10**9), ("GiB", 2**30), ("MB", 10**6), ("MiB", 2**20)):
        if size >= factor and size % (factor // 10 if unit[1:] == "B" else factor) == 0:
            return f"{size / factor:,.10g} {unit}"
    if size >= 1000 and size % 100 == 0:
        return f"{size / 1000:,.10g} KB"
    return f"{size:,} byte" if size == 1 else f"{size:,} bytes"
