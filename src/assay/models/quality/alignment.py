"""Alignment: the distance of related texts (Wang and Isola 2020)."""

import numpy as np

from assay.errors import InputError
from assay.models.quality._shape import checked, quality
from assay.records.arrays import Floats
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["alignment"]

READING = Reading(
    watch=0.85,  # as shares of what partners at random have: see ``at_random``
    bad=0.95,
    meaning="Related texts are as far apart as random pairs: the model does not "
    "capture what they share. Use another model, or hybrid search.",
    reason="For minilm and static, this distance is 0.67 to 0.78 of the distance of random pairs "
    "between queries and relevant documents, and 0.30 to 0.50 between neighbouring chunks.",
)


@quality(READING)
def alignment(vectors: Vectors, others: Vectors) -> float:
    """Mean squared distance of related pairs: 0 if identical, 2 if as far apart as unrelated texts.

    >>> alignment(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32))
    0.0
    """
    one, other = _pairs(vectors, others)
    off = one - other
    return float(np.add.reduce(off * off, axis=1).mean())


def at_random(vectors: Vectors, others: Vectors) -> float:
    """Mean of |x - y|^2 where each may have any partner: what alignment is to be compared with."""
    one, other = _pairs(vectors, others)
    return float(2.0 - 2.0 * (one.mean(axis=0) @ other.mean(axis=0)))  # of length 1, all of them


def _pairs(vectors: Vectors, others: Vectors) -> tuple[Floats, Floats]:
    if np.ndim(vectors) != 2 or np.shape(vectors) != np.shape(others):
        problem = f"shapes {np.shape(vectors)} and {np.shape(others)} do not form pairs"
        raise InputError(problem, where="vectors", hint="pass one row in each array per pair")
    both = np.any(vectors, axis=1) & np.any(others, axis=1)  # without direction: no distance
    return checked(vectors[both], least=1), checked(others[both], least=1)
