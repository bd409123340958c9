"""What is picked of runs that are alike: the cheapest, and whether it is more than a guess."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Run
from assay.records.quoted import quoted
from assay.verdicts._cheapest import cheapest
from assay.verdicts.sharpness import Sharpness

__all__ = ["picked"]


def picked(
    alike: Sequence[Run], *, best: Run, primary: str, sharp: Sharpness | None = None
) -> dict[str, Any] | None:
    """Take the cheapest; it is ``sure`` unless ``best`` scores higher by more than the margin.

    ``best`` has the highest score of what could be picked if costs did not count. Without ``sharp``
    nothing is doubted.
    """
    if (found := cheapest(alike, primary=primary)) is None:
        return None
    run, told = found
    doubt = _doubt(run, best, primary, sharp)
    many = f"{_least(told, primary)} of {len(alike)} runs"
    reason = f"{many} that cannot be told from the best on {primary}"
    if sharp is not None and doubt:
        asked = f"{sharp.queries:,} quer{'y' if sharp.queries == 1 else 'ies'}"
        least = many if len(alike) > 1 else "what is left of the runs"
        reason = (
            f"for want of evidence: {quoted(run.name)} is {least} that {asked} cannot tell apart"
        )
        reason = f"{reason}, yet {doubt}"
    return told | {"reason": reason, "sure": not doubt}


def _least(told: Mapping[str, Any], primary: str) -> str:
    """Say what it is the most of; of those that cost the same the score decides."""
    equal = 1 + len(told["uncertainty"].get("equal", ()))
    if equal == 1:
        return f"the {told['reason']}"
    cost = {"fastest": "fast", "smallest": "small"}[told["reason"]]
    return f"the highest {primary} of the {equal} equally {cost} ones"


def _doubt(run: Run, best: Run, primary: str, sharp: Sharpness | None) -> str:
    """Say how much higher the best scores, and what these queries would show; else nothing."""
    gap = best.scores[primary] - run.scores[primary]
    if sharp is None or gap <= sharp.margin:
        return ""
    higher = f"{quoted(best.name)} scores {gap:.2g} higher"
    least = sharp.between(best.name, run.name)
    if math.isinf(least) or best.scores[primary] <= 1 < least:  # scores lie between 0 and 1
        return f"{higher}, and these queries are too few to show any difference"
    if gap < least:
        return f"{higher}, and these queries show only differences from {least:.2g} on"
    return f"{higher}, which is not shown to be more than luck"
