"""Ratings, which may have decimals -> whole grades."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

__all__ = ["MOST", "factor_of", "number"]

MOST = 1000  # of a grade
FACTORS = (1, 10, 100, 1000)
LONGEST = 30  # characters of a rating, which bounds its digits


def number(rating: object) -> Decimal | None:
    """Return a rating as a number, or None if it is none or out of range.

    >>> number("0.70"), number(3), number("high"), number(True)
    (Decimal('0.70'), Decimal('3'), None, None)
    """
    if isinstance(rating, bool) or not isinstance(rating, int | float | str):
        return None
    text = str(rating).strip()
    if len(text) > LONGEST or "_" in text:
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() and abs(found) <= MOST else None


def factor_of(ratings: Sequence[Decimal]) -> int:
    """Return the power of ten that makes all of them whole grades, or 0 if none does.

    A factor leaves linear nDCG and every metric of relevant or not as it is.

    >>> [factor_of([Decimal(one)]) for one in ("0.75", "3", "0.3333")]
    [100, 1, 0]
    """
    for factor in FACTORS:
        scaled = [rating * factor for rating in ratings]
        if all(one == one.to_integral_value() and abs(one) <= MOST for one in scaled):
            return factor
    return 0
