"""The report whose documents are judged: the one that is named, or the newest that fits."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assay.benchmarks.judging_fits import uncounted, why_not
from assay.benchmarks.judging_words import quoted
from assay.benchmarks.sites import Site
from assay.errors import InputError
from assay.records import Benchmark, Judgments, Report
from assay.workflows._reports import open_report
from assay.workflows.show import benchmarks

if TYPE_CHECKING:
    from assay.workspace.ledger import Listed

__all__ = ["find_report"]


def find_report(
    benchmark: Benchmark,
    given: str | Path | Report | None,
    sites: Sequence[Site],
    judgments: Judgments,
    *,
    workspace: str | Path | None,
) -> tuple[Report, list[str]]:
    """Open a report whose documents can be judged, and say what a judge must know of it.

    If none is named, it is the newest of this benchmark that was made with no grade but these, else
    the newest that contradicts none of them.
    """
    fallback: Report | None = None
    refusals: list[InputError] = []
    for report in _reports(benchmark, given, workspace):
        why = why_not(sites, judgments, report)
        if why or (given is None and report.comparisons is None):
            why = why or "no two runs are compared in it"
            refusals.append(_refusal(report, why, given, benchmark))
        elif not uncounted(judgments, report):
            return report, []
        else:
            fallback = fallback or report
    if fallback is not None:
        return fallback, [_note(uncounted(judgments, fallback))]
    if refusals:
        raise refusals[0]
    hint = "run it first (`assay run FILE`), or name a report (--report ID or FILE)"
    raise InputError("has no report in this workspace yet", where=benchmark.name, hint=hint)


def _reports(
    benchmark: Benchmark, given: str | Path | Report | None, workspace: str | Path | None
) -> Iterator[Report]:
    if given is not None:
        yield open_report(given, workspace=workspace)
        return
    for one in benchmarks(workspace=workspace):
        if _is_meant(one, benchmark):
            yield open_report(one.id, workspace=workspace)


def _is_meant(listed: "Listed", benchmark: Benchmark) -> bool:
    """Tell whether a benchmark of the workspace is called as this one, with datasets so called."""
    names = [one.name for one in benchmark.datasets]
    found = listed.name, listed.about.get("datasets") or []
    return listed.reported and found == (benchmark.name, names)


def _note(count: int) -> str:
    some = f"{count:,} grade{'s' * (count > 1)} that {'is' if count == 1 else 'are'} not here"
    return f"the report was made with {some}: name the file that has them (-o) to go on with it"


def _refusal(
    report: Report, why: str, given: str | Path | Report | None, benchmark: Benchmark
) -> InputError:
    """Say what a report is of, where it is, and what to do instead."""
    place = str(given) if isinstance(given, str | Path) else report.id
    name = str(report.benchmark.get("name", ""))
    again = "run the benchmark again (`assay run FILE`): then its newest report is taken"
    if name == benchmark.name:
        return InputError(why, where=place or str(report.dataset.get("name", "")), hint=again)
    whose = f"is a report of the benchmark {quoted(name)}, not of {quoted(benchmark.name)}"
    hint = f"name the file of {quoted(name)} instead of FILE, or leave --report out"
    return InputError(f"{whose}: {why}", where=place, hint=hint)
