"""Brief: one line per run: its score, its gain, what it costs, and the verdict."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assay.records import Candidate, Cell, Report, Run, Table
from assay.records.command import report_place
from assay.records.times import incomparable, timed_runs
from assay.reports.comparisons.decisions import heading
from assay.reports.fits import fits, fits_named, fits_whole
from assay.reports.metric_direction import is_lower_better
from assay.reports.rival import baseline_of
from assay.reports.runs.phrases.answer import answer
from assay.reports.runs.phrases.run_label import run_label
from assay.reports.runs.phrases.run_numbers import is_numbered, number_runs
from assay.reports.runs.tables.summary import FEWER, LEGENDS
from assay.text.figures import difference_text
from assay.text.join_list import join_list

__all__ = ["brief"]

MOST = 20  # runs of a screen
LONG = 20  # characters of a baseline's name that a title can hold
CI = "95% CI"
# What goes first where there is no room; from the third on, rather names are shortened.
UNWEIGHTED = "unweighted"
SPARED = (CI, UNWEIGHTED, "KB/doc", "p95 ms")


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of values, as they are shown, and whether its best value is marked."""

    title: str
    value: Callable[[Run], Cell]
    text: Callable[[Run], str]
    best: Callable[[Sequence[float]], float] | None = None


def brief(
    report: Report, *, width: int | None = None, most: int | None = None, whole: bool = False
) -> Table:
    """Lay out a benchmark so that it fits on a screen; the best of each column is marked.

    Where that is wider than ``width``, further metrics go first, then intervals and costs, rather
    than to repeat all runs for them. Of more than ``most`` runs those with the highest scores are
    shown, with the baseline and the pick. Names are shortened to fit, unless they stay ``whole``.
    """
    runs, names = _chosen(report, most), [run.name for run in report.runs]
    columns = _columns(report)
    table = _table(report, runs, columns)
    if width is None:
        return table
    every, metrics = (
        columns,
        [one.title for one in columns if one.title in report.benchmark["metrics"][1:]],
    )
    for title in (*reversed(metrics), *SPARED, _gain_title(report)):
        last = title == SPARED[-1] or title == _gain_title(report)
        fitted = fits_whole if whole else fits if last else fits_named
        if fitted(number_runs(table, names), width):
            break
        columns = [one for one in columns if one.title != title]
        table = _table(report, runs, columns)
    left = [one.title for one in every if one not in columns]
    shown = f"`assay show {report_place(report)}`" if report.id else "`assay show`"
    hidden = f"no room for {join_list(left)}: {shown} has all" if left else ""
    return replace(table, caption="; ".join(filter(None, [table.caption, hidden])))


def _chosen(report: Report, most: int | None) -> list[Run]:
    """Choose the runs of a screen, in their order."""
    if most is None or len(report.runs) <= most:
        return list(report.runs)
    primary, found = str(report.benchmark["primary"]), answer(report)
    baseline = report.comparisons.baseline if report.comparisons else ""
    first = {found.run, found.runner_up.run if found.runner_up else "", baseline}
    ordered = sorted(
        report.runs, key=lambda run: (run.name not in first, -run.scores.get(primary, -1.0))
    )
    kept = {run.name for run in ordered[:most]}
    return [run for run in report.runs if run.name in kept]


def _table(report: Report, runs: Sequence[Run], columns: Sequence[_Column]) -> Table:
    cells = [[run.name, *(one.value(run) for one in columns)] for run in runs]
    texts = {
        (row, at): one.text(run)
        for row, run in enumerate(runs)
        for at, one in enumerate(columns, 1)
    }
    best = frozenset(
        (row, at)
        for at, one in enumerate(columns, 1)
        if one.best is not None
        for row in _best(runs, [row[at] for row in cells], one)
    )
    titles = ("run", *(one.title for one in columns))
    names = frozenset(at for at, title in enumerate(titles) if title == "verdict")
    return Table(titles, cells, _legend(report, runs), texts=texts, best=best, names=names)


def _legend(report: Report, runs: Sequence[Run]) -> str:
    """Explain the marks, and say how many runs are not shown."""
    told = [LEGENDS[FEWER]] if any(run.status == "beaten" for run in runs) else []
    if len(runs) < len(report.runs):
        whole = f"`assay show {report_place(report)}`" if report.id else "`assay show`"
        told.append(f"{len(runs)} of {len(report.runs):,} runs; {whole} lists all")
    return "; ".join(told)


def _best(runs: Sequence[Run], values: Sequence[Cell], column: _Column) -> list[int]:
    """Return the rows with the best value; runs that were stopped early do not compete."""
    rivals = [
        value if run.status != "beaten" and isinstance(value, int | float) else None
        for run, value in zip(runs, values, strict=True)
    ]
    known = [value for value in rivals if value is not None]
    if len(known) < 2 or column.best is None:
        return []
    return [row for row, value in enumerate(rivals) if value == column.best(known)]


def _columns(report: Report) -> list[_Column]:
    """List the columns in their order; those without a value in any run are left out."""
    primary = str(report.benchmark["primary"])
    compared = report.comparisons
    decided = {one.run: one for one in compared.candidates} if compared else {}
    timed = not incomparable(timed_runs(report.runs))
    columns = [_score(report, primary), _unweighted(primary)]
    if decided:
        columns += [
            _change(_gain_title(report), decided, primary),
            _interval(decided, primary),
        ]
    columns += [_score(report, name) for name in report.benchmark["metrics"] if name != primary]
    columns += [
        _cost("p95 ms", "latency_ms", "p95", 1, marked=timed),
        _cost("KB/doc", "storage", "bytes_per_document", 1000),
    ]
    if any(run.errors for run in report.runs):
        columns.append(_Column("errors", lambda run: run.errors, lambda run: f"{run.errors:,}"))
    known = [one for one in columns if any(one.value(run) is not None for run in report.runs)]
    if not known:
        known = columns[:1]
    if decided or any(run.status != "completed" for run in report.runs):
        known.append(_verdicts(report))
    return known


def _gain_title(report: Report) -> str:
    """Name the baseline in the title, by its number where tables number the runs."""
    if report.comparisons is None:
        return "vs baseline"
    name = report.comparisons.baseline
    if is_numbered([run.name for run in report.runs]):
        name = run_label(report, name).partition(" (")[0]
    return f"vs {name}" if len(name) <= LONG else "vs baseline"


def _score(report: Report, metric: str) -> _Column:
    def text(run: Run) -> str:
        value = run.scores.get(metric)
        fewer = FEWER if run.status == "beaten" else ""
        return "-" if value is None else f"{value:.3f}{fewer}"

    best = min if is_lower_better(report, metric) else max
    return _Column(metric, lambda run: run.scores.get(metric), text, best)


def _unweighted(metric: str) -> _Column:
    """Show the score with every query counting the same, where queries have weights."""

    def text(run: Run) -> str:
        value = run.scores_unweighted.get(metric)
        return "" if value is None else f"{value:.3f}"

    return _Column(UNWEIGHTED, lambda run: run.scores_unweighted.get(metric), text)


def _change(title: str, decided: dict[str, Candidate], primary: str) -> _Column:
    def value(run: Run) -> Cell:
        one = decided.get(run.name)
        return one.metrics[primary].difference if one else None

    def text(run: Run) -> str:
        found = value(run)
        return difference_text(found) if isinstance(found, float) else ""

    return _Column(title, value, text)


def _interval(decided: dict[str, Candidate], primary: str) -> _Column:
    def text(run: Run) -> str:
        one = decided.get(run.name)
        ends = one.metrics[primary].interval if one else None
        if ends is None:
            return ""
        if abs(ends.high) == float("inf"):
            return "-"
        return f"[{difference_text(ends.low)}, {difference_text(ends.high)}]"

    return _Column(CI, lambda run: text(run) or None, text)


def _cost(title: str, part: str, key: str, unit: float, *, marked: bool = True) -> _Column:
    def value(run: Run) -> Cell:
        found = getattr(run, part).get(key)
        return None if found is None else found / unit

    def text(run: Run) -> str:
        found = value(run)
        return "-" if found is None else f"{found:,.1f}"

    return _Column(title, value, text, min if marked else None)


def _verdicts(report: Report) -> _Column:
    found = answer(report)
    chosen = found.run if found.status in ("SHIP", "KEEP", "PICK", "LEADING") else ""
    arrow = "  <- leading" if found.status == "LEADING" else "  <- pick"

    def text(run: Run) -> str:
        return f"{_verdict(report, run)}{arrow if run.name == chosen else ''}"

    return _Column("verdict", text, text)


def _verdict(report: Report, run: Run) -> str:
    """Return the verdict, and why a run has no comparison."""
    stopped = {one["run"]: one["after"] for one in report.race.get("beaten", ())}
    why: str = "" if run.status == "completed" else run.status
    if run.name in stopped:
        why = f"stopped early after {stopped[run.name]:,}"
    if (verdict := report.verdicts.get(run.name)) is not None:
        shout = heading(verdict.outcome, verdict.queries_needed)
        return f"{shout} ({why})" if why else shout
    return why or ("baseline" if run.name == baseline_of(report) else "")
