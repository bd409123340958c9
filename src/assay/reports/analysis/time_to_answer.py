"""Time to answer: the rank of the first relevant result, and the tokens read up to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._ranges import ranged
from assay.reports.analysis._table_of import Shown, table_of
from assay.reports.runs.phrases.run_label import run_label
from assay.text.count_noun import count_noun

__all__ = ["time_to_answer"]

FEW = 2  # runs that a sentence names


def time_to_answer(report: Report, *, brief: bool = False) -> Table | None:
    """Lay out ranks and tokens, and name the run whose first relevant result comes soonest.

    In ``brief`` half of the percentiles are left out.
    """
    found = report.analysis.get("time_to_answer") or {}
    if not found:
        return None
    columns = [one for one in COLUMNS if not (brief and one[3])]
    if not any(one.get("tokens") for one in found.values()):
        columns = [one for one in columns if one[1] != "tokens"]
    titles = ("run", "found", "rank", *(title for title, *_ in columns), "rank*")
    rows = [_row(run, one, columns) for run, one in found.items()]
    return table_of(titles, rows, _said(report, found))


# A title, where its value stands, and whether it can be spared.
COLUMNS = (
    ("p50", "opened", "p50", True),
    ("p95", "opened", "p95", False),
    ("tokens", "tokens", "mean", False),
    ("tokens p95", "tokens", "p95", True),
)


def _row(
    run: str, one: Mapping[str, Any], columns: Sequence[tuple[str, str, str, bool]]
) -> list[Shown]:
    mean, shared = one["opened"]["mean"], (one.get("shared") or {}).get("opened")
    cells: list[Shown] = [(run, run), (one["answered"], f"{one['answered']:.0%}")]
    cells.append((mean, ranged(mean, one["ci"], ".2f")))
    for _, part, name, _ in columns:
        known = one.get(part)
        value = known[name] if known else None
        cells.append((value, _count(value, never=bool(known) and name != "mean")))
    return [*cells, (shared, "-" if shared is None else f"{shared:.2f}")]


def _count(value: float | None, *, never: bool) -> str:
    """Write a number; a percentile that falls among queries without a relevant result says so."""
    if value is None:
        return "never" if never else "-"
    return f"{value:,.0f}"


def _said(report: Report, found: Mapping[str, Any]) -> str:
    shared = {run: one.get("shared") or {} for run, one in found.items()}
    known = {run: one["opened"] for run, one in shared.items() if one.get("opened") is not None}
    if not known:
        return "Rank of the first relevant result, and the fraction of queries that have one."
    best = min(known, key=lambda run: float(known[run]))
    who = "all runs have" if len(found) > 1 else "it has"
    queries = f"the {count_noun(shared[best]['queries'], 'query')} where {who} one"
    whole = found[best]["answered"] == 1 and shared[best]["queries"] == found[best].get("queries")
    legend = f"*: over the queries where {who} one; tokens: of the results up to that rank."
    alike = [run for run in known if round(float(known[run]), 2) == round(float(known[best]), 2)]
    if len(alike) > 1:
        which = f"{len(alike):,} of {len(found):,} runs" if len(alike) > FEW else ""
        which = which or " and ".join(run_label(report, run) for run in alike)
        which = "all runs" if len(alike) == len(found) else which
        lowest = "" if len(alike) == len(found) else ", the lowest of all runs"
        said = f"With {which} the first relevant result is at rank {known[best]:.1f} on average"
        return f"{said} over {queries}{lowest}; {_shares(found)}. {legend}"
    lowest = ", the lowest of all runs" if len(found) > 1 else ""
    answered = "every query has one" if whole else _shares(found, best)
    return (
        f"The first relevant result of {run_label(report, best)} is at rank {known[best]:.1f} on "
        f"average over {queries}{lowest}; {answered}. {legend}"
    )


def _shares(found: Mapping[str, Any], best: str = "") -> str:
    """Say how many queries have a relevant result: with the best run, and with the others."""
    shares = {run: float(one["answered"]) for run, one in found.items()}
    low, high = min(shares.values()), max(shares.values())
    if not best:
        if f"{low:.0%}" == f"{high:.0%}":
            return f"{low:.0%} of the queries have one"
        return f"{low:.0%} to {high:.0%} of the queries have one, depending on the run"
    more = f" (other runs up to {high:.0%})" if f"{high:.0%}" != f"{shares[best]:.0%}" else ""
    return f"{shares[best]:.0%} of its queries have one{more}"
