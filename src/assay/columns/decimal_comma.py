"""A number with a decimal comma, as many countries write it -> what to write instead."""

import re

__all__ = ["DECIMAL_POINT", "has_decimal_comma"]

DECIMAL_POINT = "write decimals with a point, e.g. 0.5"
NUMBER = re.compile(r"[+-]?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?")


def has_decimal_comma(value: object) -> bool:
    """Tell whether a value is a number with a decimal comma.

    >>> has_decimal_comma("0,5"), has_decimal_comma("1,23E+11"), has_decimal_comma("d1,d2")
    (True, True, False)
    """
    return isinstance(value, str) and bool(NUMBER.fullmatch(value.strip()))
