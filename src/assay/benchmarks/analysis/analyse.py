"""All findings of a report, question by question."""

import math
from collections.abc import Mapping
from typing import Any, Protocol, cast

from assay import catalogue
from assay.benchmarks import analysis as package
from assay.records import Report

__all__ = ["analyse"]


class _Question(Protocol):
    """What a file of this folder offers."""

    def __call__(self, report: Report, *, seed: int) -> object: ...


def analyse(report: Report, *, seed: int = 0) -> dict[str, Any]:
    """Ask each file of this folder; what cannot be said as a number is None."""
    return {
        name: _plain(cast("_Question", catalogue.find(package, name))(report, seed=seed))
        for name in catalogue.files(package)
        if name != "analyse"
    }


def _plain(value: object) -> object:
    """Turn an answer into what JSON holds: no arrays, no infinities."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
