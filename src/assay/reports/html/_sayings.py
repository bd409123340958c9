"""Sayings: sentences in which the names of runs stand out, or are their numbers where long."""

import re
from collections.abc import Callable
from typing import Any

from assay.records import Report

__all__ = ["sayings"]

LONGEST = 28  # letters of a name that a sentence has room for
FEW = 3  # runs whose names are told in full, however long
Part = dict[str, Any]


def sayings(report: Report) -> Callable[[str], list[Part]]:
    """Return what cuts a sentence at the names of runs.

    A name that is a plain word, such as "both", may be just that and stays as it is.
    """
    numbers = {run.name: at for at, run in enumerate(report.runs, 1) if _is_name(run.name)}
    long = [name for name in numbers if len(name) > LONGEST and len(report.runs) > FEW]
    known = "|".join(map(re.escape, sorted(numbers, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w=-])({known})(?![\w=-])") if numbers else None

    def cut(text: str) -> list[Part]:
        parts = pattern.split(text) if pattern else [text]
        return [
            {"text": part, "run": numbers.get(part, 0), "long": part in long}
            for part in parts
            if part
        ]

    return cut


def _is_name(text: str) -> bool:
    return bool(text.strip()) and not text.isalpha()
