"""A name that no file has -> the file that was meant, if one is called nearly so."""

from collections.abc import Sequence

from assay.text.near_miss import near_misses

__all__ = ["near_file"]

ALIKE = 0.6  # share of letters in common, as difflib counts it


def near_file(name: str, names: Sequence[str]) -> str:
    """Return the nearest name, or nothing. An ending that many files have makes no two alike.

    >>> near_file("bm25.rum", ["bm25.run", "two.run"]), near_file("nofile.yaml", ["two.yaml"])
    ('bm25.run', '')
    """
    import difflib  # only a wrong path needs it

    for close in near_misses(name, names, alike=ALIKE):
        stems = name.partition(".")[0] or name, close.partition(".")[0] or close
        if difflib.SequenceMatcher(None, *stems).ratio() >= ALIKE:
            return close
    return ""
