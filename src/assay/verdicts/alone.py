"""Alone: the verdict on a run that could be compared with nothing."""

from assay.records import Verdict
from assay.text.quote import quote

__all__ = ["alone"]


def alone(*, baseline: str = "", stopped: bool = False, error: str = "", hint: str = "") -> Verdict:
    """Say why: its ``baseline`` failed, a race ``stopped`` it, or it failed by an ``error``."""
    if baseline:
        reason = f"The baseline {quote(baseline)} failed, so there is no comparison."
        return Verdict("hold", reason, change="A baseline that completes.", rule="no_baseline")
    if stopped:
        reason = "Stopped early by the race; not compared on all queries."
        return Verdict("hold", reason, change="A run without the race.", rule="raced")
    reason = f"Failed: {error.rstrip('.') or 'every query failed'}."
    return Verdict("dont_ship", reason, change=hint or "A run that completes.", rule="failed")
