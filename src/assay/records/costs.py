"""What a run costs: each figure by name, where a run has it, and which direction is better."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from assay.records.report import Run

__all__ = ["COSTS", "Cost", "cost_of", "is_minimum"]


@dataclass(frozen=True, slots=True)
class Cost:
    """One figure: the part of a run that has it, and its key there.

    ``by`` is what it depends on: the time of searches, the time of a build, the memory of a build,
    or nothing but the search itself (``exact``).
    """

    part: str
    key: str
    by: Literal["latency", "build", "memory", "exact"]
    higher_is_better: bool = False

    @property
    def is_timed(self) -> bool:
        """Whether it depends on the machine, and on what else that machine does."""
        return self.by != "exact"


COSTS: Mapping[str, Cost] = {
    "latency_mean_ms": Cost("latency_ms", "mean", "latency"),
    "latency_p50_ms": Cost("latency_ms", "p50", "latency"),
    "latency_p95_ms": Cost("latency_ms", "p95", "latency"),
    "latency_p99_ms": Cost("latency_ms", "p99", "latency"),
    "bytes_per_document": Cost("storage", "bytes_per_document", "exact"),
    "index_bytes": Cost("storage", "index_bytes", "exact"),
    "index_seconds": Cost("indexing", "seconds", "build"),
    "files_per_second": Cost("indexing", "files_per_second", "build", higher_is_better=True),
    "tokens_per_second": Cost("indexing", "tokens_per_second", "build", higher_is_better=True),
    "peak_memory_mb": Cost("indexing", "peak_memory_mb", "memory"),
    "errors": Cost("failures", "errors", "exact"),
}


def cost_of(run: "Run", name: str) -> float | None:
    """Return a figure of a run; None where it was not measured."""
    cost = COSTS[name]
    if cost.part == "failures":
        return float(run.errors)
    found: Mapping[str, Any] = getattr(run, cost.part)
    value = found.get(cost.key)
    return float(value) if isinstance(value, int | float) else None


def is_minimum(checked: Mapping[str, Any]) -> bool:
    """Tell whether a budget, as it was checked, is the least that a run must reach.

    Reports from before there were minima do not say: theirs are maxima.

    >>> is_minimum({"budget": 0.6, "direction": "min"}), is_minimum({"budget": 50})
    (True, False)
    """
    return checked.get("direction") == "min"
