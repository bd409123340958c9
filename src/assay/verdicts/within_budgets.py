"""The pick under the budgets: the best of what is known to keep all of them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.records import Run
from assay.records.quoted import quoted
from assay.verdicts._chosen import Alike, by_score, chosen
from assay.verdicts._picked import picked
from assay.verdicts.sharpness import Sharpness

__all__ = ["within_budgets"]

MOST = 5  # runs that are named with what stands against them


def within_budgets(
    runs: Sequence[Run],
    *,
    primary: str,
    refused: Collection[str] = (),
    silent: Collection[str] = (),
    alike: Alike | None = None,
    sharp: Sharpness | None = None,
) -> dict[str, Any] | None:
    """Name the cheapest of those that keep all budgets and are like the best of them.

    None where there is no budget; where there are some and nothing keeps them, ``run`` is None and
    the reason names what stands in the way. What is refused, or answers nothing, is not picked.
    It is ``sure`` as in ``recommend``.
    """
    known = [run for run in runs if primary in run.scores]
    if not any(run.budgets for run in known):
        return None
    keepers = [run for run in known if not _against(run, refused, silent)]
    if not keepers:
        against = {run.name: ", ".join(_against(run, refused, silent)) for run in known}
        reason = f"nothing is known to keep all budgets: {_few(against)}"
        return dict.fromkeys(("run", "by", "value", "sure")) | {"reason": reason, "uncertainty": {}}
    best = max(keepers, key=lambda run: run.scores[primary])
    names = [run.name for run in keepers]
    like = set(alike(primary, names)) if alike else set()
    same = [run for run in keepers if run is best or run.name in like]
    kept = f"of {len(keepers)} that keep all budgets"
    if len(same) > 1 and (found := picked(same, best=best, primary=primary, sharp=sharp)):
        return found | {"reason": f"{found['reason']} ({kept})"}
    told = by_score(best, keepers, primary, alike)
    reason, compared = f"the highest {primary} {kept}", alike is not None or len(keepers) == 1
    return chosen(best, primary, best.scores[primary], reason, told) | {"sure": compared}


def _few(against: Mapping[str, str]) -> str:
    """Name the runs with what stands against each; that of all alike is said once."""
    if len(against) > 1 and len(set(against.values())) == 1:
        return f"{next(iter(against.values()))} (all {len(against):,} runs)"
    ways = [f"{quoted(name)} ({said})" for name, said in against.items()]
    more = [f"and {len(ways) - MOST:,} more"] if len(ways) > MOST else []
    return "; ".join([*ways[:MOST], *more])


def _against(run: Run, refused: Collection[str], silent: Collection[str]) -> list[str]:
    """Name what stands against a run: budgets that it does not keep for sure, or its verdict."""
    said = [f"{name} {_state(one)}" for name, one in run.budgets.items() if one["state"] != "kept"]
    if not said and run.name in refused:
        said.append("its verdict is DON'T SHIP")
    return [*said, *(["it answers nothing"] if run.name in silent else [])]


def _state(one: Mapping[str, Any]) -> str:
    if one["state"] == "broken":
        return "is broken"
    return "may not hold" if one["value"] is not None else "was not measured"
