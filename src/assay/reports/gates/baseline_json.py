"""A blessed baseline <-> the JSON file that is committed: small, and easy to review."""

import json as plain_json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from assay.errors import InputError
from assay.records import Report
from assay.records.baseline import Baseline, Blessing
from assay.reports.runs.json.json import json
from assay.reports.runs.json.read import report_of
from assay.text.near_miss import did_you_mean

__all__ = ["BASELINE_KEY", "baseline_text", "read_baseline"]

BASELINE_KEY = "baseline_version"
VERSION = 1
KINDS = ("allow", "min", "max", "preset")
HINT = "write it again with `assay baseline bless REPORT`"
DEEP = 4  # levels below which a value is on one line: a diff then shows what changed
EMPTY: tuple[object, ...] = ({}, [], None, "")


def baseline_text(baseline: Baseline) -> str:
    """Write the file: scores are in columns, one line per run and metric."""
    told = {
        BASELINE_KEY: VERSION,
        "name": baseline.name,
        "blessed": _blessing(baseline.blessing),
        "checks": {kind: list(some) for kind, some in baseline.checks.items() if some},
        "history": [_blessing(one) for one in baseline.history],
        "report": _report(baseline.report),
    }
    return _lines(told) + "\n"


def _blessing(one: Blessing) -> dict[str, Any]:
    date = one.date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    about = {"date": date, "commit": one.commit or None, "report": one.report or None}
    return {**about, "scores": dict(one.scores)}


def _report(report: Report) -> dict[str, Any]:
    """Leave out what is empty, and put the scores of queries into columns."""
    whole = json(report)
    queries = list(dict.fromkeys(query for run in report.runs for query in run.per_query))
    told = {key: value for key, value in whole.items() if value not in EMPTY}
    runs = [_run(one, queries) for one in whole["runs"]]
    return told | {"runs": runs, "queries": _columns(whole["queries"], queries)}


def _run(run: Mapping[str, Any], queries: Sequence[str]) -> dict[str, Any]:
    told = {key: value for key, value in run.items() if value not in EMPTY and key != "errors"}
    rows = told.pop("per_query", {})
    names = dict.fromkeys(name for row in rows.values() for name in row)
    columns = {
        name: [rows[query].get(name) if query in rows else None for query in queries]
        for name in names
    }
    return told | {"per_query": columns}


def _columns(queries: Mapping[str, Mapping[str, Any]], scored: Sequence[str]) -> dict[str, Any]:
    """Write the facts of the queries as columns beside their ids."""
    keys = [*scored, *(key for key in queries if key not in set(scored))]
    names = dict.fromkeys(name for one in queries.values() for name in one)
    return {"id": keys} | {name: [queries.get(key, {}).get(name) for key in keys] for name in names}


def _lines(value: object, level: int = 0) -> str:
    """Write JSON with a line for each value, but on one line what is deep or a list of values."""
    plain = isinstance(value, list) and not any(isinstance(one, dict) for one in value)
    if not value or level >= DEEP or plain or not isinstance(value, dict | list):
        return plain_json.dumps(value, ensure_ascii=False, allow_nan=False)
    pad = "  " * (level + 1)
    if isinstance(value, dict):
        parts = [f"{_key(key)}: {_lines(one, level + 1)}" for key, one in value.items()]
    else:
        parts = [_lines(one, level + 1) for one in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{opening}\n{pad}" + f",\n{pad}".join(parts) + f"\n{pad[:-2]}{closing}"


def _key(key: object) -> str:
    return plain_json.dumps(str(key), ensure_ascii=False)


def read_baseline(value: Mapping[str, Any], *, where: str, file: str = "") -> Baseline:
    """Read what a file holds; each part that is not as it was written is refused."""
    version = value.get(BASELINE_KEY)
    if version != VERSION:
        problem = (
            f"its {BASELINE_KEY} is {str(version)[:20]}; this version of Assay reads {VERSION}"
        )
        raise InputError(problem, where=where, hint="update Assay, or bless a report again")
    try:
        name, blessed, told = value["name"], value["blessed"], value["report"]
        return Baseline(
            name=str(name),
            report=report_of(_rows(told), where=where),
            blessing=_read_blessing(blessed),
            checks=_read_checks(value.get("checks") or {}, where),
            history=tuple(_read_blessing(one) for one in value.get("history") or ()),
            file=file,
        )
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        problem = f"not a baseline as Assay writes it ({type(error).__name__})"
        raise InputError(problem, where=where, hint=HINT) from None


def _read_blessing(value: Mapping[str, Any]) -> Blessing:
    date = datetime.fromisoformat(str(value["date"]))
    return Blessing(
        date if date.tzinfo else date.replace(tzinfo=UTC),
        str(value.get("commit") or ""),
        str(value.get("report") or ""),
        {str(name): float(score) for name, score in (value.get("scores") or {}).items()},
    )


def _read_checks(value: Mapping[str, Any], where: str) -> dict[str, tuple[str, ...]]:
    """Read the checks, which people may edit: a text, or a list of them."""
    for kind in value:
        if kind not in KINDS:
            hint = did_you_mean(str(kind), KINDS)
            raise InputError(f'unknown kind of checks "{str(kind)[:60]}"', where=where, hint=hint)
    return {
        kind: (some,) if isinstance(some, str) else tuple(str(one) for one in some)
        for kind, some in value.items()
    }


def _rows(told: Mapping[str, Any]) -> dict[str, Any]:
    """Turn columns into the rows that a report has, and add the empty parts."""
    columns = dict(told["queries"])
    keys = [str(key) for key in columns.pop("id")]
    _refuse_ragged(keys, columns)
    if len(set(keys)) < len(keys) or not isinstance(told["runs"], list):
        raise ValueError("id")
    queries = {
        key: {name: values[at] for name, values in columns.items() if values[at] is not None}
        for at, key in enumerate(keys)
    }
    empty: dict[str, Any] = {"comparisons": [], "verdicts": [], "recommendations": {}, "truth": {}}
    empty |= {"dataset": {}, "corpus": {}, "environment": {}}
    return {**empty, **told, "queries": queries, "runs": [_run_rows(r, keys) for r in told["runs"]]}


def _run_rows(run: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    columns = run.get("per_query") or {}
    _refuse_ragged(keys, columns)
    rows = {
        key: {name: values[at] for name, values in columns.items() if values[at] is not None}
        for at, key in enumerate(keys)
    }
    parts = ("scores", "intervals", "latency_ms", "indexing", "storage", "categories")
    empty: dict[str, Any] = {part: {} for part in (*parts, "configuration", "budgets", "failed")}
    about = {"errors": len(run.get("failed") or {}), "fingerprint": "", "error": ""}
    return {**empty, **about, **run, "per_query": {key: row for key, row in rows.items() if row}}


def _refuse_ragged(keys: Sequence[str], columns: Mapping[str, Any]) -> None:
    """Refuse a column that lost values: those after it would be of other queries."""
    for name, values in columns.items():
        if not isinstance(values, list) or len(values) != len(keys):
            raise ValueError(name)
