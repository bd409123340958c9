"""How far a text is nested like a program: what a person writes, and not what breaks a parser."""

import re

import numpy as np

from assay.records import Bytes, Ints

__all__ = ["within_depth"]

DEEPEST = 500  # open brackets; the deepest real programs have some fifty
PAIRS = (b"()", b"[]", b"{}")
# The same for the brackets of types, which < and > are only in some places.
TYPES = re.compile(rb"(?:<[\w$.\s]{0,40}){100}")


def within_depth(data: bytes) -> bytes:
    """Cut a text before it is nested beyond reason; nearly always, return the whole.

    When a text ends, tree-sitter goes back over all that is open and takes memory with the square
    of it: 28 KB of noise can take three gigabytes. (So can a chain of thousands of keywords, which
    only a fuzzer writes.) Brackets in strings count like others, which does not matter as long as
    they do not add up to hundreds.
    """
    types = TYPES.search(data)
    if types:
        data = data[: types.start()]
    if max(data.count(pair[:1]) for pair in PAIRS) * len(PAIRS) <= DEEPEST:
        return data
    text = np.frombuffer(data, np.uint8)
    deep = sum((_open(text, *pair) for pair in PAIRS), start=np.zeros(1, np.int64)) > DEEPEST
    return data[: int(deep.argmax())] if deep.any() else data


def _open(text: Bytes, left: int, right: int) -> Ints:
    """Count at each byte the brackets of a kind that are open; one too many closes nothing."""
    balance = np.cumsum((text == left).astype(np.int64) - (text == right))
    return balance - np.minimum(np.minimum.accumulate(balance), 0)
