"""Honest winner: the best, all that cannot be told from it, its gain without luck, and the pick."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.records import Comparisons, Run
from assay.records.quoted import quoted
from assay.verdicts._chosen import LATENCY
from assay.verdicts.listed import listed_runs
from assay.verdicts.recommend import recommend
from assay.verdicts.refused import refused

__all__ = ["winner"]

SAME = 1e-12  # what rounding alone can do to a mean


def winner(
    comparisons: Comparisons, runs: Sequence[Run], *, silent: Collection[str] = ()
) -> dict[str, Any]:
    """Tell who wins, and how much of that is left when the luck of being chosen is taken out.

    ``best`` is the baseline where no candidate gains. ``observed_gain`` and ``corrected_gain`` are
    those of the best candidate over the baseline. The pick is the cheapest that is like the best.
    Nothing is claimed of runs that a race stopped, and the sentence says so.
    """
    runs = [run for run in runs if run.status != "beaten"]
    gains = comparisons.observed_gain > SAME
    best = comparisons.best if gains else comparisons.baseline
    out = refused(comparisons, runs)
    told = recommend(
        runs,
        primary=comparisons.primary,
        best_set=comparisons.best_set,
        refused=out,
        silent=silent,
    )["pick"]
    pick = str(told["run"]) if told else None
    return {
        "best": best,
        "best_set": list(comparisons.best_set),
        "observed_gain": comparisons.observed_gain,
        "corrected_gain": comparisons.corrected_gain,
        "pick": pick,
        "sentence": f"{_gain(comparisons, best)} {_alike(comparisons, best, told, out)}",
    }


def _gain(comparisons: Comparisons, best: str) -> str:
    """Say what the best gains; a gain that is no larger than its luck is none."""
    observed, corrected = comparisons.observed_gain, comparisons.corrected_gain
    if best == comparisons.baseline:
        what = "comes nearest" if observed > -SAME else f"loses least, {observed:+.4f}"
        none = f"No candidate{_if_raced(comparisons, ' that was not stopped')}"
        return f"{none} gains on {comparisons.primary}: {quoted(comparisons.best)} {what}."
    first = f"{quoted(best)} scores best{_if_raced(comparisons, ' of those that were not stopped')}"
    gain = f"{first}, {observed:+.4f} {comparisons.primary} over {quoted(comparisons.baseline)}"
    if corrected is None:
        return f"{gain}; what of it is luck is not known."
    if abs(corrected - observed) <= SAME:
        return f"{gain}."
    if corrected <= SAME:
        return f"{gain}; nothing of it is left without the luck of being the best."
    return f"{gain}, of which {corrected:+.4f} is left without the luck of being the best."


def _alike(
    comparisons: Comparisons, best: str, pick: Mapping[str, Any] | None, out: Collection[str]
) -> str:
    """Say who cannot be told from the best, and which of them is the cheapest."""
    others = [name for name in comparisons.best_set if name != best]
    against = [name for name in (best, *others) if name in out]
    said = (
        f"{quoted(best)} is told from all others{_if_raced(comparisons, ' that were not stopped')}"
    )
    if others:
        said = f"{listed_runs(others)} cannot be told from {quoted(best)}"
    if against:
        said = f"{said}; {listed_runs(against)} {'is' if len(against) == 1 else 'are'} refused"
    if pick is None:
        refused_all = len(against) == 1 + len(others)
        return f"{said}." if refused_all else f"{said}; what is left has no known cost."
    if pick["run"] == best and not others:
        return f"{said}."
    return f"{said}; {_cheapest(pick, best, 'that is not refused' if against else 'of these')}."


def _cheapest(pick: Mapping[str, Any], best: str, which: str) -> str:
    """Say that nothing costs less; of what cannot be told from it by its time, not for sure."""
    name, equal = quoted(str(pick["run"])), pick["uncertainty"].get("equal")
    if equal and pick["by"] == LATENCY:
        return f"none {which} is shown to be cheaper than {name}"
    if pick["run"] == best:
        return f"none {which} is cheaper than {name}"
    return f"{name} is the cheapest {which}"


def _if_raced(comparisons: Comparisons, said: str) -> str:
    """Say it where a race stopped candidates, of which nothing is claimed."""
    return said if comparisons.settings.get("stopped") else ""
