"""Frames of a report: a row per run, per run and metric, or per run and query."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.extras import require_extra
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

if TYPE_CHECKING:
    import polars as pl

    from assay.records.report import Report, Run

__all__ = ["frame_of"]

LATENCY = ("mean", "p50", "p95", "p99")
STORED = {
    "index_bytes": ("storage", "index_bytes"),
    "bytes_per_document": ("storage", "bytes_per_document"),
    "index_seconds": ("indexing", "seconds"),
    "peak_memory_mb": ("indexing", "peak_memory_mb"),
}
Columns = dict[str, list[Any]]
TEXTS = ("run", "status", "verdict", "query", "text", "category", "collection", "metric")
KINDS = {
    "errors": int,
    "index_bytes": int,
    "failed": bool,
    "leaked": bool,
    "opened": int,
    "tokens": int,
}


def frame_of(report: "Report", of: str) -> "pl.DataFrame":
    """Return the frame that is asked for: runs, scores or queries."""
    made: dict[str, Callable[[Report], Columns]] = {
        "runs": _runs,
        "scores": _scores,
        "queries": _queries,
    }
    if of not in made:
        hint = did_you_mean(str(of), made, otherwise=f"available: {', '.join(made)}")
        raise InputError(f"unknown frame {quote_value(str(of))}", where="report", hint=hint)
    return _framed(made[of](report))


def _framed(columns: Columns) -> "pl.DataFrame":
    """Give each column the type of what is in it: texts, whole numbers, numbers, or yes and no."""
    require_extra("frames", "a frame needs the package polars")
    import polars as pl  # costs more than reading most reports

    types = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}
    kinds = {name: _kind(name, values) for name, values in columns.items()}
    told = {name: [_as(kinds[name], one) for one in values] for name, values in columns.items()}
    return pl.DataFrame(told, schema={name: types[kind] for name, kind in kinds.items()})


def _kind(name: str, values: Sequence[Any]) -> type:
    if name in TEXTS or name in KINDS:
        return KINDS.get(name, str)
    found = {type(value) for value in values if value is not None}
    if not found or found == {int, float}:
        return float
    return found.pop() if len(found) == 1 and found <= {int, float, bool} else str


def _as(kind: type, value: object) -> object:
    if value is None or isinstance(value, kind):
        return value
    if kind is str and isinstance(value, list | tuple):
        return "/".join(map(str, value))
    return kind(value)


def _runs(report: "Report") -> Columns:
    """Lay out what each run is, scores and costs."""
    columns: Columns = {"run": [run.name for run in report.runs]}
    columns["status"] = [run.status for run in report.runs]
    fixed = [*_figures(report), *_decided(report)]
    for name, values in _settings(report.runs).items():
        columns[f"{name} (setting)" if name in {*columns, *fixed} else name] = values
    return columns | _figures(report) | _decided(report)


def _settings(runs: Sequence["Run"]) -> Columns:
    """Return the settings that differ between runs."""
    told = [_flat(run.configuration) for run in runs]
    names = dict.fromkeys(name for one in told for name in one)
    columns = {name: [one.get(name) for one in told] for name in names}
    return {name: values for name, values in columns.items() if len({*map(repr, values)}) > 1}


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        nested = isinstance(value, Mapping) and value
        more = {f"{name}.{key}": one for key, one in _flat(value).items()} if nested else {}
        flat |= more or {name: value}
    return flat


def _figures(report: "Report") -> Columns:
    columns: Columns = {}
    for metric in _metrics(report):
        columns[metric] = [_float(run.scores.get(metric)) for run in report.runs]
        columns[f"{metric}_low"] = [_end(run, metric, "low") for run in report.runs]
        columns[f"{metric}_high"] = [_end(run, metric, "high") for run in report.runs]
    for part in LATENCY:
        columns[f"latency_{part}_ms"] = [_float(run.latency_ms.get(part)) for run in report.runs]
    for name, (home, key) in STORED.items():
        columns[name] = [getattr(run, home).get(key) for run in report.runs]
    return columns | {"errors": [run.errors for run in report.runs]}


def _decided(report: "Report") -> Columns:
    """Return the verdict on each candidate; the baseline has none."""
    compared, decided = report.comparisons, report.verdicts
    found = {one.run: one for one in compared.candidates} if compared is not None else {}
    primary = compared.primary if compared is not None else ""
    about = [
        found[run.name].metrics.get(primary) if run.name in found else None for run in report.runs
    ]
    return {
        "difference": [one.difference if one else None for one in about],
        "difference_low": [one.interval.low if one else None for one in about],
        "difference_high": [one.interval.high if one else None for one in about],
        "p_corrected": [one.p_corrected if one else None for one in about],
        "verdict": [decided[r.name].outcome if r.name in decided else None for r in report.runs],
    }


def _scores(report: "Report") -> Columns:
    """Lay out a row per run and metric."""
    rows = [(run, metric) for run in report.runs for metric in run.scores]
    return {
        "run": [run.name for run, _ in rows],
        "metric": [metric for _, metric in rows],
        "score": [run.scores[metric] for run, metric in rows],
        "low": [_end(run, metric, "low") for run, metric in rows],
        "high": [_end(run, metric, "high") for run, metric in rows],
    }


def _queries(report: "Report") -> Columns:
    """Lay out a row per run and query: what it scores, and what it gains over the baseline."""
    rows = [(run, key) for run in report.runs for key in run.per_query]
    known = [report.queries.get(key, {}) for _, key in rows]
    columns: Columns = {"query": [key for _, key in rows], "run": [run.name for run, _ in rows]}
    columns |= {
        name: [one.get(name) for one in known] for name in ("text", "category", "collection")
    }
    for metric in _metrics(report):
        columns[metric] = [_float(run.per_query[key].get(metric)) for run, key in rows]
    columns["difference"] = _differences(report, rows)
    columns["latency_ms"] = [(run.latency_ms.get("queries") or {}).get(key) for run, key in rows]
    columns["failed"] = [key in run.failed for run, key in rows]
    columns["leaked"] = [one.get("leaked") for one in known]
    for name in ("opened", "tokens"):
        columns[name] = [(run.reading.get(key) or {}).get(name) for run, key in rows]
    return columns


def _differences(report: "Report", rows: Sequence[tuple["Run", str]]) -> list[float | None]:
    """Subtract the baseline's score of the primary metric; the baseline has none."""
    compared = report.comparisons
    name = compared.baseline if compared is not None else report.benchmark.get("baseline")
    primary = str(compared.primary if compared is not None else report.benchmark.get("primary"))
    base = next((run for run in report.runs if run.name == name), None)
    found: list[float | None] = []
    for run, key in rows:
        before = base.per_query.get(key, {}).get(primary) if base is not None else None
        after = run.per_query[key].get(primary)
        other = before is not None and after is not None and run is not base
        found.append(after - before if other else None)  # type: ignore[operator]
    return found


def _metrics(report: "Report") -> list[str]:
    asked = [str(name) for name in report.benchmark.get("metrics") or ()]
    return list(dict.fromkeys([*asked, *(name for run in report.runs for name in run.scores)]))


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


def _end(run: "Run", metric: str, end: str) -> float | None:
    interval = run.intervals.get(metric)
    return None if interval is None else getattr(interval, end)
