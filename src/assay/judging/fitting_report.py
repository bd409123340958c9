"""The report whose documents are judged: the one that is named, or the newest that fits."""

import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.open_report import list_benchmarks, open_report
from assay.errors import InputError
from assay.judging.grades import graded
from assay.judging.words import queries_named
from assay.records import Benchmark, Judgments, Report
from assay.text.count_noun import count_noun
from assay.text.join_list import first_named
from assay.text.quote import quote_line

if TYPE_CHECKING:
    from assay.workspace.ledger.ledger import BenchmarkEntry

__all__ = ["FittingReport", "find_report"]

OTHER = "differs from the one this report was made with"
UNCOMPARED = "it contains no comparison between runs"
NAMED = 3  # configurations that a note names


@dataclass(frozen=True, slots=True, eq=False)
class FittingReport:
    """A report, when it was started if the workspace knows, and what a judge must know of it.

    ``differs`` names the configurations that only the file, or only the report has.
    """

    report: Report
    when: str = ""
    differs: str = ""
    uncounted: int = 0

    @property
    def called(self) -> str:
        """Name it: by its id, and its date."""
        dated = f" from {self.when}" if self.when else ""
        return f"report {self.report.id}{dated}" if self.report.id else ""

    @property
    def notes(self) -> list[str]:
        """Say what is not as in the file, and what is not in the grades."""
        counted = [_note(self.uncounted)] if self.uncounted else []
        return [*filter(None, [self.differs]), *counted]


def find_report(
    benchmark: Benchmark,
    given: str | Path | Report | None,
    collections: Sequence[OpenCollection],
    judgments: Judgments,
    *,
    workspace: str | Path | None,
) -> FittingReport:
    """Open a report whose documents can be judged, and say what a judge must know of it.

    If none is named, it is one of this benchmark in the workspace: of the configurations that the
    file has, if there is one; then one that was made with no grade but these, else one that
    contradicts none of them; and of those the newest.
    """
    fallback: FittingReport | None = None
    refusals: list[InputError] = []
    for found in _reports(benchmark, given, workspace):
        why = _misfit(collections, judgments, found.report)
        if why or (given is None and not _is_judgeable(found.report)):
            why = why or UNCOMPARED
            refusals.append(_refusal(found.report, why, given, benchmark))
            continue
        found = replace(found, uncounted=_missing_grades(judgments, found.report))
        if fallback is not None and found.differs and not fallback.differs:
            break  # those of other configurations come last
        if not found.uncounted:
            return found
        fallback = fallback or found
    if fallback is not None:
        return fallback
    if refusals:
        raise refusals[0]
    hint = "run it first (`assay run FILE`), or specify a report (--report ID or FILE)"
    raise InputError("has no report in this workspace yet", where=benchmark.name, hint=hint)


def _is_judgeable(report: Report) -> bool:
    """Tell whether runs are compared, by scores or, without any judgments, by a diff."""
    return report.comparisons is not None or report.benchmark.get("scored") is False


def _reports(
    benchmark: Benchmark, given: str | Path | Report | None, workspace: str | Path | None
) -> Iterator[FittingReport]:
    """Open one report after the other, those of the same configurations first."""
    kept = list_benchmarks(workspace=workspace)
    if given is not None:
        report = open_report(given, workspace=workspace)
        yield FittingReport(report, "".join(_when(one) for one in kept if one.id == report.id))
        return
    meant = [(one, _differs(one, benchmark)) for one in kept if _is_meant(one, benchmark)]
    for one, differs in sorted(meant, key=lambda pair: bool(pair[1])):
        yield FittingReport(open_report(one.id, workspace=workspace), _when(one), differs)


def _when(listed: "BenchmarkEntry") -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(listed.created))


def _is_meant(listed: "BenchmarkEntry", benchmark: Benchmark) -> bool:
    """Tell whether a benchmark of the workspace is called as this one, with datasets so called.

    A sample of a diff may have queries of some of its collections only, in any order.
    """
    names = [one.name for one in benchmark.datasets]
    found = listed.about.get("datasets") or []
    some = listed.about.get("scored") is False and bool(names) and {*names} <= {*found}
    return listed.reported and listed.name == benchmark.name and (found == names or some)


def _differs(listed: "BenchmarkEntry", benchmark: Benchmark) -> str:
    """Name the configurations that only the file, or only the report has; a diff is of two."""
    if listed.about.get("scored") is False:
        return ""
    ours = dict.fromkeys(one.name for one in benchmark.configurations)
    theirs = dict.fromkeys(listed.about.get("configurations") or listed.runs)
    lacks, more = _named(ours, theirs), _named(theirs, ours)
    parts = [f"only in the file: {lacks}"] if lacks else []
    parts += [f"only in the report: {more}"] if more else []
    problem = f"the report's configurations differ from the file's ({'; '.join(parts)})"
    return f"{problem}; run `assay run FILE` for a matching report" if parts else ""


def _named(some: Iterable[str], others: Container[str]) -> str:
    left = [one for one in some if one not in others]
    return first_named(left, NAMED, show=quote_line)


def _note(count: int) -> str:
    missing = count_noun(count, "grade that is", "grades that are")
    hint = "to continue with them, specify the file that contains them (-o FILE)"
    return f"the report was made with {missing} missing here; {hint}"


def _refusal(
    report: Report, why: str, given: str | Path | Report | None, benchmark: Benchmark
) -> InputError:
    """Say what a report is of, where it is, and what to do instead."""
    place = str(given) if isinstance(given, str | Path) else report.id
    name = str(report.benchmark.get("name", ""))
    again = "run the benchmark again (`assay run FILE`); its newest report is then used"
    if name == benchmark.name:
        return InputError(why, where=place or str(report.dataset.get("name", "")), hint=again)
    whose = f"is a report of benchmark {quote_line(name)}, not of {quote_line(benchmark.name)}"
    hint = f"pass the benchmark file of {quote_line(name)} as FILE, or omit --report"
    return InputError(f"{whose}: {why}", where=place, hint=hint)


def _misfit(collections: Sequence[OpenCollection], judgments: Judgments, report: Report) -> str:
    """Say what keeps the documents of a report from being judged for datasets; else nothing.

    Which configurations it has does not matter, nor do judgments that only one of both has: some
    were given since then, or are kept elsewhere.
    """
    return next(_reasons(collections, judgments, report), "")


def _missing_grades(judgments: Judgments, report: Report) -> int:
    """Count the grades that a report was made with and these judgments have not."""
    ours = graded(judgments)
    return sum((query, document) not in ours for query, document, _ in _grades(report))


def _reasons(
    collections: Sequence[OpenCollection], judgments: Judgments, report: Report
) -> Iterator[str]:
    several = [*report.dataset.get("collections", {})]
    named = [collection.name for collection in collections if collection.name]
    if sorted(named) != sorted(several):
        theirs, ours = (", ".join(names) or "one dataset" for names in (several, named))
        yield f"this report was made with other datasets: {theirs}; the benchmark has {ours}"
    known = {
        collection.key(query.key) for collection in collections for query in collection.queries
    }
    drawn = report.benchmark.get("scored") is False  # of its queries some may be judged
    if strange := [key for key in report.queries if key not in known and not drawn]:
        yield f"the dataset {OTHER}: it does not contain {queries_named(strange)}"
    for collection in collections:
        start = f"{collection.name}: " if collection.name else ""
        yield from (f"{start}the dataset {OTHER}: {why}" for why in _asked(collection, report))
    for collection in collections:
        if _about(collection, report, "corpus").get("fingerprint") != collection.content:
            yield f"{f'{collection.name}: ' if collection.name else ''}the corpus {OTHER}"
    yield from (f"the dataset {OTHER}: {why}" for why in _regraded(judgments, report))


def _asked(collection: OpenCollection, report: Report) -> Iterator[str]:
    scale = _about(collection, report, "dataset").get("scale", collection.dataset.scale)
    if scale != collection.dataset.scale:
        yield f"the highest grade was {scale} and is now {collection.dataset.scale}"
    for query in collection.queries:
        text = str(report.queries.get(collection.key(query.key), {}).get("text", query.text))
        if text != query.text:
            was, now = quote_line(text), quote_line(query.text)
            yield f"query {quote_line(query.key)} was {was} and is now {now}"


def _regraded(judgments: Judgments, report: Report) -> Iterator[str]:
    ours = graded(judgments)
    for query, document, grade in _grades(report):
        now = ours.get((query, document), grade)
        if now != grade:
            what = f"the grade of {quote_line(document)} for {quote_line(query)}"
            yield f"{what} was {grade} and is now {now}"


def _grades(report: Report) -> Iterator[tuple[str, str, int]]:
    for query, about in report.queries.items():
        for document, grade in (about.get("judged") or {}).items():
            yield query, document, grade


def _about(collection: OpenCollection, report: Report, what: str) -> Mapping[str, Any]:
    """Return what a report tells of a dataset or corpus that it was made with."""
    told: Mapping[str, Any] = getattr(report, what)
    return told.get("collections", {}).get(collection.name, {}) if collection.name else told
