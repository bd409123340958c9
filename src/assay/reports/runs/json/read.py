"""Read a report back: JSON -> the records that it was written from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.columns.files.source import Source
from assay.errors import InputError
from assay.records import Report, Run
from assay.reports.runs.json._from_json import interval
from assay.reports.runs.json._read_comparisons import read_comparisons, read_uncompared
from assay.reports.runs.json._read_structure import read_structure
from assay.reports.runs.json._schema import refuse_wrong
from assay.reports.runs.json.json import SCHEMA_VERSION

__all__ = ["load_report", "report_of"]

HINT = "specify a file that `assay run -o report.json` wrote (run files: compare with --qrels)"


def load_report(source: str | Path | bytes, *, where: str = "") -> Report:
    """Read the JSON of a report: a file (also compressed), or what stands in one.

    ``where`` is what messages call it.
    """
    if isinstance(source, bytes):
        content, where = source, where or "the report"
    else:
        with Source(source) as opened:
            content, where = opened.read_all(), where or opened.name
    if not content.lstrip().startswith(b"{"):
        raise InputError("not a benchmark report", where=where, hint=HINT)
    return report_of(strict_json(content, where=where), where=where)


def report_of(value: object, *, where: str) -> Report:
    """Read what the JSON of a report holds."""
    told = _refuse_foreign(value, where)
    refuse_wrong(told, where=where)
    try:
        return _records(told)
    except (LookupError, TypeError, ValueError):  # each part is right, and one denies another
        problem = "inconsistent: runs, comparisons and verdicts do not match"
        raise InputError(problem, where=where, hint=HINT) from None


def _records(told: Mapping[str, Any]) -> Report:
    runs = tuple(map(_run, told["runs"]))
    whole = ("benchmark", "dataset", "corpus", "environment", "recommendations", "truth")
    return Report(
        **{key: told[key] for key in whole},
        runs=runs,
        comparisons=read_comparisons(told, runs),
        notes=tuple(told.get("notes", ())),
        id=told.get("id", ""),
        plan=told.get("plan", {}),
        status=told.get("status", "completed"),
        winner=told.get("winner") or {},
        queries=told.get("queries", {}),
        analysis=told.get("analysis") or {},
        race=told.get("race") or {},
        uncompared=read_uncompared(told),
    )


def _refuse_foreign(value: object, where: str) -> Mapping[str, Any]:
    """Let nothing through but a report of this version; each other kind gets a message."""
    if not isinstance(value, dict) or not {"schema_version", "runs"} <= set(value):
        raise InputError("not a benchmark report", where=where, hint=HINT)
    version = value["schema_version"]
    if isinstance(version, bool) or not isinstance(version, int):
        shown = str(version)[:40]
        raise InputError(f'its schema_version is "{shown}", not a number', where=where, hint=HINT)
    if version != SCHEMA_VERSION:
        newer = version > SCHEMA_VERSION
        problem = f"its schema_version is {version}; this version of Assay reads {SCHEMA_VERSION}"
        hint = "update Assay" if newer else "run the benchmark again to write a new report"
        raise InputError(problem, where=where, hint=hint)
    return value


def _run(value: Mapping[str, Any]) -> Run:
    about = ("name", "fingerprint", "configuration", "status")
    figures = ("scores", "latency_ms", "indexing", "storage", "categories", "per_query")
    later = ("failed", "budgets", "collections", "macro", "repeats")
    found_later = ("waterfall", "losses", "missed", "missed_more", "reading")
    notes = value.get("interval_notes", {})
    found = value.get("structure")
    return Run(
        **{key: value[key] for key in (*about, *figures)},
        **{key: value.get(key, {}) for key in (*later, *found_later)},
        intervals={n: interval(ends, notes.get(n, "")) for n, ends in value["intervals"].items()},
        aliases=tuple(value.get("aliases", ())),
        scores_answered=value.get("scores_answered") or {},
        scores_resolved=value.get("scores_resolved") or {},
        scores_unleaked=value.get("scores_unleaked") or {},
        scores_unweighted=value.get("scores_unweighted") or {},
        reachable=value.get("reachable") or {},
        judged_at_10=value.get("judged@10"),
        notes=tuple(value.get("notes", ())),
        structure=None if found is None else read_structure(found),
        error=value.get("error", ""),
        rankings={query: tuple(found) for query, found in value.get("rankings", {}).items()},
        ranking_scores={key: tuple(one) for key, one in value.get("ranking_scores", {}).items()},
        ranking_symbols=value.get("ranking_symbols", {}),
        others=value.get("others", {}),
    )
