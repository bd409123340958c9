"""Detail: all that was measured of one run, table by table."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from assay.records import Cell, Report, Run, Table
from assay.records.configuration import GIVEN
from assay.records.costs import is_minimum
from assay.records.times import has_given_queries
from assay.reports.runs.phrases.frequent_values import frequent_values
from assay.reports.runs.tables.collection_costs import COSTS
from assay.reports.runs.tables.settings import flattened

__all__ = ["detail"]

WORST = 5  # queries that are listed
LATENCY = ("mean", "p50", "p95", "p99")
MACRO, ENDS = ("mean", "sd", "best", "worst", "range"), ("best_collection", "worst_collection")
LABELS = {"between": "other (whole search minus stages)"}
NAMED = {
    "text_bytes": "text bytes (not counted)",  # the other parts add up to the index
    "remembered_vectors": "cached vectors",
    "remembered_seconds": "seconds of cached vectors",
}


def detail(report: Report, run: Run) -> list[Table]:
    """Lay out settings, scores, categories, latency, costs, and the lowest and slowest queries."""
    primary = str(report.benchmark["primary"])
    found = [
        _settings(run),
        _scores(run),
        _parts("category", run.categories),
        *_breakdowns(report, run, primary),
        _collections(run),
        _macro(run),
        _latency(run),
        _costs(run),
        _repeats(run),
        _worst(report, run, primary),
        _slowest(run),
        _failed(run),
    ]
    return [table for table in found if table is not None and table.rows]


def _breakdowns(report: Report, run: Run, primary: str) -> Iterator[Table]:
    """Give each value of a field that scores are broken down by a row."""
    for field, values in (report.analysis.get("breakdowns") or {}).items():
        shown, rest = frequent_values(values)
        known = {
            str(one["value"]): {"queries": one["queries"], primary: one["scores"][run.name]}
            for one in shown
            if run.name in one["scores"]
        }
        found = _parts(str(field), known)
        yield replace(found, caption=f"{rest} are left out" if rest else found.caption)


def _settings(run: Run) -> Table:
    rows: list[list[Cell]] = [[name, _plain(v)] for name, v in flattened(run.configuration).items()]
    return Table(("setting", "value"), rows, names=frozenset([0, 1]))


def _scores(run: Run) -> Table:
    rows: list[list[Cell]] = []
    for name, score in run.scores.items():
        ends = run.intervals.get(name)
        known = ends is not None and abs(ends.high) < float("inf")
        shown = f"[{ends.low:.4f}, {ends.high:.4f}]" if ends is not None and known else "-"
        rows.append([name, score, shown, ends.note if ends is not None else ""])
    titles = ("metric", "score", "95% CI", "note")
    if not any(row[3] for row in rows):
        return Table(titles[:3], [row[:3] for row in rows])
    return Table(titles, rows)


def _collections(run: Run) -> Table:
    """Give each collection a row: its queries, its scores, and what its index took."""
    metrics = [*run.scores]
    costs = [name for name in COSTS if any(name in one for one in run.collections.values())]
    rows: list[list[Cell]] = [
        [name, one.get("queries"), *(_cell(one.get(key)) for key in (*metrics, *costs))]
        for name, one in run.collections.items()
    ]
    first = 2 + len(metrics)
    texts = {
        (r, first + c): COSTS[key](one[key])
        for r, one in enumerate(run.collections.values())
        for c, key in enumerate(costs)
        if one.get(key) is not None
    }
    titles = ("collection", "queries", *metrics, *(key.replace("_", " ") for key in costs))
    return Table(titles, rows, texts=texts, names=frozenset([0]))


def _macro(run: Run) -> Table:
    """Tell of each metric how the collections differ."""
    rows: list[list[Cell]] = [
        [metric, *(_cell(one.get(key)) for key in MACRO), *(one.get(key) for key in ENDS)]
        for metric, one in run.macro.items()
    ]
    titles = ("over collections", *MACRO, "best in", "worst in")
    return Table(titles, rows, names=frozenset([0, 6, 7]))


def _parts(title: str, parts: Mapping[str, Mapping[str, Any]]) -> Table:
    """Give each category or collection a row: its queries, then its scores."""
    metrics = list(dict.fromkeys(name for one in parts.values() for name in one))
    metrics = [name for name in metrics if name != "queries"]
    rows: list[list[Cell]] = [
        [name, one.get("queries"), *(_cell(one.get(metric)) for metric in metrics)]
        for name, one in parts.items()
    ]
    return Table((title, "queries", *metrics), rows, names=frozenset([0]))


def _latency(run: Run) -> Table:
    """Give the whole search a row, and each of its stages; a system has none but the search."""
    stages = {**run.latency_ms.get("stages", {})}
    stages.pop("search", None)
    given = [["embed", {}]] if has_given_queries(run.latency_ms) else []
    rows = [["search", run.latency_ms], *given, *([name, one] for name, one in stages.items())]
    rows = rows if run.latency_ms else []
    texts = {
        (r, c): f"{one[key]:,.2f}" if key in one else GIVEN
        for r, (_, one) in enumerate(rows)
        for c, key in enumerate(LATENCY, 1)
        if key in one or one == {}
    }
    cells: list[list[Cell]] = [
        [LABELS.get(name, name), *(one.get(key) for key in LATENCY)] for name, one in rows
    ]
    return Table(("ms", *LATENCY), cells, texts=texts, names=frozenset([0]))


def _costs(run: Run) -> Table:
    figures = {**run.indexing, **run.storage}
    rows: list[list[Cell]] = [
        [NAMED.get(name, name.replace("_", " ")), value, ""]
        for name, value in figures.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    rows += [
        [f"budget {name}", one.get("value"), _budget(one)] for name, one in run.budgets.items()
    ]
    texts = {(r, 1): _plain(row[1]) for r, row in enumerate(rows)}
    names = frozenset([0, 2])
    titles = ("cost", "value", "budget")
    if not run.budgets:
        return Table(titles[:2], [row[:2] for row in rows], texts=texts, names=frozenset([0]))
    return Table(titles, rows, texts=texts, names=names)


def _budget(one: Mapping[str, Any]) -> str:
    least = "at least " if is_minimum(one) else ""
    return f"{least}{_plain(one.get('budget'))}: {one.get('state')}"


def _repeats(run: Run) -> Table:
    flat = flattened(run.repeats)
    rows: list[list[Cell]] = [[name, _plain(value)] for name, value in flat.items()]
    return Table(("repeated builds", "value"), rows, names=frozenset([0]))


def _worst(report: Report, run: Run, primary: str) -> Table:
    scored = [(row[primary], query) for query, row in run.per_query.items() if primary in row]
    rows: list[list[Cell]] = [
        [query, score, str(report.queries.get(query, {}).get("text", ""))]
        for score, query in sorted(scored, key=lambda one: one[0])[:WORST]
    ]
    caption = "Queries with the lowest scores"
    if not any(row[2] for row in rows):
        return Table(("query", primary), [row[:2] for row in rows], caption)
    return Table(("query", primary, "text"), rows, caption)


def _slowest(run: Run) -> Table:
    """List the slowest queries, where the time of each is known."""
    known = run.latency_ms.get("queries")
    times = known.items() if isinstance(known, Mapping) else ()
    slow = sorted(times, key=lambda one: -one[1])[:WORST]
    texts = {(r, 1): f"{took:,.2f}" for r, (_, took) in enumerate(slow)}
    rows: list[list[Cell]] = [[query, took] for query, took in slow]
    return Table(("query", "ms"), rows, "Slowest queries", texts=texts)


def _failed(run: Run) -> Table:
    rows: list[list[Cell]] = [[query, why] for query, why in run.failed.items()]
    return Table(("query", "reason"), rows, f"Queries that failed, and score 0: {len(rows):,}")


def _cell(value: object) -> Cell:
    return value if isinstance(value, int | float | str) else None


def _plain(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "-" if value is None else str(value)
    if isinstance(value, int) or float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.2f}" if abs(value) >= 100 else f"{value:.4g}"
