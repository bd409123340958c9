"""Honest winner: the best, all that do not differ significantly from it, and its corrected gain."""

from collections.abc import Sequence
from typing import Any

from assay.records import Comparisons, Run
from assay.records.verdict import DONT_SHIP
from assay.text.figures import difference_text
from assay.text.join_list import join_names
from assay.text.quote import quote
from assay.verdicts.refused import refused

__all__ = ["winner"]

SAME = 1e-12  # what rounding alone can do to a mean


def winner(
    comparisons: Comparisons, runs: Sequence[Run], *, pick: str | None = None
) -> dict[str, Any]:
    """Tell who wins, and how much of the gain is left after the winner's-curse correction.

    ``best`` is the baseline where no candidate gains. ``observed_gain`` and ``corrected_gain`` are
    those of the best candidate over the baseline. ``pick`` is the run that is recommended. Nothing
    is claimed of runs that a race stopped, and the sentence says so.
    """
    runs = [run for run in runs if run.status != "beaten"]
    gains = comparisons.observed_gain > SAME
    best = comparisons.best if gains else comparisons.baseline
    return {
        "best": best,
        "best_set": list(comparisons.best_set),
        "observed_gain": comparisons.observed_gain,
        "corrected_gain": comparisons.corrected_gain,
        "pick": pick,
        "sentence": f"{_gain(comparisons, best)} {_alike(comparisons, best, runs)}",
    }


def _gain(comparisons: Comparisons, best: str) -> str:
    """Say what the best gains; a gain that the winner's curse explains is none."""
    observed, corrected = comparisons.observed_gain, comparisons.corrected_gain
    if best == comparisons.baseline:
        change = "the same score" if observed > -SAME else difference_text(observed)
        none = f"No candidate{_if_raced(comparisons, ' that was not stopped early')}"
        nearest = f"the closest is {quote(comparisons.best)} ({change})"
        return f"{none} improves {comparisons.primary}; {nearest}."
    first = f"{quote(best)} has the highest {comparisons.primary}"
    first += _if_raced(comparisons, " of the runs that were not stopped early")
    gain = f"{first}, {difference_text(observed)} over {quote(comparisons.baseline)}"
    if corrected is None:
        return f"{gain}; the gain after winner's-curse correction is not known."
    if abs(corrected - observed) <= SAME:
        return f"{gain}."
    return f"{gain} ({difference_text(max(corrected, 0.0))} after winner's-curse correction)."


def _alike(comparisons: Comparisons, best: str, runs: Sequence[Run]) -> str:
    """Say which runs are not significantly different from the best, and which are refused."""
    others = [name for name in comparisons.best_set if name != best]
    raced = _if_raced(comparisons, " that were not stopped early")
    said = f"All other runs{raced} are significantly different from {quote(best)}."
    if others:
        said = f"Not significantly different from {quote(best)}: {join_names(others)}."
    against = refused(comparisons, runs)
    out = [name for name in (best, *others) if name in against]
    return f"{said} {DONT_SHIP} or outside the budgets: {join_names(out)}." if out else said


def _if_raced(comparisons: Comparisons, said: str) -> str:
    """Say it where a race stopped candidates, of which nothing is claimed."""
    return said if comparisons.settings.get("stopped") else ""
