"""Conjugate gradient: many systems with one matrix, solved side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.records import Floats

__all__ = ["Solution", "conjugate_gradient"]

# A column that is next to nothing is measured against the largest one: relative to itself, only
# the rounding of its cancelled terms would be measured.
SMALLEST = 1e-9
NUMBERS = 40_000  # that one block of columns has


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
    All columns take as many steps as the last one needs, however they are split into blocks.
    """
    sizes = np.sqrt(_dot(right, right))
    known = sizes > 0
    sizes = np.where(known, np.maximum(sizes, SMALLEST * sizes.max(initial=0.0)), 1.0)
    blocks = [
        _Block(matrix, right[:, at], start[:, at] * known[at], sizes[at])
        for at in _columns(*right.shape)
    ]
    for block in blocks:
        while block.residual > tolerance and block.done < cap:
            block.step()
    steps = max((block.done for block in blocks), default=0)
    while (residual := _after(blocks, steps)) > tolerance and steps < cap:
        steps += 1  # a column that was near enough has moved away again
    values = np.concatenate([start[:, :0], *(block.values for block in blocks)], axis=1)
    return Solution(values, steps, residual)


class _Block:
    """Some columns on their way: where they are, what is left to do, and where they go next."""

    def __init__(self, matrix: Any, right: Floats, start: Floats, sizes: Floats) -> None:  # noqa: ANN401
        self.values, self.done = start, 0
        self._matrix, self._sizes = matrix, sizes
        self._inverse = 1 / matrix.diagonal()[:, None]
        self._rest = right - matrix @ start
        self._towards = self._inverse * self._rest
        self._steep = _dot(self._rest, self._towards)
        self.residual = self._residual()

    def step(self) -> None:
        """Take one step in each column."""
        moved = self._matrix @ self._towards
        step = _divide(self._steep, _dot(self._towards, moved))
        self.values += step * self._towards
        self._rest -= step * moved
        scaled = self._inverse * self._rest
        steeper = _dot(self._rest, scaled)
        self._towards *= _divide(steeper, self._steep)
        self._towards += scaled
        self._steep, self.done = steeper, self.done + 1
        self.residual = self._residual()

    def _residual(self) -> float:
        return float(np.max(np.sqrt(_dot(self._rest, self._rest)) / self._sizes, initial=0.0))


def _columns(rows: int, columns: int) -> Iterator[slice]:
    """Split columns so that what is iterated on stays in the memory next to the processor."""
    width = max(NUMBERS // max(rows, 1), 1)
    yield from (slice(at, at + width) for at in range(0, columns, width))


def _after(blocks: Sequence[_Block], steps: int) -> float:
    """Bring all blocks to as many steps, and tell the largest residual."""
    for block in blocks:
        while block.done < steps:
            block.step()
    return max((block.residual for block in blocks), default=0.0)


def _dot(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->j", left, right))


def _divide(over: Floats, under: Floats) -> Floats:
    """Divide; a column that is solved already moves no more."""
    return np.divide(over, under, out=np.zeros_like(over), where=under > 0)
