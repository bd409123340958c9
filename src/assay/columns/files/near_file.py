"""A name that no file has -> the file that was meant, if one is called nearly so."""

from collections.abc import Sequence

from assay.text.near_miss import near_miss, near_misses

__all__ = ["near_file"]


def near_file(name: str, names: Sequence[str]) -> str:
    """Return the nearest name, or nothing. An ending that many files have makes no two alike.

    >>> near_file("bm25.rum", ["bm25.run", "two.run"]), near_file("nofile.yaml", ["two.yaml"])
    ('bm25.run', '')
    """
    stem = name.partition(".")[0] or name
    near = near_misses(name, names)
    return next((one for one in near if near_miss(one.partition(".")[0] or one, [stem])), "")
