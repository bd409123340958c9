"""A run that is recommended for a question: by what, why, and how sure that is."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

from assay.records import Run
from assay.text.join_list import join_names
from assay.text.quote import quote
from assay.verdicts.margin import SAME

__all__ = [
    "BYTES",
    "LATENCY",
    "Alike",
    "between",
    "by_bytes",
    "by_latency",
    "by_score",
    "highest",
    "latency",
    "named_run",
    "size",
    "unsure",
]

LATENCY = "latency_p50_ms"
BYTES = "bytes_per_document"
Ends = Sequence[float] | None

# A metric and the names of runs -> those that are not significantly different from the best.
Alike = Callable[[str, Sequence[str]], Collection[str]]


def latency(run: Run) -> float:
    """Return the median time of a search."""
    return float(run.latency_ms["p50"])


def size(run: Run) -> float | None:
    """Return the bytes per document, None where nobody counted them."""
    counted = run.storage.get(BYTES)
    return None if counted is None else float(counted)


def highest(runs: Sequence[Run], metric: str) -> list[Run]:
    """Return the runs with the highest score, in their order, whatever rounding did to it."""
    top = max(run.scores[metric] for run in runs)
    return [run for run in runs if top - run.scores[metric] <= SAME]


def named_run(
    run: Run, by: str, value: float, reason: str, uncertainty: dict[str, Any]
) -> dict[str, Any]:
    """Lay out an answer."""
    told = {"run": run.name, "by": by, "value": value}
    return told | {"reason": reason, "uncertainty": uncertainty}


def unsure(
    interval: Ends, next_: Run | None, *, told_apart: bool | None, what: str
) -> dict[str, Any]:
    """Tell the interval of what it was chosen by, the next, and whether that differs (if known)."""
    if next_ is None:
        said = "no other run"
    elif told_apart is None:
        said = f"significance of the difference to {quote(next_.name)} is not known"
    else:
        which = "significantly" if told_apart else "not significantly"
        said = f"{quote(next_.name)}, the runner-up, is {which} different in {what}"
    known = interval is not None and all(map(math.isfinite, interval))
    return {
        "interval": [float(end) for end in interval] if interval and known else None,
        "runner_up": next_ and next_.name,
        "told_apart": None if next_ is None else told_apart,
        "sentence": said,
    }


def by_score(run: Run, runs: Sequence[Run], metric: str, alike: Alike | None) -> dict[str, Any]:
    """Tell how sure it is that a run scores best: the set of those like the best decides."""
    others = [one for one in runs if one is not run]
    next_ = highest(others, metric)[0] if others else None
    apart = None
    if next_ is not None and alike is not None:
        same = alike(metric, [one.name for one in runs])
        apart = next_.name not in same if run.name in same else None
    interval = run.intervals.get(metric)
    ends = None if interval is None else (interval.low, interval.high)
    return unsure(ends, next_, told_apart=apart, what=metric)


def by_latency(run: Run, runs: Sequence[Run]) -> dict[str, Any]:
    """Tell how sure it is that a run is the fastest: intervals that do not overlap decide."""
    next_ = min((one for one in runs if one is not run), key=latency, default=None)
    ours, theirs = (None if one is None else between(one, "p50") for one in (run, next_))
    apart = None if ours is None or theirs is None else ours[1] < theirs[0]
    return unsure(ours, next_, told_apart=apart, what="p50")


def by_bytes(run: Run, runs: Sequence[Run]) -> dict[str, Any]:
    """Tell whether a run is the smallest alone: bytes are counted, so that any difference is one.

    ``equal`` names the others that need just as many.
    """
    counted = [(one, size(one)) for one in runs if one is not run]
    known = [(one, value) for one, value in counted if value is not None]
    next_, bytes_ = min(known, key=lambda pair: pair[1], default=(None, 0.0))
    ours = size(run) or 0.0
    told = unsure((ours, ours), next_, told_apart=bytes_ > ours, what="bytes")
    equal = [one.name for one, value in known if value == ours]
    if equal:
        need = "needs" if len(equal) == 1 else "need"
        told["sentence"] = f"{join_names(equal)} {need} the same number of bytes"
    return told | {"equal": equal}


def between(run: Run, percentile: str) -> tuple[float, float] | None:
    """Return the interval of a time; an end that too few samples leave open is infinite."""
    ends = run.latency_ms.get("intervals", {}).get(percentile)
    if ends is None:
        return None
    low, high = ends
    return -math.inf if low is None else low, math.inf if high is None else high
