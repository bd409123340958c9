"""The values of a field that most queries have: of many values, the others say little."""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["frequent_values"]

SHOWN = 25


def frequent_values(values: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], str]:
    """Return the groups with most queries, in the order given, and how many more there are.

    >>> values = [{"value": number, "queries": -abs(number - 50)} for number in range(100)]
    >>> shown, rest = frequent_values(values)
    >>> shown[0]["value"], shown[-1]["value"], rest
    (38, 62, '75 values with fewer queries')
    """
    if len(values) <= SHOWN:
        return [*values], ""
    largest = sorted(range(len(values)), key=lambda at: -int(values[at]["queries"]))[:SHOWN]
    more = len(values) - SHOWN
    return [values[at] for at in sorted(largest)], f"{more:,} values with fewer queries"
