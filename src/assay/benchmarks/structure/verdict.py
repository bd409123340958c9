"""Uplift of coherence and of its controls -> one sentence that hides neither."""

from collections.abc import Callable, Mapping

from assay.records import Distribution, Structure, Target, Uplift
from assay.text.figures import difference_text, interval_text

__all__ = ["targets", "verdict"]

SAID = {"coherence": "Coherence", "coherence_mmr": "Coherence with MMR"}
AVERAGE, SHUFFLED, OPEN = "neighbour_average", "shuffled_graph", "coherence_open"
PLAIN = {
    "better": "coherence is better than this simple control, also without gates",
    "worse": "this simple control is better than coherence",
    "alike": "this simple control is as good as coherence",
    "unknown": "not significantly different from coherence",
}
STRUCTURE = {
    "better": "less, so the structure of the graph helps",
    "worse": "more, so the structure of the graph does not explain the gain",
    "alike": "as much, so the structure of the graph does not explain the gain",
    "unknown": "not significantly different, so the effect of the structure is not confirmed",
}
LATENCY_MS, FEW = 400.0, 8  # ConsciousDB's target: p95 for at most 8 results
FALLBACK = 0.05
EASY = (0.30, 0.60)
OVERLAP = 0.25
UPLIFT = 0.03


def verdict(structure: Structure) -> str:
    """Say whether what is returned gains over cosine, and what the controls gain."""
    own = _uplift(structure, structure.returned)
    if own is None:
        return "Coherence was not measured."
    parts = [_own(own, structure), *_unmixed(structure), *_average(structure)]
    if own.gains and SHUFFLED in structure.against:
        moves = _moves(_uplift(structure, SHUFFLED))
        parts.append(f"shuffled-graph control {moves}: {STRUCTURE[structure.beside(SHUFFLED)]}")
    return "; ".join(parts) + "."


def _uplift(structure: Structure, method: str) -> Uplift | None:
    found = structure.method(method)
    return None if found is None else found.uplift[structure.primary]


def _own(own: Uplift, structure: Structure) -> str:
    figures, name = _figures(own, structure.primary), SAID[structure.returned]
    if own.gains:
        return f"{name} gains {figures} over cosine"
    if own.loses:
        return f"{name} is significantly worse than cosine: {figures}"
    if not own.wins and not own.losses:
        return f"{name} does not change the {structure.primary} of any query"
    return f"{name} has no significant gain over cosine: {figures}"


def _unmixed(structure: Structure) -> list[str]:
    """Put coherence alone beside what was diversified after it."""
    plain = _uplift(structure, "coherence")
    if structure.returned == "coherence" or plain is None:
        return []
    return [f"coherence without MMR {_moves(plain)}"]


def _average(structure: Structure) -> list[str]:
    """Compare with the neighbour average: coherence must be better, also without gates."""
    if AVERAGE not in structure.against:
        return []
    shown = structure.beside(AVERAGE)
    answer = _by_gates(structure) if shown == "gated" else PLAIN[shown]
    return [f"neighbour-average control {_moves(_uplift(structure, AVERAGE))}: {answer}"]


def _by_gates(structure: Structure) -> str:
    """Say what it would be without the gates, which the control does not have either."""
    free = _uplift(structure, OPEN)
    if free is not None and free.loses:
        return f"coherence is better only because of its gates: without them {_figures(free)}"
    answer = PLAIN[structure.against_open[AVERAGE].shown]
    return f"coherence is better only with its gates; without gates, {answer}"


def _moves(uplift: Uplift | None) -> str:
    """Write the figures of a method, and whether they are significant."""
    if uplift is None:
        return "not measured"
    sure = "" if uplift.gains or uplift.loses else ", not significant"
    return f"{_figures(uplift)}{sure}"


def _figures(uplift: Uplift, metric: str = "") -> str:
    low, high = uplift.interval.low, uplift.interval.high
    known = abs(high) < float("inf")
    ends = f" (95% CI {interval_text(low, high)})" if known else " (interval unknown)"
    return f"{difference_text(uplift.difference)}{f' {metric}' if metric else ''}{ends}"


def targets(
    *,
    p95: float | None,
    k: int | None,
    rates: Mapping[str, float | None],
    overlap: Distribution | None,
    uplift: Uplift | None,
) -> dict[str, Target]:
    """Compare each figure with its target; what was not measured is neither met nor missed."""
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
        "uplift": _uplift_target(uplift),
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


def _uplift_target(uplift: Uplift | None) -> Target:
    aim = "uplift >= 3%"
    if uplift is None or uplift.relative is None:
        return Target(aim, None, None)
    enough = uplift.relative >= UPLIFT
    note = f"not significant: {_unsure(uplift)}" if enough and not uplift.gains else ""
    return Target(aim, uplift.relative, enough and uplift.gains, note)


def _unsure(uplift: Uplift) -> str:
    """Say why a gain is not significant: few queries may leave an interval above 0."""
    return "the interval includes 0" if uplift.interval.low <= 0 else "there are too few queries"
