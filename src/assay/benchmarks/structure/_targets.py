"""The preset of targets: what structure should reach in use, and whether it does."""

from collections.abc import Callable, Mapping

from assay.records import Distribution, Target, Uplift

__all__ = ["targets"]

LATENCY_MS, FEW = 400.0, 8  # the ancestor's aim: p95 for at most 8 results
FALLBACK = 0.05
EASY = (0.30, 0.60)
OVERLAP = 0.25
UPLIFT = 0.03


def targets(
    *,
    p95: float | None,
    k: int | None,
    rates: Mapping[str, float | None],
    overlap: Distribution | None,
    uplift: Uplift | None,
) -> dict[str, Target]:
    """Hold each figure against its aim; what was not measured is neither met nor missed."""
    fallback, easy = rates["fallback"], rates["easy"]
    median = None if overlap is None else overlap.percentiles["p50"]
    return {
        "latency": _latency(p95, k),
        "fallback": Target("fallbacks < 5%", fallback, _if(fallback, lambda it: it < FALLBACK)),
        "easy_gate": Target(
            "easy gate 30-60%", easy, _if(easy, lambda it: EASY[0] <= it <= EASY[1])
        ),
        "edge_overlap": Target(
            "edge overlap >= 0.25", median, _if(median, lambda it: it >= OVERLAP)
        ),
        "uplift": _uplift(uplift),
    }


def _if(value: float | None, fits: Callable[[float], bool]) -> bool | None:
    return None if value is None else fits(value)


def _latency(p95: float | None, k: int | None) -> Target:
    """Take a larger k as proof where it is quick enough, but not as a failure where it is not."""
    aim = "p95 <= 400 ms for k <= 8"
    if p95 is None or p95 <= LATENCY_MS:
        return Target(aim, p95, None if p95 is None else True)
    if k is None or k > FEW:
        return Target(aim, p95, None, f"measured with k = {k or 'all'} only")
    return Target(aim, p95, met=False)


def _uplift(uplift: Uplift | None) -> Target:
    aim = "uplift >= 3%"
    if uplift is None or uplift.relative is None:
        return Target(aim, None, None)
    enough = uplift.relative >= UPLIFT
    note = f"not shown: {_unsure(uplift)}" if enough and not uplift.gains else ""
    return Target(aim, uplift.relative, enough and uplift.gains, note)


def _unsure(uplift: Uplift) -> str:
    """Say why a gain is not shown: equal differences of few queries leave an interval above 0."""
    return "the interval holds 0" if uplift.interval.low <= 0 else "there are too few queries"
