"""Main effects: what each swept parameter is worth, everything else being equal."""

from collections.abc import Mapping
from typing import Any

from assay.records import Cell, Report, Table
from assay.reports.analysis._ranges import between, ranged
from assay.reports.analysis._settings import value_of

__all__ = ["main_effects"]

ALPHA = 0.05
TITLES = ("parameter", "change", "difference", "p", "pairs", "p50 time")


def main_effects(report: Report) -> Table | None:
    """Lay out the effects, the strongest parameter first, and say which matters most."""
    found = [one for one in report.analysis.get("main_effects") or [] if one.get("effects")]
    if not found:
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
    said = _said(report, found[0])
    return Table(TITLES, rows, said, best=shown, texts=texts, names=frozenset([0, 1]))


def _said(report: Report, first: Mapping[str, Any]) -> str:
    primary = report.benchmark["primary"]
    effects = [one for one in first["effects"] if one.get("p_holm", one["p"]) < ALPHA]
    if not effects:
        return (
            f"No parameter is shown to change {primary}, everything else being equal (p after "
            "Holm's correction)."
        )
    most = max(effects, key=lambda one: abs(float(one["difference"])))
    return (
        f"What matters most is {first['parameter']}: {_change(most)} changes {primary} by "
        f"{most['difference']:+.3f} {between(most['ci'])}, everything else being equal."
    )


def _change(effect: Mapping[str, Any]) -> str:
    return f"{value_of(effect['from'])} -> {value_of(effect['to'])}"
