"""Main effects: what each swept parameter is worth, everything else being equal."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Cell, Report, Table
from assay.reports.analysis._ranges import between, ranged
from assay.reports.analysis._settings import value_of
from assay.text.join_list import first_few, join_list

__all__ = ["main_effects"]

ALPHA = 0.05
EQUAL, ALIKE = "all values equal", "all queries change by the same, which hides the spread"
FEW = 3  # changes that are named with what is to be noted of them
TITLES = ("parameter", "change", "difference", "p", "pairs", "p50 time")


def main_effects(report: Report) -> Table | None:
    """Lay out the effects, the strongest parameter first, and say which matters most.

    What a race left untold follows, so that nobody takes it for nothing.
    """
    every = report.analysis.get("main_effects") or []
    found = [one for one in every if one.get("effects")]
    lost = [one for one in every if one.get("stopped")]
    if not found and not lost:
        return None
    rows: list[list[Cell]] = []
    texts: dict[tuple[int, int], str] = {}
    for one in found:
        ratios = {(str(r["from"]), str(r["to"])): r for r in one.get("latency") or []}
        for effect in one["effects"]:
            ratio = ratios.get((str(effect["from"]), str(effect["to"])), {}).get("ratio_p50")
            at, p = len(rows), effect.get("p_holm", effect["p"])
            rows.append([one["parameter"], _change(effect), effect["difference"], p])
            rows[-1] += [effect["pairs"], ratio]
            texts[at, 2] = ranged(effect["difference"], effect["ci"])
            texts[at, 3] = "<.001" if p < 0.001 else f"{p:.3f}"
            texts[at, 5] = "-" if ratio is None else f"x {ratio:,.2f}"
    shown = frozenset((at, 2) for at, row in enumerate(rows) if float(row[3] or 0) < ALPHA)
    for one in lost:
        for value in one["stopped"]:
            texts |= {(len(rows), 2): "stopped", **{(len(rows), at): "-" for at in (3, 4, 5)}}
            rows.append([one["parameter"], f"-> {value_of(value)}", None, None, None, None])
    said = " ".join(filter(None, [_said(report, found), _noted(found), _untold(lost)]))
    return Table(TITLES, rows, said, best=shown, texts=texts, names=frozenset([0, 1]))


def _said(report: Report, found: Sequence[Mapping[str, Any]]) -> str:
    if not found:
        return ""
    primary, among = report.benchmark["primary"], _among(report)
    first = found[0]
    effects = [one for one in first["effects"] if one.get("p_holm", one["p"]) < ALPHA]
    if not effects:
        no = f"{among}, no" if among else "No"
        return (
            f"{no} parameter is shown to change {primary}, everything else being equal (p after "
            "Holm's correction)."
        )
    most = max(effects, key=lambda one: abs(float(one["difference"])))
    what = f"{among}, what" if among else "What"
    return (
        f"{what} matters most is {first['parameter']}: {_change(most)}{_with(most)} changes "
        f"{primary} by {most['difference']:+.3f} {between(most['ci'])}, everything else "
        "being equal."
    )


def _among(report: Report) -> str:
    """Say of which runs alone anything is told, where a race stopped others."""
    states = [run.status for run in report.runs]
    left = states.count("completed")
    several = f"{left} runs that the race did not stop"
    return f"Among the {several}" if "beaten" in states else ""


def _noted(found: Sequence[Mapping[str, Any]]) -> str:
    """Say of changes what weakens their intervals, e.g. that all queries change by the same."""
    named: dict[str, list[str]] = {}
    for one in found:
        for effect in (each for each in one["effects"] if each.get("note") and each["difference"]):
            which = f"{one['parameter']} ({_change(effect)}, {effect['queries']:,} queries)"
            note = str(effect["note"]).replace(EQUAL, ALIKE)
            named.setdefault(f"{note[0].upper()}{note[1:]}", []).append(which)
    return " ".join(f"{note}: {first_few(each, FEW)}." for note, each in named.items())


def _untold(lost: Sequence[Mapping[str, Any]]) -> str:
    """Name the parameters whose levels a race removed."""
    if not lost:
        return ""
    named = [f"{one['parameter']} ({', '.join(map(value_of, one['stopped']))})" for one in lost]
    return (
        f"The race stopped the runs that would tell what {join_list(named, most=len(named))} change"
        f"{'s' * (len(lost) == 1)}: a run without the race measures that."
    )


def _with(effect: Mapping[str, Any]) -> str:
    """Name what was chosen for one side alone."""
    told = [
        f"{name} {' or '.join(map(value_of, values))}"
        for name, values in (effect.get("with") or {}).items()
    ]
    return f" (with {', '.join(told)})" if told else ""


def _change(effect: Mapping[str, Any]) -> str:
    return f"{value_of(effect['from'])} -> {value_of(effect['to'])}"
