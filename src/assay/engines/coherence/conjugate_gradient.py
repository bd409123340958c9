"""Conjugate gradient: many systems with one matrix, solved side by side."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.records import Floats

__all__ = ["Solution", "conjugate_gradient"]

# A column that is next to nothing is measured against the largest one: relative to itself, only
# the rounding of its cancelled terms would be measured.
SMALLEST = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What solves the systems; ``residual`` is the largest of the columns' relative residuals."""

    values: Floats
    iterations: int
    residual: float


def conjugate_gradient(
    matrix: Any,  # noqa: ANN401 - scipy's matrices have no types
    right: Floats,
    start: Floats,
    *,
    tolerance: float,
    cap: int,
) -> Solution:
    """Solve ``matrix`` Q = ``right``, each column with its own step, until the last is near enough.

    The preconditioner is Jacobi's: the diagonal. Saad, Iterative Methods for Sparse Linear Systems
    (2003), algorithm 9.1. A column with nothing on its right side is zero, and is not iterated.
    """
    sizes = np.sqrt(_dot(right, right))
    values = start * (sizes > 0)
    sizes = np.where(sizes > 0, np.maximum(sizes, SMALLEST * sizes.max(initial=0.0)), 1.0)
    inverse = 1 / matrix.diagonal()[:, None]
    rest = right - matrix @ values
    towards = inverse * rest
    steep, done = _dot(rest, towards), 0
    while (residual := _largest(rest, sizes)) > tolerance and done < cap:
        moved = matrix @ towards
        step = _divide(steep, _dot(towards, moved))
        values += step * towards
        rest -= step * moved
        scaled = inverse * rest
        steeper = _dot(rest, scaled)
        towards *= _divide(steeper, steep)
        towards += scaled
        steep, done = steeper, done + 1
    return Solution(values, done, residual)


def _dot(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->j", left, right))


def _largest(rest: Floats, sizes: Floats) -> float:
    return float(np.max(np.sqrt(_dot(rest, rest)) / sizes, initial=0.0))


def _divide(over: Floats, under: Floats) -> Floats:
    """Divide; a column that is solved already moves no more."""
    return np.divide(over, under, out=np.zeros_like(over), where=under > 0)
