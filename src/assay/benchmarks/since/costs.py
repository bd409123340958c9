"""What a run costs now and did before, and whether the two can be compared at all."""

import math
from collections.abc import Mapping
from typing import Any, Literal

from assay.records import Interval, Report, Run
from assay.records.busy import was_built_busy
from assay.records.costs import COSTS, Cost, cost_of
from assay.records.since import CostChange
from assay.records.times import incomparable

__all__ = ["changed_costs", "changed_environment", "times_are_comparable"]

# What is compared, in the order of tables.
SHOWN = (
    *("latency_p50_ms", "latency_p95_ms", "latency_p99_ms", "index_seconds", "peak_memory_mb"),
    *("index_bytes", "bytes_per_document"),
)
MACHINE = ("cpu", "cores", "platform", "python", "implementation")
OURS = "assay-search"  # its new version is what is measured, not where
NOISE = 0.01  # of the bytes: an index of the same content differs a little from build to build
Shown = Literal["lower", "higher", "same", "unknown", "unlike"]


def changed_environment(before: Report, after: Report) -> dict[str, tuple[Any, Any]]:
    """Tell what differs of the machine, its programs, and the commit that was measured."""
    old, new = before.environment, after.environment
    keys = (*MACHINE, "git_commit")
    found = {key: (old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)}
    versions = (_packages(old), _packages(new))
    for name in dict.fromkeys((*versions[0], *versions[1])):
        pair = (versions[0].get(name), versions[1].get(name))
        if pair[0] != pair[1]:
            found[f"packages.{name}"] = pair
    return found


def _packages(environment: Mapping[str, Any]) -> Mapping[str, Any]:
    found = environment.get("packages")
    return found if isinstance(found, Mapping) else {}


def times_are_comparable(changed: Mapping[str, object]) -> bool:
    """Tell whether nothing differs that times depend on."""
    return not set(changed) - {"git_commit", f"packages.{OURS}"}


def changed_costs(before: Run, after: Run, *, comparable: bool) -> dict[str, CostChange]:
    """Compare each figure that was measured in one of the two."""
    found = {}
    for name in SHOWN:
        cost = COSTS[name]
        values = (cost_of(before, name), cost_of(after, name))
        if values == (None, None):
            continue
        ends = (_interval(before, cost), _interval(after, cost))
        alike = not cost.is_timed or (comparable and _measured_alike(before, after, cost))
        shown = _shown(values, ends, timed=cost.is_timed) if alike else "unlike"
        shown = "same" if values[0] == values[1] else shown
        found[name] = CostChange(*values, shown, *ends)
    return found


def _measured_alike(before: Run, after: Run, cost: Cost) -> bool:
    """Tell whether times can be compared, and whether both indexes used as many cached vectors."""
    pair = (before, after)
    if cost.by == "latency":
        return not incomparable(pair)
    if cost.by == "build" and any(was_built_busy(r.latency_ms, r.indexing) for r in pair):
        return False
    old, new = (one.indexing.get("seconds_complete", True) for one in pair)
    return bool(old == new)


def _shown(
    values: tuple[float | None, float | None],
    ends: tuple[Interval | None, Interval | None],
    *,
    timed: bool,
) -> Shown:
    """Tell what is shown: of times by intervals that lie apart, of bytes as they are counted."""
    before, after = values
    if before is None or after is None:
        return "unlike"
    if not timed:
        moved = after - before
        return "same" if abs(moved) <= NOISE * before else "lower" if moved < 0 else "higher"
    if ends[0] is None or ends[1] is None:
        return "unknown"  # it was measured once
    if ends[1].high < ends[0].low:
        return "lower"
    return "higher" if ends[1].low > ends[0].high else "unknown"


def _interval(run: Run, cost: Cost) -> Interval | None:
    known = getattr(run, cost.part).get("intervals")
    ends = known.get(cost.key) if isinstance(known, Mapping) else None
    if not ends or all(end is None for end in ends):
        return None
    low, high = ends  # None where too few samples were taken for an end
    return Interval(
        -math.inf if low is None else float(low), math.inf if high is None else float(high)
    )
