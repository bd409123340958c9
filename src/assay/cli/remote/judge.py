"""``assay judge --url``: grade the documents that the comparisons of a service depend on."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.cli.remote.reports import fetch_report, find_benchmark
from assay.errors import InputError, UsageError
from assay.records import untracked
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from assay.cli.remote.stored_grades import StoredDataset, StoredGrades
    from assay.client import Client
    from assay.judging.judging import Judging
    from assay.records import Report
    from assay.records.judging import Ask, JudgingResult, Seen

__all__ = ["judge_remotely", "refuse_local"]

# Options of `assay judge` about files, and how a message names them.
LOCAL = {
    "report": "--report",
    "dataset": "--dataset",
    "output": "-o",
    "judge": "--judge",
    "second": "--second",
    "workspace": "--workspace",
}
SHORT = 8


def judge_remotely(
    named: str,
    url: str,
    options: dict[str, Any],
    *,
    ask: "Ask",
    seen: "Seen | None" = None,
) -> "JudgingResult":
    """Let the person of the token grade, one at a time, what would settle the comparisons.

    The questions are those of a report here; grades go to the judgments of the datasets.
    """
    from assay.cli.remote.stored_grades import StoredGrades
    from assay.client import Client
    from assay.judging.options import JudgeOptions
    from assay.judging.sitting import hold_sitting
    from assay.reports.judging.passages import seen_lines

    seen = seen or seen_lines
    with Client(url) as client:
        found = find_benchmark(client, named)
        report = fetch_report(client, found.id)
        _refuse_unjudgeable(report, found.name)
        grades = StoredGrades(client, report, [*_datasets(client, found.id, report)], seen)
        judging = _judging(report, grades, options["runs"])
        told = JudgeOptions(ask, "", options["most"], options["seed"], time.time, untracked, seen)
        said = f"report {report.id[:SHORT]} of {client.url}"
        judged = hold_sitting(grades, judging, said, told)
    notes = (*_notes(grades), *judged.notes)
    return replace(judged, report=said, notes=notes)


def refuse_local(options: dict[str, Any]) -> None:
    """Refuse options that are about files and the workspace of this machine."""
    given = [name for key, name in LOCAL.items() if options.get(key)]
    if given:
        hint = "remove it: report, datasets and grades are those of the service"
        hint = "remove it: grades have the name of the token" if given[0] == "--judge" else hint
        raise UsageError(f"{given[0]} cannot be combined with --url", hint=hint)


def _refuse_unjudgeable(report: "Report", name: str) -> None:
    unit = str(report.benchmark.get("unit") or "document")
    if unit != "document":
        hint = "create a benchmark with unit: document"
        problem = f"assay judge grades documents, but the unit of evaluation is the {unit}"
        raise InputError(problem, where=name, hint=hint)
    if report.comparisons is None:
        hint = "choose a benchmark of several runs with a baseline"
        raise InputError("contains no comparison between runs", where=name, hint=hint)


def _datasets(client: "Client", benchmark: str, report: "Report") -> "Iterator[StoredDataset]":
    """Return the datasets of a benchmark, in the order of its report."""
    from assay.cli.remote.stored_grades import StoredDataset

    mappings = client.benchmarks.mappings(benchmark)
    parts = report.dataset.get("collections") or {"": report.dataset}
    if len(mappings) != len(parts):
        hint = "judge it where it was run: assay judge FILE"
        problem = "was not created by the service, which does not have its dataset"
        raise InputError(problem, where=f"benchmark {benchmark}", hint=hint)
    for (name, about), one in zip(parts.items(), mappings, strict=True):
        keys = {
            key: key.removeprefix(f"{name}/") if name else key
            for key, query in report.queries.items()
            if not name or query.get("collection") == name
        }
        pinned = {key: str(one[key]) for key in ("dataset", "mapping", "corpus")}
        yield StoredDataset(name, **pinned, scale=int(about["scale"]), queries=keys)


def _judging(report: "Report", grades: "StoredGrades", runs: Sequence[str]) -> "Judging":
    """Set the runs of a report against each other by all judgments that there are now."""
    import numpy as np

    from assay.judging.grades import graded, with_grades
    from assay.judging.judging import Judging
    from assay.judging.reported_judgments import reported_judgments
    from assay.workflows.show import find_run

    datasets = grades.datasets
    judgments = reported_judgments(report, scale=max(one.scale for one in datasets))
    before = grades.read_before(graded(judgments))
    number = {query: at for at, one in enumerate(datasets) for query in one.queries}
    strata = np.array([number[query] for query in judgments.queries], np.int64)
    shown = {
        (query, document)
        for run in report.runs
        for query, documents in run.rankings.items()
        for document in documents
    }
    return Judging(
        report,
        with_grades(judgments, before),
        known=shown,
        runs=[find_run(report, name).name for name in runs],
        strata=strata if len(datasets) > 1 else None,
        scales=[one.scale for one in datasets],
    )


def _notes(grades: "StoredGrades") -> list[str]:
    """Say which documents were shown without a text, and why."""
    texts = grades.texts
    if not texts.missing:
        return []
    some = count_noun(texts.missing, "document was", "documents were")
    why = f" ({texts.problem})" if texts.problem else ""
    return [f"{some} shown without a text, which the service does not have{why}"]
