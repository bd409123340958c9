"""Ids and scores as a system gave them -> a ranking that can be scored."""

import math
from collections.abc import Sequence
from numbers import Integral, Real

import numpy as np

from assay.engines.systems._secret_mask import PLAIN, SecretMask
from assay.errors import InputError
from assay.records import Floats

__all__ = ["document_id", "ranked"]

LONGEST = 1_000  # letters of an id: what is longer is a text


def document_id(value: object, *, place: int, hint: str, show: SecretMask = PLAIN) -> str:
    """Take a text or a whole number for an id; nothing else names a document.

    >>> document_id(7, place=1, hint="")
    '7'
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    if isinstance(value, str) and 0 < len(value) <= LONGEST and _is_written(value):
        return str(value)
    problem = f"result {place} has an invalid document id: {show.value(value)}"
    raise InputError(problem, hint=hint)


def ranked(scores: Sequence[object], *, hint: str, show: SecretMask = PLAIN) -> tuple[Floats, bool]:
    """Return scores that never rise, and whether they had to be replaced because they did.

    Where no result has a score, or scores rise (as distances do), the order counts: -1, -2, ...
    """
    lacking = sum(score is None for score in scores)
    if lacking == len(scores):
        return _by_rank(len(scores)), False
    if lacking:
        raise InputError(f"{lacking} of {len(scores)} results have no score", hint=hint)
    numbers = [_number(score, at, hint, show) for at, score in enumerate(scores, 1)]
    values = np.array(numbers, np.float64)
    if (np.diff(values) > 0).any():
        return _by_rank(len(scores)), True
    return values, False


def _is_written(text: str) -> bool:
    """Tell whether rankings can hold a text: no zero byte, and no half of a character."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _by_rank(count: int) -> Floats:
    return -np.arange(1, count + 1, dtype=np.float64)


def _number(score: object, place: int, hint: str, show: SecretMask) -> float:
    if isinstance(score, Real) and not isinstance(score, bool):
        try:
            value = float(score)
        except OverflowError:
            value = math.inf
        if math.isfinite(value):
            return value
    raise InputError(f"result {place} has an invalid score: {show.value(score)}", hint=hint)
