"""What a gate compares: reports, blessed baselines, layouts of other tools, or run files."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.benchmarks.open_report import open_report, split_run
from assay.benchmarks.since.match import ReportSide
from assay.columns import Source
from assay.columns.documents.strict_json import strict_json
from assay.errors import InputError
from assay.records import Report, Run
from assay.records.baseline import Baseline
from assay.reports.gates.baseline_json import BASELINE_KEY, read_baseline
from assay.reports.runs.json.read import report_of
from assay.text.near_miss import near_miss
from assay.workflows.baseline import find_baseline, is_file, list_baselines
from assay.workflows.evaluate import evaluate
from assay.workflows.report_files.fill_scores import fill_scores

__all__ = ["GateSide", "open_side", "score_side"]

HINT = "give a report of `assay run -o report.json`, a blessed baseline, or run files with --qrels"


@dataclass(frozen=True, slots=True)
class GateSide:
    """One side of a gate, and the blessed baseline that it is, if it is one."""

    side: ReportSide
    baseline: Baseline | None = None


def open_side(
    where: object,
    *,
    run: str = "",
    workspace: str | Path | None = None,
    folder: str | Path | None = None,
) -> GateSide:
    """Open a report, a baseline or a layout of another tool, as a file, an id or a name."""
    if (opened := _opened(where, run)) is not None:
        return opened
    if not isinstance(where, str | Path):
        raise InputError(f"cannot read a report from {type(where).__name__}", hint=HINT)
    place, named = split_run(str(where))
    chosen = named or run
    if place == "-" or is_file(place):
        return _from_file(place, chosen)
    if found := find_baseline(place, folder=folder):
        return GateSide(ReportSide(found.name, found.report, chosen), found)
    try:
        report = fill_scores(open_report(place, workspace=workspace))
    except InputError as error:
        known = [one.name for one in list_baselines(folder=folder)]
        if not (close := near_miss(place, known)):
            raise
        hint = f'did you mean the baseline "{close}"?'
        raise InputError(error.problem, where=error.where, hint=hint) from None
    return GateSide(ReportSide(place, report, chosen))


def _opened(where: object, run: str) -> GateSide | None:
    """Take what is at hand: a report, with the run that is meant, or a baseline."""
    if isinstance(where, ReportSide):
        return GateSide(replace(where, report=fill_scores(where.report)))
    if isinstance(where, Report):
        name = where.id or str(where.benchmark.get("name") or "")
        return GateSide(ReportSide(name, fill_scores(where), run))
    if isinstance(where, Baseline):
        return GateSide(ReportSide(where.name, where.report, run), where)
    return None


def _from_file(place: str, run: str) -> GateSide:
    with Source(place) as source:
        content, where = source.read_all(), source.name
    if not content.lstrip().startswith(b"{"):
        raise InputError("not a report", where=where, hint=HINT)
    value: Any = strict_json(content, where=where)
    name = Path(where).name
    if isinstance(value, Mapping) and BASELINE_KEY in value:
        found = read_baseline(value, where=where, file=place)
        return GateSide(ReportSide(found.name, found.report, run), found)
    ours = isinstance(value, Mapping) and "schema_version" in value
    if not ours and (foreign := _foreign(value, where)) is not None:
        return GateSide(ReportSide(name, foreign, run))
    return GateSide(ReportSide(name, fill_scores(report_of(value, where=where)), run))


def _foreign(value: object, where: str) -> Report | None:
    from assay.reports.ancestors.read.read_ancestor import read_ancestor  # few need it

    return read_ancestor(value, where=where)


def score_side(
    qrels: object,
    run: object,
    metrics: list[str],
    **options: Any,  # noqa: ANN401 - those of evaluate
) -> GateSide:
    """Score a run file, and make a report of one run of it."""
    found = evaluate(qrels, run, metrics, **options)
    columns = {name: values.tolist() for name, values in found.per_query.items()}
    per_query = {
        query: {name: values[at] for name, values in columns.items()}
        for at, query in enumerate(found.queries)
    }
    weights = [] if found.weights is None else found.weights.tolist()
    one = Run(found.run, "", {}, scores=found.scores, per_query=per_query)
    report = Report(
        benchmark={"name": found.run, "metrics": metrics, "primary": metrics[0]},
        dataset={"queries": len(found.queries)},
        corpus={},
        environment={},
        runs=(one,),
        queries={q: {"weight": w} for q, w in zip(found.queries, weights, strict=False)},
    )
    return GateSide(ReportSide(found.run, report))
