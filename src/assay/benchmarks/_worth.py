"""Uplift of coherence and of its controls -> one sentence that hides neither."""

from collections.abc import Mapping

from assay.records import Method, Uplift

__all__ = ["verdict"]


def verdict(methods: Mapping[str, Method], against: Mapping[str, Uplift], primary: str) -> str:
    """Say whether coherence gains over the cosines, and whether a plain control does as well."""
    coherence = methods.get("coherence")
    if coherence is None:
        return "Coherence was not studied."
    own = coherence.uplift[primary]
    parts = [_own(own, primary), *_average(methods, against, primary)]
    if own.gains:
        parts += _shuffled(methods, against, primary)
    return "; ".join(parts) + "."


def _own(own: Uplift, primary: str) -> str:
    figures = _figures(own)
    if own.gains:
        return f"Coherence gains {figures} {primary} over cosine"
    if own.loses:
        return f"Coherence loses against cosine: {figures} {primary}"
    if not own.wins and not own.losses:
        return f"No gain is shown: coherence changes {primary} of no query"
    return f"No gain is shown: coherence changes {primary} by {figures}"


def _average(
    methods: Mapping[str, Method], against: Mapping[str, Uplift], primary: str
) -> list[str]:
    """Put the neighbour average beside it: it must be beaten, and beyond chance."""
    if "neighbour_average" not in against:
        return []
    plain = methods["neighbour_average"].uplift[primary]
    said = f"the neighbour average {_moves(plain)}"
    if against["neighbour_average"].gains:
        return [f"{said}: coherence does better than that plain control"]
    if methods["coherence"].uplift[primary].gains or plain.gains:
        return [f"{said}: the plain control does as well or better"]
    return [said]


def _shuffled(
    methods: Mapping[str, Method], against: Mapping[str, Uplift], primary: str
) -> list[str]:
    """Ask whether it is the structure that helps: a graph with shuffled nodes has none."""
    if "shuffled_graph" not in against:
        return []
    said = f"the shuffled graph {_moves(methods['shuffled_graph'].uplift[primary])}"
    if against["shuffled_graph"].gains:
        return [f"{said}: less, so the structure helps"]
    return [f"{said}: it does as well, so the structure is not what helps"]


def _moves(uplift: Uplift) -> str:
    """Give the figures of a control, with the word that they allow."""
    word = "gains" if uplift.gains else "loses" if uplift.loses else "shows no gain,"
    return f"{word} {_figures(uplift)}"


def _figures(uplift: Uplift) -> str:
    low, high = uplift.interval.low, uplift.interval.high
    known = abs(high) < float("inf")
    ends = f" ({low:+.4f} to {high:+.4f})" if known else " (interval unknown)"
    return f"{uplift.difference:+.4f}{ends}"
