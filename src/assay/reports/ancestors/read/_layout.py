"""A layout of JSON: the program that it comes from, how it is recognised, and how it is read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.records import Report
from assay.reports.ancestors.read._fields import Fields

__all__ = ["AncestorLayout"]


@dataclass(frozen=True, slots=True)
class AncestorLayout:
    """``is_one`` tells by the keys of an object whether it is a report of this program.

    ``read`` takes one object, or those of a file with several ``reports``.
    """

    name: str
    is_one: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Sequence[Fields]], Report]
