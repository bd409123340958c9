"""Main effects: what each swept setting is worth, all else equal."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Cell, Report, Table
from assay.reports.analysis._ranges import ci_of, ranged
from assay.reports.analysis._settings import value_of
from assay.text.count_noun import count_noun
from assay.text.file_names import file_names
from assay.text.join_list import first_few, join_list

__all__ = ["main_effects"]

ALPHA = 0.05
EQUAL = "all values equal"  # the note of an interval without width
SAME = "every query changes by the same amount, so the interval has no width"
OTHERS = "other settings equal, or at defaults that follow from it"
FEW = 3  # changes that a note names
TITLES = ("setting", "change", "difference", "p", "pairs", "p50 latency")


def main_effects(report: Report) -> Table | None:
    """Lay out the effects, the strongest setting first, and name the largest.

    Settings whose runs a race stopped follow, so that nobody takes their effect for 0.
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
            texts |= {(len(rows), 2): "stopped early", **{(len(rows), at): "-" for at in (3, 4, 5)}}
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
        said = f"{no} setting has a significant effect on {primary}"
        return f"{said} (p values Holm-corrected)."
    most = max(effects, key=lambda one: abs(float(one["difference"])))
    change = f"{first['parameter']} {_change(most)}{_with(most)}"
    where = f" {among[0].lower()}{among[1:]}" if among else ""
    return (
        f"{most['difference']:+.3f} {primary}{ci_of(most['ci'])} for {change}: the largest effect "
        f"of a single setting{where} ({OTHERS})."
    )


def _among(report: Report) -> str:
    """Say which runs this is about, where a race stopped others."""
    states = [run.status for run in report.runs]
    left = count_noun(states.count("completed"), "run")
    return f"Among the {left} not stopped early" if "beaten" in states else ""


def _noted(found: Sequence[Mapping[str, Any]]) -> str:
    """Name the changes whose interval is weak, e.g. since every query changes by the same."""
    named: dict[str, list[str]] = {}
    for one in found:
        for effect in (each for each in one["effects"] if each.get("note") and each["difference"]):
            which = f"{one['parameter']} ({_change(effect)}, {effect['queries']:,} queries)"
            note = str(effect["note"]).replace(EQUAL, SAME)
            named.setdefault(f"{note[0].upper()}{note[1:]}", []).append(which)
    return " ".join(f"{note}: {first_few(each, FEW)}." for note, each in named.items())


def _untold(lost: Sequence[Mapping[str, Any]]) -> str:
    """Name the settings whose values a race removed."""
    if not lost:
        return ""
    named = [f"{one['parameter']} ({', '.join(map(value_of, one['stopped']))})" for one in lost]
    effects, it = ("effects", "them") if len(lost) > 1 else ("effect", "it")
    are = "are" if len(lost) > 1 else "is"
    return (
        f"The {effects} of {join_list(named, most=len(named))} {are} unknown, since the race "
        f"stopped those runs early: run without the race to measure {it}."
    )


def _with(effect: Mapping[str, Any]) -> str:
    """Name what was chosen for one side alone."""
    told = [
        f"{name} {' or '.join(map(value_of, values))}"
        for name, values in (effect.get("with") or {}).items()
    ]
    return f" (with {', '.join(told)})" if told else ""


def _change(effect: Mapping[str, Any]) -> str:
    return " -> ".join(file_names([value_of(effect["from"]), value_of(effect["to"])]))
