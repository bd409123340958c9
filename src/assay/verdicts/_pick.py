"""The pick: the cheapest of all that cannot be told from the best, and that nothing forbids."""

from collections.abc import Collection, Sequence
from typing import Any

from assay.records import Run
from assay.records.quoted import quoted
from assay.verdicts._picked import picked
from assay.verdicts.listed import listed_runs
from assay.verdicts.sharpness import Sharpness

__all__ = ["pick"]


def pick(
    known: Sequence[Run],
    open_: Collection[str],
    *,
    primary: str,
    best_set: Collection[str],
    refused: Collection[str],
    silent: Collection[str],
    sharp: Sharpness | None,
) -> dict[str, Any] | None:
    """Pick of what is ``open_``; the reason names what is left out of those like the best."""
    best = max(known, key=lambda run: run.scores[primary])
    like = [run for run in known if run.name in best_set or run is best]
    kept = [run for run in like if run.name in open_]
    rivals = [run for run in like if run.name not in {*refused, *silent}]
    top = max(rivals, key=lambda run: run.scores[primary], default=best)
    found = picked(kept, best=top, primary=primary, sharp=sharp)
    if found is None:
        return None
    if not best_set and len(known) > 1:
        said = f"the highest {primary}; nothing was compared, so another may be as good"
        return found | {"reason": said, "sure": False}
    others = [run for run in like if run.name not in open_]
    said = _only(kept[0], best, primary, alone=not others) if len(kept) == 1 else ""
    reason = said if said and found["sure"] else found["reason"]
    return found | {"reason": f"{reason}{_left_out(others, refused, silent)}"}


def _only(run: Run, best: Run, primary: str, *, alone: bool) -> str:
    if run is not best:
        return (
            f"all that is left of the runs that cannot be told from {quoted(best.name)}, the best"
        )
    return f"the highest {primary}{', and told from all others' if alone else ''}"


def _left_out(runs: Sequence[Run], refused: Collection[str], silent: Collection[str]) -> str:
    """Say which of the runs that are like the best are not picked, and why."""
    why: dict[str, list[str]] = {}
    for run in runs:
        why.setdefault(_against(run, refused, silent), []).append(run.name)
    told = "; ".join(f"{listed_runs(names)} ({reason})" for reason, names in why.items())
    return f"; left out: {told}" if told else ""


def _against(run: Run, refused: Collection[str], silent: Collection[str]) -> str:
    if any(one.get("state") == "broken" for one in run.budgets.values()):
        return "breaks a budget"
    if run.name in refused:
        return "DON'T SHIP"
    if run.name in silent:
        return "answers nothing"
    return "queries failed" if run.errors else "cost not known"
