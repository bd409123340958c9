"""Alignment: how near texts lie that belong together (Wang and Isola 2020)."""

import numpy as np

from assay.errors import InputError
from assay.models.quality._shape import checked, quality
from assay.records.health import Reading
from assay.records.model import Vectors

__all__ = ["alignment"]

READING = Reading(
    watch=1.0,
    bad=1.25,
    meaning="Texts that belong together lie as far apart as any two: the model does not see what "
    "they share; take another model, or search by words as well.",
    reason="With MiniLM and static vectors, neighbouring chunks of prose and code have .43 to .71, "
    "and chunks at random 1.29 to 1.61.",
)


@quality(READING)
def alignment(vectors: Vectors, others: Vectors) -> float:
    """Mean of |x - y|^2 over pairs that belong together: 0 if equal, 2 if unrelated.

    >>> alignment(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32))
    0.0
    """
    if np.shape(vectors) != np.shape(others):
        problem = f"{np.shape(vectors)} and {np.shape(others)} are no pairs"
        raise InputError(problem, where="vectors", hint="give a row in both for each pair")
    both = np.any(vectors, axis=1) & np.any(others, axis=1)  # without direction: no distance
    off = checked(vectors[both], least=1) - checked(others[both], least=1)
    return float(np.add.reduce(off * off, axis=1).mean())
