"""Of a query: what each run scores on it, and the first documents side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.records import Cell, Report, Run, Table
from assay.reports.layout import layout
from assay.reports.shorten_names import shorten_names
from assay.text.join_list import first_few

__all__ = ["missed_tables", "of_query", "of_query_json"]

FIRST = 10  # documents that a table shows
FEW = 4  # runs that each have a column, also if their documents are the same
LEAST = 14  # characters that a shortened name keeps
MOST = 20  # documents that are named: no more than a run names, and in the same order
MISSED = 3  # runs that are named one by one


def of_query(report: Report, query: str, *, width: int | None = None) -> list[Table]:
    """Lay out scores by run, then rankings, then what is missing and where it was lost.

    In a ranking a judged document has its grade beside it. As many rankings stand side by side as
    ``width`` has room for with whole names of documents.
    """
    metrics = [str(name) for name in report.benchmark["metrics"]]
    rows: list[list[Cell]] = [
        [
            run.name,
            *(run.per_query.get(query, {}).get(name) for name in metrics),
            _failed(run, query),
        ]
        for run in report.runs
    ]
    titles = ("run", *metrics, "reason")
    if not any(row[-1] for row in rows):
        titles, rows = titles[:-1], [row[:-1] for row in rows]
    return [
        Table(titles, rows, best=_best(rows, len(metrics))),
        *_rankings(report, query, width),
        *missed_tables(report, query, _grades(report, query)),
    ]


def _failed(run: Run, query: str) -> str:
    return str(run.failed.get(query, ""))


def _best(rows: list[list[Cell]], metrics: int) -> frozenset[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for column in range(1, metrics + 1):
        known = [row[column] for row in rows if isinstance(row[column], float)]
        if len(set(known)) > 1:
            top = max(known)  # type: ignore[type-var]
            found |= {(r, column) for r, row in enumerate(rows) if row[column] == top}
    return frozenset(found)


def _rankings(report: Report, query: str, width: int | None) -> list[Table]:
    runs = [run for run in report.runs if query in run.rankings]
    depth = min(FIRST, max((len(run.rankings[query]) for run in runs), default=0))
    if not depth:
        return []
    grades = _grades(report, query)
    groups = _alike(runs, query, depth)
    unit = str(report.benchmark.get("unit", "document"))
    caption = f"Top {unit}s" + ("; [n] is the grade" if grades else "")
    caption += "; (+n): n more runs with the same ranking" if len(groups) < len(runs) else ""
    tables: list[Table] = []
    side: dict[str, Run] = {}
    for title, run in _titled(groups, width).items():
        wider = _beside({**side, title: run}, query, depth, grades)
        if side and width is not None and _columns(wider) > width:
            tables.append(_beside(side, query, depth, grades))
            side = {}
        side[title] = run
    tables.append(_beside(side, query, depth, grades))
    return [replace(tables[0], caption=caption), *tables[1:]]


def _alike(runs: list[Run], query: str, depth: int) -> list[list[Run]]:
    """Put runs together that have the same first documents, where there are many."""
    groups: dict[object, list[Run]] = {}
    for at, run in enumerate(runs):
        same = run.rankings[query][:depth] if len(runs) > FEW else at
        groups.setdefault(same, []).append(run)
    return [*groups.values()]


def _titled(groups: list[list[Run]], width: int | None) -> dict[str, Run]:
    """Name each group by its first run, in a third of the room that there is."""
    names = [group[0].name for group in groups]
    short = names if width is None else shorten_names(names, max(LEAST, width // 3))
    more = [f" (+{len(group) - 1})" if group[1:] else "" for group in groups]
    pairs = zip(short, more, groups, strict=True)
    return {f"{name}{others}": group[0] for name, others, group in pairs}


def _columns(table: Table) -> int:
    return max(sum(len(piece.text) for piece in line) for line in layout(table))


def _beside(titled: dict[str, Run], query: str, depth: int, grades: Mapping[str, float]) -> Table:
    """Put the rankings of some runs side by side."""
    runs = [*titled.values()]
    rows: list[list[Cell]] = [
        [at + 1, *(_document(run.rankings[query][at : at + 1], grades) for run in runs)]
        for at in range(depth)
    ]
    best = frozenset(
        (at, column)
        for at in range(depth)
        for column, run in enumerate(runs, 1)
        if any(grades.get(one, 0) > 0 for one in run.rankings[query][at : at + 1])
    )
    names = frozenset(range(1, len(runs) + 1))
    return Table(("rank", *titled), rows, best=best, names=names)


def _document(found: tuple[str, ...], grades: Mapping[str, float]) -> str:
    if not found:
        return ""
    return f"[{grades[found[0]]:g}] {found[0]}" if found[0] in grades else found[0]


def _grades(report: Report, query: str) -> dict[str, float]:
    told = report.queries.get(query, {})
    known = (told.get("expected", {}), told.get("judged", {}))
    return {name: grade for one in known if isinstance(one, Mapping) for name, grade in one.items()}


def of_query_json(report: Report, query: str) -> dict[str, Any]:
    """Return what ``assay show REPORT --query KEY --json`` prints."""
    grades = _grades(report, query)
    return {
        "query": query,
        **{key: one for key, one in report.queries.get(query, {}).items() if key != "query"},
        "runs": [
            {
                "run": run.name,
                "scores": dict(run.per_query.get(query, {})),
                "error": run.failed.get(query),
                "losses": dict(run.losses.get(query, {})),
                "missed": dict(run.missed.get(query, {})),
                "missed_more": run.missed_more.get(query, 0),
                "reading": dict(run.reading.get(query, {})),
                "documents": [
                    {"rank": rank, "document": document, "grade": grades.get(document)}
                    for rank, document in enumerate(run.rankings.get(query, ()), 1)
                ],
            }
            for run in report.runs
        ],
    }


def missed_tables(report: Report, query: str, grades: Mapping[str, float]) -> list[Table]:
    """Lay out a row for each document and stage, with the runs in which it is lost there."""
    runs: dict[tuple[str, str], list[str]] = {}
    telling = [run for run in report.runs if run.waterfall]
    for run in telling:
        for document, stage in run.missed.get(query, {}).items():
            runs.setdefault((document, stage), []).append(run.name)
    every = dict.fromkeys(document for document, _ in runs)
    shown = sorted(every, key=lambda one: (-grades.get(one, 0), one))[:MOST]
    rows: list[list[Cell]] = [
        [document, grades.get(document), stage, _named(names, len(telling))]
        for document in shown
        for (other, stage), names in runs.items()
        if other == document
    ]
    inside = report.benchmark.get("unit", "document") != "document"
    what = "Expected items" if inside else "Relevant documents"
    caption = f"{what} not shown above, and the stage that lost each"
    caption += _more(telling, query, len(every), len(shown))
    titles = ("item" if inside else "document", "grade", "lost by", "runs")
    return [Table(titles, rows, caption, names=frozenset({0, 2, 3}))] if rows else []


def _more(telling: Sequence[Run], query: str, known: int, shown: int) -> str:
    """Count those that are not shown; what several runs do not name may be the same, or not."""
    counts = [len(run.missed.get(query, {})) + run.missed_more.get(query, 0) for run in telling]
    left = max(known, *counts, 0) - shown
    unsure = len(telling) > 1 and any(query in run.missed_more for run in telling)
    return f"; and {'at least ' if unsure else ''}{left:,} more" if left else ""


def _named(names: Sequence[str], telling: int) -> str:
    if len(names) == telling > 1:
        return f"all {telling}"
    return first_few(names, MISSED)
