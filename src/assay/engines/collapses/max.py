"""Max: a document has the score of its best chunk."""

from assay.records import Floats, Ints

__all__ = ["best_chunk"]


def best_chunk(scores: Floats, codes: Ints, firsts: Ints) -> Floats:
    """Score of the best chunk of each document."""
    return scores[firsts]
