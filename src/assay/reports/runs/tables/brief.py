"""Brief: one line per run: its score, what it changes, what it costs, and the verdict."""

from dataclasses import replace

from assay.records import Candidate, Cell, Report, Run, Table
from assay.records.times import incomparable, timed_runs
from assay.reports.comparisons.decisions import heading
from assay.reports.fits import fits, fits_named
from assay.reports.runs.phrases.run_numbers import number_runs
from assay.reports.runs.tables.summary import FEWER, LEGENDS

__all__ = ["brief"]

COSTS = (
    ("p95 ms", "latency_ms", "p95", ",.2f"),
    ("index s", "indexing", "seconds", ",.1f"),
    ("bytes/doc", "storage", "bytes_per_document", ",.0f"),
)

SPARED = ("index s", "bytes/doc")  # go where there is no room for whole words in names
LAST = ("p95 ms", "change")  # go where all runs would be repeated for them


def brief(report: Report, *, width: int | None = None) -> Table:
    """Lay out a benchmark so that it fits on a screen; the best of each column is marked.

    Where that is wider than ``width``, costs are left out rather than to repeat all runs for them.
    """
    table, names = _whole(report), [run.name for run in report.runs]
    for title in (*SPARED, *LAST) if width is not None else ():
        if (fits_named if title in SPARED else fits)(number_runs(table, names), width or 0):
            break
        table = _without(table, table.titles.index(title))
    return table


def _without(table: Table, column: int) -> Table:
    """Leave out a column."""
    kept = [at for at in range(len(table.titles)) if at != column]
    place = {at: new for new, at in enumerate(kept)}
    return replace(
        table,
        titles=tuple(table.titles[at] for at in kept),
        rows=[[row[at] for at in kept] for row in table.rows],
        best=frozenset((row, place[at]) for row, at in table.best if at in place),
        texts={(row, place[at]): text for (row, at), text in table.texts.items() if at in place},
        names=frozenset(place[at] for at in table.names if at in place),
    )


def _whole(report: Report) -> Table:
    primary = str(report.benchmark["primary"])
    compared = report.comparisons
    decided = {one.run: one for one in compared.candidates} if compared else {}
    baseline = compared.baseline if compared else ""
    rows = [
        _row(run, primary, decided.get(run.name), _verdict(report, run, baseline))
        for run in report.runs
    ]
    titles = ("run", primary, "change", *(title for title, *_ in COSTS), "verdict")
    shown = {
        (at, column): text
        for at, run in enumerate(report.runs)
        for column, text in _texts(run, primary, decided.get(run.name)).items()
    }
    whole = [run.status != "beaten" for run in report.runs]  # the others were asked less
    timed = not incomparable(timed_runs(report.runs))
    best = frozenset(
        (at, column)
        for column in (1, 3, 4, 5)
        for at in _best(
            [
                row[column] if kept and (column != 3 or timed) else None
                for row, kept in zip(rows, whole, strict=True)
            ],
            lower=column > 1,
        )
    )
    legend = "" if all(whole) else LEGENDS[FEWER]
    return Table(titles, rows, legend, texts=shown, best=best, names=frozenset([len(titles) - 1]))


def _row(run: Run, primary: str, candidate: Candidate | None, verdict: str) -> list[Cell]:
    change = candidate.metrics[primary].difference if candidate else None
    costs = [getattr(run, part).get(key) for _, part, key, _ in COSTS]
    return [run.name, run.scores.get(primary), change, *costs, verdict]


def _verdict(report: Report, run: Run, baseline: str) -> str:
    """Return the verdict, and why a run has no comparison."""
    state = {one["run"]: f"beaten after {one['after']:,}" for one in report.race.get("beaten", ())}
    why = state.get(run.name, "" if run.status == "completed" else run.status)
    if (verdict := report.verdicts.get(run.name)) is not None:
        shout = heading(verdict.outcome, verdict.queries_needed)
        return f"{shout} ({why})" if why else shout
    return why or ("baseline" if run.name == baseline else "-")


def _texts(run: Run, primary: str, candidate: Candidate | None) -> dict[int, str]:
    texts = {
        3 + at: f"{value:{form}}"
        for at, (_, part, key, form) in enumerate(COSTS)
        if (value := getattr(run, part).get(key)) is not None
    }
    if run.status == "beaten" and run.scores.get(primary) is not None:
        texts[1] = f"{run.scores[primary]:.4f}{FEWER}"
    if candidate is not None:
        texts[2] = f"{candidate.metrics[primary].difference:+.4f}"
    return texts


def _best(values: list[Cell], *, lower: bool) -> list[int]:
    known = [value for value in values if isinstance(value, int | float)]
    if len(known) < 2:
        return []
    top = min(known) if lower else max(known)
    return [at for at, value in enumerate(values) if value == top]
