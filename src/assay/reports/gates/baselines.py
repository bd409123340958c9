"""Blessed baselines in tables, lines and JSON."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from assay.records import Cell, Run, Table
from assay.records.baseline import Baseline, Blessing
from assay.text.count_noun import count_noun
from assay.text.join_list import first_few

__all__ = [
    "baseline_json",
    "baseline_lines",
    "baselines_table",
    "blessed_lines",
    "scores_table",
]

SHORT = 12  # characters of a commit
MOST_RUNS = 3
MOST_HISTORY = 5


def baseline_json(one: Baseline) -> dict[str, Any]:
    """Return what ``assay baseline show --json`` prints: everything but the scores of queries."""
    return {
        "name": one.name,
        "file": one.file,
        "benchmark": one.report.benchmark.get("name"),
        "primary": one.report.benchmark.get("primary"),
        "queries": _queries(one),
        **_blessing(one.blessing),
        "checks": {kind: list(some) for kind, some in one.checks.items()},
        "runs": [_run(run) for run in one.report.runs],
        "environment": dict(one.report.environment),
        "history": [_blessing(each) for each in one.history],
    }


def _blessing(one: Blessing) -> dict[str, Any]:
    about = {"date": one.date.isoformat(), "commit": one.commit or None}
    return {**about, "report": one.report or None, "scores": dict(one.scores)}


def _run(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "fingerprint": run.fingerprint,
        "scores": dict(run.scores),
        "latency_ms": {key: run.latency_ms[key] for key in ("p50", "p95") if key in run.latency_ms},
        "storage": dict(run.storage),
        "errors": run.errors,
    }


def _queries(one: Baseline) -> int:
    return len({query for run in one.report.runs for query in run.per_query})


def blessed_lines(new: Baseline, earlier: Baseline | None) -> Iterator[str]:
    """Say what was blessed, and what it replaces."""
    counted = count_noun(len(new.report.runs), "run")
    queries = count_noun(_queries(new), "query")
    yield f"blessed {new.name}: {counted}, {queries}{_commit(new.blessing)}"
    yield _checks(new)
    if earlier is not None:
        was = earlier.blessing
        yield f"replaces the baseline of {was.date:%Y-%m-%d}{_commit(was)}"
    yield from _drift(new)


def baseline_lines(one: Baseline, *, now: datetime) -> Iterator[str]:
    """Say what a baseline is: its age, its commit, its checks, and those before it."""
    counted = count_noun(len(one.report.runs), "run")
    queries = count_noun(_queries(one), "query")
    yield f"{one.name}: {counted}, {queries}, blessed {_age(one, now)}{_commit(one.blessing)}"
    yield _checks(one)
    for each in one.history[-MOST_HISTORY:]:
        scores = [f"{run} {score:.4f}" for run, score in each.scores.items()]
        yield f"before: {each.date:%Y-%m-%d}{_commit(each)}, {first_few(scores, MOST_RUNS)}"
    yield from _drift(one)


def _drift(one: Baseline) -> Iterator[str]:
    """Say how far the primary score moved over all blessings: small losses add up."""
    if not one.history:
        return
    first, last = one.history[0], one.blessing
    primary = one.report.benchmark.get("primary")
    for run, score in last.scores.items():
        before = first.scores.get(run)
        if before is not None and score < before:
            share = f" ({score / before - 1:+.1%})" if before else ""
            since = f"since the first blessing ({first.date:%Y-%m-%d})"
            yield f"{run}: {primary} {score - before:+.4f}{share} {since}"


def _checks(one: Baseline) -> str:
    told = [f"--{kind} {text}" for kind, some in one.checks.items() for text in some]
    return f"checks: {' '.join(told)}" if told else "checks: none stored"


def _age(one: Baseline, now: datetime) -> str:
    days = one.age_days(now)
    ago = f"{count_noun(days, 'day')} ago" if days else "today"
    return f"{one.blessing.date:%Y-%m-%d} ({ago})"


def _commit(one: Blessing) -> str:
    return f", commit {one.commit[:SHORT]}" if one.commit else ""


def scores_table(new: Baseline, earlier: Baseline | None = None) -> Table:
    """Show the scores of each run, beside the earlier primary score where one is replaced."""
    metrics = [str(name) for name in new.report.benchmark["metrics"]]
    titles = ("run", *metrics, "p95 ms", "KB/doc")
    titles += ("before",) if earlier else ()
    rows: list[list[Cell]] = [_scores(run, metrics, earlier) for run in new.report.runs]
    texts = {
        (at, column): f"{value:,.1f}"
        for at, row in enumerate(rows)
        for column in (len(metrics) + 1, len(metrics) + 2)
        if isinstance(value := row[column], float)
    }
    return Table(titles, rows, texts=texts)


def _scores(run: Run, metrics: Sequence[str], earlier: Baseline | None) -> list[Cell]:
    size = run.storage.get("bytes_per_document")
    row: list[Cell] = [run.name, *(run.scores.get(name) for name in metrics)]
    row += [run.latency_ms.get("p95"), None if size is None else size / 1000]
    return [*row, earlier.blessing.scores.get(run.name)] if earlier else row


def baselines_table(found: Sequence[Baseline], *, now: datetime) -> Table:
    """List baselines, one row each."""
    rows: list[list[Cell]] = []
    for one in found:
        scores = [f"{run} {score:.4f}" for run, score in one.blessing.scores.items()]
        commit = one.blessing.commit[:SHORT] or "-"
        primary = str(one.report.benchmark.get("primary"))
        age = one.age_days(now)
        rows.append(
            [one.name, age, commit, _queries(one), f"{primary}: {first_few(scores, MOST_RUNS)}"]
        )
    titles = ("name", "age (days)", "commit", "queries", "scores")
    return Table(titles, rows, names=frozenset({2, 4}))
