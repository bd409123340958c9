"""Judge: a benchmark and its report -> grades of the documents that would settle it."""

import getpass
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import open_collections
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.datasets.load import load
from assay.errors import InputError, UsageError
from assay.judging.fitting_report import FittingReport, find_report
from assay.judging.grade_books import GradeBook, GradeBooks, take_over
from assay.judging.grades import graded, with_grades
from assay.judging.grades_file import GradesFile, grades_paths, hold_files
from assay.judging.open_judging import differ, judged_in, open_judging
from assay.judging.options import JudgeOptions
from assay.judging.second_judge import judge_second
from assay.judging.sitting import hold_sitting
from assay.records import Benchmark, Collection, Judgments, Report, Track, untracked
from assay.records.judging import Ask, JudgingResult, Pair, Seen
from assay.reports.judging.passages import seen_lines
from assay.text.count_noun import count_noun
from assay.workflows.options import refuse_wrong_count
from assay.workflows.show import find_run

__all__ = ["judge"]

OUTPUT, SECOND = "judged", "judged-second"  # files of this name, or folders of several datasets


def judge(  # noqa: PLR0913 - every option is a name of its own
    benchmark: str | Path | Mapping[str, Any] | Benchmark,
    *,
    ask: Ask,
    dataset: str | Path | None = None,
    report: str | Path | Report | None = None,
    output: str | Path | None = None,
    judge: str = "",
    most: int | None = None,
    second: str | Path | None = None,
    runs: Sequence[str] = (),
    seed: int = 0,
    workspace: str | Path | None = None,
    clock: Callable[[], float] = time.time,
    track: Track = untracked,
    seen: Seen = seen_lines,
) -> JudgingResult:
    """Let a judge grade, one at a time, the documents that the comparisons depend on.

    ``ask`` shows a document and returns the key that was pressed: a grade, ``s`` (skip), ``u``
    (undo), ``m`` (show more), ``a`` (show all), ``?`` (help) or ``q`` (quit). Documents come in
    random order, without runs and ranks. Each grade is saved immediately in ``output``, a dataset
    that also contains all judgments of the benchmark's dataset; a session continues where the last
    one ended. For several datasets, which have equal weight, it is a folder with a file for each.
    ``dataset`` takes the place of the benchmark's own, such as a sample that ``assay.diff`` drew.
    The default ``report`` is the latest one of the benchmark in the ``workspace``, if possible one
    with the same configurations; with ``runs`` only their comparisons count. ``seen`` returns the
    lines that the judge had in view when a grade was given.

    ``second`` is the file or folder of a first judge: its documents are graded again, without
    showing the first grades, and the result reports how far both judges agree.
    """
    refuse_wrong_count("seed", seed, least=0)
    if most is not None:
        refuse_wrong_count("most", most, least=1)
    asked = _asked(benchmark, dataset)
    if asked.unit != "document":
        hint = "add judgments with lines or symbols to the dataset, or use unit: document"
        problem = f"assay judge grades documents, but the unit of evaluation is the {asked.unit}"
        raise InputError(problem, where=asked.file or asked.name, hint=hint)
    name = judge.strip() or _login()
    options = JudgeOptions(ask, name, most, seed, clock, track, seen)
    if second is None:
        place = _output(output, asked, OUTPUT)
        return _judge_first(asked, place, options, report=report, runs=runs, workspace=workspace)
    if report is not None or runs:
        hint = "omit --report and --run: a second judge grades the documents of the first judge"
        raise UsageError("--report and --run cannot be combined with --second", hint=hint)
    return judge_second(asked, second, _output(output, asked, SECOND), options)


def _asked(
    benchmark: str | Path | Mapping[str, Any] | Benchmark, dataset: str | Path | None
) -> Benchmark:
    """Read the benchmark, with a dataset in the place of its own if one is given."""
    if not isinstance(benchmark, Benchmark):
        return read_benchmark(benchmark, dataset=dataset)
    return benchmark if dataset is None else replace(benchmark, dataset=str(dataset), datasets=())


def _judge_first(
    asked: Benchmark,
    output: str | Path,
    options: JudgeOptions,
    *,
    report: str | Path | Report | None,
    runs: Sequence[str],
    workspace: str | Path | None,
) -> JudgingResult:
    """Grade what the comparisons of a report hang on, beside what was graded before."""
    collections = open_collections(asked)
    paths = grades_paths(output, [one.name for one in collections])
    _refuse_own(asked, paths)
    with hold_files(paths) as places:
        book = partial(GradeBook, options=options, told=differ(collections))
        books = [book(collection) for collection in collections]
        judgments = _judgments(collections, places, books, options.track)
        found = find_report(asked, report, collections, judgments, workspace=workspace)
        for one in books:
            one.report, one.corpus = found.report.id, one.collection.content
        chosen = [_run(found, one) for one in runs]
        opened = open_judging(
            collections, judgments, found.report, runs=chosen, track=options.track
        )
        differs = ": its configurations differ from the file's" if found.differs else ""
        said = f"{found.called}{differs}"
        grades = GradeBooks(places, books, opened.documents)
        judged = hold_sitting(grades, opened.judging, said, options)
    own = all(_is_same(*pair) for pair in zip(asked.collections, paths, strict=True))
    told = [*found.notes, *_since(sum(one.elsewhere for one in books))]
    return replace(judged, report=found.called, notes=(*told, *judged.notes), is_own=own)


def _run(found: FittingReport, name: str) -> str:
    """Find a run of the report, or say which report has none of this name, and why."""
    try:
        return find_run(found.report, name).name
    except InputError as error:
        where = error.where or found.called
        hint = "; ".join(filter(None, [error.hint, found.differs]))
        raise InputError(error.problem, where=where, hint=hint) from None


def _since(count: int) -> list[str]:
    """Tell that what was graded may read otherwise by now."""
    grades = count_noun(count, "grade was", "grades were")
    return [f"the corpus has changed since {grades} given; they still count"] if count else []


def _judgments(
    collections: Sequence[OpenCollection],
    places: Sequence[GradesFile],
    books: Sequence[GradeBook],
    track: Track,
) -> Judgments:
    """Return all that is judged: what the datasets have, and what was graded before."""
    judgments = judged_in(collections, track=track)
    known = graded(judgments)
    given: dict[Pair, int] = {}
    for place, one in zip(places, books, strict=True):
        given |= take_over(place, one, known)
    return with_grades(judgments, given)


def _is_same(collection: Collection, path: Path) -> bool:
    """Tell whether a benchmark asks the very file that grades go to."""
    both = (collection.dataset, path)
    return all(os.path.exists(one) for one in both) and path.samefile(collection.dataset)  # noqa: PTH110


def _output(given: str | Path | None, benchmark: Benchmark, usual: str) -> str | Path:
    return given or (usual if len(benchmark.collections) > 1 else f"{usual}.json")


def _refuse_own(benchmark: Benchmark, paths: Sequence[Path]) -> None:
    """Keep a folder's own datasets, which nobody named one by one, from becoming judged ones."""
    for one in benchmark.collections if len(paths) > 1 else ():
        for path in paths:
            if _is_same(one, path):
                _refuse_unjudged(path)


def _refuse_unjudged(path: Path) -> None:
    if "judging" not in load(path).metadata:
        hint = "choose another folder (-o FOLDER); one file per dataset is written there"
        raise InputError("is the benchmark's own dataset", where=str(path), hint=hint)


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
