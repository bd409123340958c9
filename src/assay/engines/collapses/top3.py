"""Top 3: a document has the mean score of its three best chunks."""

import numpy as np

from assay.records import Floats, Ints

__all__ = ["mean_of_three"]


def mean_of_three(scores: Floats, codes: Ints, firsts: Ints) -> Floats:
    """Mean of the three best chunks of each document, or of fewer if fewer were retrieved.

    Always dividing by three would penalize short documents.
    """
    order = np.argsort(codes, kind="stable")  # chunks of a document together, best first
    starts = np.searchsorted(codes[order], np.arange(len(firsts)))
    among = np.arange(len(codes)) - starts[codes[order]]
    kept = order[among < 3]
    counts = np.bincount(codes[kept], minlength=len(firsts))
    means: Floats = np.bincount(codes[kept], weights=scores[kept], minlength=len(firsts)) / counts
    return means
