"""Answers that cannot be scored."""

from collections.abc import Sequence

import numpy as np

from assay.errors import InputError
from assay.records import Floats

__all__ = ["refuse_odd"]


def refuse_odd(documents: Sequence[str], scores: Floats) -> None:
    """Take no answer that cannot be scored: a document twice, or scores that rise or are none."""
    values = np.asarray(scores, np.float64)
    if len(documents) != len(values):
        raise InputError(f"{len(documents)} documents came with {len(values)} scores")
    if not np.isfinite(values).all() or (np.diff(values) > 0).any():
        raise InputError("the scores do not fall from the first document to the last")
    if len(set(documents)) < len(documents):
        raise InputError("a document came twice")
