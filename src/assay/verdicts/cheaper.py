"""Cheaper: in what a run costs materially less than another, with no cost shown to be higher."""

from collections.abc import Collection

from assay.records import Run
from assay.records.times import incomparable
from assay.verdicts._named_run import between

__all__ = ["cheaper"]

SHARE = 0.2  # of the other's cost: less is not worth a change
LEAST_MS = 5.0  # of p95: nobody waits for less
NOISE = 0.01  # of the bytes: an index of the same content differs a little from build to build


def cheaper(baseline: Run, candidate: Run, *, silent: Collection[str] = ()) -> list[str]:
    """Say what costs materially less; nothing where another cost is shown to be higher.

    The p95 must be at least 20 % and 5 ms lower with separate intervals, or the index at least
    20 % smaller. Times count only if both were measured on a quiet machine with as many queries at
    once; the time of queries that failed, or of no answers (``silent``), says nothing. Where p95
    has no upper end (too few queries), a p50 with separate intervals still shows a higher cost.
    """
    found = [_time(baseline, candidate, silent), _bytes(baseline, candidate)]
    if any(sign > 0 for sign, _ in found):
        return []
    return [said for sign, said in found if sign < 0]


def _time(baseline: Run, candidate: Run, silent: Collection[str]) -> tuple[int, str]:
    """Return -1, 0 or 1: materially lower, neither, or shown to be higher; and it in words."""
    pair = (baseline, candidate)
    if any(one.errors or one.name in silent for one in pair) or incomparable(pair):
        return 0, ""
    half, most = (_moved(baseline, candidate, name) for name in ("p50", "p95"))
    if half > 0 or most >= 0:
        return max(half, most, 0), ""
    before, after = (float(one.latency_ms["p95"]) for one in pair)
    material = before - after >= max(SHARE * before, LEAST_MS)
    return -int(material), f"p95 {after:,.1f} ms instead of {before:,.1f} ms"


def _moved(baseline: Run, candidate: Run, percentile: str) -> int:
    """Return -1, 0 or 1, as one interval lies below the other, they meet, or it lies above."""
    theirs, ours = between(baseline, percentile), between(candidate, percentile)
    if theirs is None or ours is None:
        return 0
    return -1 if ours[1] < theirs[0] else int(ours[0] > theirs[1])


def _bytes(baseline: Run, candidate: Run) -> tuple[int, str]:
    """Compare what the indexes need on disk, which is counted, not estimated."""
    before, after = (one.storage.get("index_bytes") for one in (baseline, candidate))
    if before is None or after is None:
        return 0, ""
    higher, lower = after > (1 + NOISE) * before, after <= (1 - SHARE) * before < before
    return int(higher) - int(lower), f"{after:,.0f} bytes instead of {before:,.0f}"
