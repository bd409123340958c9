"""Max: a document is as good as its best chunk."""

from assay.records import Floats, Ints

__all__ = ["best_chunk"]


def best_chunk(scores: Floats, codes: Ints, firsts: Ints) -> Floats:
    """Give each document the score of its first chunk in the ranking."""
    return scores[firsts]
