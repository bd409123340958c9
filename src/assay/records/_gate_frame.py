"""Frame of a gate: a row per check and run."""

from typing import TYPE_CHECKING, Any

from assay.extras import require_extra

if TYPE_CHECKING:
    import polars as pl

    from assay.records.gate import CheckResult, Gate

__all__ = ["frame_of_gate"]

TEXTS = ("run", "metric", "check", "outcome", "reason")
COUNTS = ("queries", "queries_needed")
NUMBERS = (
    *("allowed", "limit", "baseline", "current", "delta", "relative"),
    *("p", "p_corrected"),
)


def frame_of_gate(gate: "Gate") -> "pl.DataFrame":
    """Lay out the results, in the order of the gate."""
    require_extra("frames", "a frame needs the package polars")
    import polars as pl  # costs more than a small evaluation

    kinds: dict[str, Any] = dict.fromkeys(TEXTS[:3], pl.String) | dict.fromkeys(NUMBERS, pl.Float64)
    kinds |= dict.fromkeys(COUNTS, pl.Int64) | dict.fromkeys(TEXTS[3:], pl.String)
    return pl.DataFrame([_row(one) for one in gate.results], schema=kinds)


def _row(one: "CheckResult") -> dict[str, Any]:
    own = ("run", "outcome", "reason", *NUMBERS[1:], *COUNTS)
    told = {name: getattr(one, name) for name in own}
    return told | {
        "metric": one.check.name,
        "check": one.check.kind,
        "allowed": one.check.amount,
    }
