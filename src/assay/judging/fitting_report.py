"""The report whose documents are judged: the one that is named, or the newest that fits."""

import time
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assay.benchmarks.collections.open_collections import Site
from assay.benchmarks.open_report import open_report
from assay.errors import InputError
from assay.judging._fits import uncounted, why_not
from assay.judging.words import quoted
from assay.records import Benchmark, Judgments, Report
from assay.workflows.show import benchmarks

if TYPE_CHECKING:
    from assay.workspace.ledger.ledger import Listed

__all__ = ["Found", "find_report"]

NAMED = 3  # configurations that a note names


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A report, when it was begun if the workspace knows, and what a judge must know of it.

    ``differs`` tells which configurations it lacks of the file, and which it has besides.
    """

    report: Report
    when: str = ""
    differs: str = ""
    uncounted: int = 0

    @property
    def called(self) -> str:
        """Name it: by its id, and its date."""
        dated = f" of {self.when}" if self.when else ""
        return f"report {self.report.id}{dated}" if self.report.id else ""

    @property
    def notes(self) -> list[str]:
        """Say what is not as in the file, and what is not in the grades."""
        counted = [_note(self.uncounted)] if self.uncounted else []
        return [*filter(None, [self.differs]), *counted]


def find_report(
    benchmark: Benchmark,
    given: str | Path | Report | None,
    sites: Sequence[Site],
    judgments: Judgments,
    *,
    workspace: str | Path | None,
) -> Found:
    """Open a report whose documents can be judged, and say what a judge must know of it.

    If none is named, it is one of this benchmark in the workspace: of the configurations that the
    file has, if there is one; then one that was made with no grade but these, else one that
    contradicts none of them; and of those the newest.
    """
    fallback: Found | None = None
    refusals: list[InputError] = []
    for found in _reports(benchmark, given, workspace):
        why = why_not(sites, judgments, found.report)
        if why or (given is None and found.report.comparisons is None):
            why = why or "no two runs are compared in it"
            refusals.append(_refusal(found.report, why, given, benchmark))
            continue
        found = replace(found, uncounted=uncounted(judgments, found.report))
        if fallback is not None and found.differs and not fallback.differs:
            break  # those of other configurations come last
        if not found.uncounted:
            return found
        fallback = fallback or found
    if fallback is not None:
        return fallback
    if refusals:
        raise refusals[0]
    hint = "run it first (`assay run FILE`), or name a report (--report ID or FILE)"
    raise InputError("has no report in this workspace yet", where=benchmark.name, hint=hint)


def _reports(
    benchmark: Benchmark, given: str | Path | Report | None, workspace: str | Path | None
) -> Iterator[Found]:
    """Open one report after the other, those of the same configurations first."""
    kept = benchmarks(workspace=workspace)
    if given is not None:
        report = open_report(given, workspace=workspace)
        yield Found(report, "".join(_when(one) for one in kept if one.id == report.id))
        return
    meant = [(one, _differs(one, benchmark)) for one in kept if _is_meant(one, benchmark)]
    for one, differs in sorted(meant, key=lambda pair: bool(pair[1])):
        yield Found(open_report(one.id, workspace=workspace), _when(one), differs)


def _when(listed: "Listed") -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(listed.created))


def _is_meant(listed: "Listed", benchmark: Benchmark) -> bool:
    """Tell whether a benchmark of the workspace is called as this one, with datasets so called."""
    names = [one.name for one in benchmark.datasets]
    found = listed.name, listed.about.get("datasets") or []
    return listed.reported and found == (benchmark.name, names)


def _differs(listed: "Listed", benchmark: Benchmark) -> str:
    """Name the configurations that only the file, or only the report has."""
    ours = dict.fromkeys(one.name for one in benchmark.configurations)
    theirs = dict.fromkeys(listed.about.get("configurations") or listed.runs)
    lacks, more = _named(ours, theirs), _named(theirs, ours)
    parts = [f"it lacks {lacks}"] if lacks else []
    parts += [f"it has {more} besides"] if more else []
    told = "the configurations of the report are not those of the file"
    return f"{told}: {' and '.join(parts)} (`assay run` makes one that fits)" if parts else ""


def _named(some: Iterable[str], others: Container[str]) -> str:
    left = [one for one in some if one not in others]
    return ", ".join([*map(quoted, left[:NAMED]), *(["..."] if left[NAMED:] else [])])


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
