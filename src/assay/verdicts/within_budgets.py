"""The pick under the budgets: by the same rule, among the runs that are known to keep them all."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.records import Run
from assay.records.costs import is_minimum
from assay.records.verdict import DONT_SHIP
from assay.text.count_noun import count_noun
from assay.text.quote import quote
from assay.verdicts.evidence import VerdictEvidence
from assay.verdicts.open_budget import open_budget
from assay.verdicts.pick import no_pick, pick

__all__ = ["within_budgets"]

MOST = 5  # runs that are named with what speaks against them


def within_budgets(
    runs: Sequence[Run], *, primary: str, evidence: VerdictEvidence, silent: Collection[str] = ()
) -> dict[str, Any] | None:
    """Pick among those that keep all budgets; None where there is no budget.

    Where nothing is known to keep them, ``run`` is None and the reason names what is in the way.
    """
    known = [run for run in runs if primary in run.scores]
    if not any(run.budgets for run in known):
        return None
    keepers = [run.name for run in known if not _against(run, evidence)]
    if not keepers:
        against = {run.name: ", ".join(_against(run, evidence)) for run in known}
        return no_pick(f"no run is known to keep all budgets: {_few(against)}")
    found = pick(runs, primary=primary, evidence=evidence, silent=silent, among=keepers)
    if found is None or found["run"] is None:
        return found
    return found | {"reason": f"{found['reason']} ({_keep(len(keepers))} all budgets)"}


def _keep(count: int) -> str:
    return count_noun(count, "run keeps", "runs keep")


def _few(against: Mapping[str, str]) -> str:
    """Name the runs with what speaks against each; the same reason for all is said once."""
    if len(against) > 1 and len(set(against.values())) == 1:
        return f"{next(iter(against.values()))} (all {len(against):,} runs)"
    ways = [f"{quote(name)} ({said})" for name, said in against.items()]
    more = [f"and {len(ways) - MOST:,} more"] if len(ways) > MOST else []
    return "; ".join([*ways[:MOST], *more])


def _against(run: Run, evidence: VerdictEvidence) -> list[str]:
    """Name the budgets that a run does not keep for sure, or its verdict."""
    said = [f"{name} {_state(one)}" for name, one in run.budgets.items() if one["state"] != "kept"]
    if not said and evidence.outcomes.get(run.name) == "dont_ship":
        said.append(f"verdict {DONT_SHIP}")
    return said


def _state(one: Mapping[str, Any]) -> str:
    if one["state"] != "broken":
        return open_budget(one)
    return "is below its minimum" if is_minimum(one) else "is exceeded"
