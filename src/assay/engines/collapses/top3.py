"""Top 3: a document is as good as its three best chunks are on average."""

import numpy as np

from assay.records import Floats, Ints

__all__ = ["mean_of_three"]


def mean_of_three(scores: Floats, codes: Ints, firsts: Ints) -> Floats:
    """Average each document's three best chunks; of fewer than three, those that were found.

    Dividing by three throughout would make every short document a bad one.
    """
    order = np.argsort(codes, kind="stable")  # chunks of a document together, best first
    starts = np.searchsorted(codes[order], np.arange(len(firsts)))
    among = np.arange(len(codes)) - starts[codes[order]]
    kept = order[among < 3]
    counts = np.bincount(codes[kept], minlength=len(firsts))
    means: Floats = np.bincount(codes[kept], weights=scores[kept], minlength=len(firsts)) / counts
    return means
