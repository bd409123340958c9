"""Cheaper: in what a candidate is shown to cost less than the baseline, and nothing dearer."""

from collections.abc import Collection

from assay.records import Run
from assay.verdicts._chosen import between

__all__ = ["cheaper"]

NOISE = 0.01  # of the bytes: an index of the same content differs a little from build to build


def cheaper(baseline: Run, candidate: Run, *, silent: Collection[str] = ()) -> list[str]:
    """Say what costs less; nothing where something else is shown to cost more.

    A p95 is lower only when the whole of its interval lies below that of the baseline, both asked
    as many queries at once; that of too few queries has no upper end, and then a p50 that is higher
    still shows that time is paid. The time of queries that failed, or of no answers (``silent``),
    says nothing.
    """
    signs = [_time(baseline, candidate, silent), _bytes(baseline, candidate)]
    if any(sign > 0 for sign, _ in signs):
        return []
    return [said for sign, said in signs if sign < 0]


def _time(baseline: Run, candidate: Run, silent: Collection[str]) -> tuple[int, str]:
    """Return -1, 0 or 1, as the time is shown to be lower, neither, or higher; and it in words."""
    pair = (baseline, candidate)
    if any(one.errors or one.name in silent for one in pair):
        return 0, ""
    if len({one.latency_ms.get("concurrency", 1) for one in pair}) > 1:
        return 0, ""
    half, most = (_moved(baseline, candidate, name) for name in ("p50", "p95"))
    if half > 0 or not most:
        return max(half, 0), ""
    before, after = (one.latency_ms["p95"] for one in pair)
    return most, f"p95 {after:,.2f} ms against {before:,.2f} ms"


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
    moved = after - before
    sign = 0 if abs(moved) <= NOISE * before else (-1 if moved < 0 else 1)
    return sign, f"{after:,.0f} bytes against {before:,.0f}"
