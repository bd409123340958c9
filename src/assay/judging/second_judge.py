"""A second judge: the documents that a first one graded, once more, and how far both agree."""

import os
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import open_collections
from assay.datasets.load import load
from assay.errors import InputError
from assay.judging.agreement import agreement
from assay.judging.earlier_grades import (
    contradiction,
    grades_of,
    is_graded,
    refuse_other,
    reports_of,
)
from assay.judging.grade_books import GradeBook, GradeBooks
from assay.judging.grades_file import GradesFile, grades_paths, hold_files
from assay.judging.keys import press
from assay.judging.open_judging import differ, documents_of
from assay.judging.options import JudgeOptions
from assay.records import (
    Agreement,
    Benchmark,
    Dataset,
    Judgment,
    Query,
)
from assay.records.judging import Ask, JudgingResult, JudgingView, Pair, Sitting
from assay.text import sanitize
from assay.text.count_noun import count_noun, plural

__all__ = ["judge_second"]


@dataclass(frozen=True, slots=True, eq=False)
class _First:
    """A dataset as the first judge left it, and what was graded in it."""

    collection: OpenCollection
    given: dict[Pair, Judgment]

    @property
    def reports(self) -> dict[Pair, str]:
        """The report that each document was graded for."""
        return {pair: one.because.report for pair, one in self.given.items() if one.because}

    @property
    def report(self) -> str:
        """The report that most were graded for."""
        return next(iter(reports_of(self.collection.dataset)), "")


def judge_second(
    benchmark: Benchmark, first: str | Path, output: str | Path, options: JudgeOptions
) -> JudgingResult:
    """Let another judge grade what files say was graded, in another order and without grades."""
    collections = open_collections(benchmark)
    names = [one.name for one in collections]
    theirs, paths = grades_paths(first, names, option="--second"), grades_paths(output, names)
    firsts = [
        _first(collection, path) for collection, path in zip(collections, theirs, strict=True)
    ]
    given = {pair: one for dataset in firsts for pair, one in dataset.given.items()}
    _refuse_nothing(given, first, zip(theirs, paths, strict=True))
    documents = documents_of([one.collection for one in firsts], given, track=options.track)
    book = partial(GradeBook, options=options, told=differ(collections))
    with hold_files(paths) as places:
        own = [book(_bare(one.collection), one.report, reports=one.reports) for one in firsts]
        for place, mine, one in zip(places, own, firsts, strict=True):
            _go_on(place, mine, one.given)
        books = GradeBooks(places, own, documents)
        order = [pair for pair in given if pair in documents and pair not in books.before()]
        random.Random(f"second {options.seed}").shuffle(order)  # noqa: S311
        said = _same(firsts, options.judge)
        begun = Sitting(0, tuple(order), most=options.most, before=books.graded(), said=said)
        sitting = _sit(books, begun, options.ask)
        written = [_written(*pair) for pair in zip(places, own, strict=True)]
    gone = len(given) - len(documents)
    return JudgingResult(
        output=books.output(),
        graded=sitting.graded,
        skipped=len(sitting.answered) - sitting.graded,
        graded_before=sitting.before,
        left=len(sitting.waiting),
        notes=(
            *([f"{count_noun(gone, 'document is', 'documents are')} not in the corpus"][:gone]),
            *filter(None, [said]),
            *_all_judges(firsts, written),
        ),
        outputs=books.outputs(),
        **_agreed(firsts, written, options.judge),
    )


def _agreed(
    firsts: Sequence[_First], written: Sequence[OpenCollection], judge: str
) -> dict[str, Any]:
    """Tell how far both agree, dataset by dataset: each has its scale, and its own base rates."""
    found = {
        one.collection.name: _agreement(one.collection.dataset, then.dataset, judge)
        for one, then in zip(firsts, written, strict=True)
        if one.given
    }
    return {"agreement": found[""]} if "" in found else {"agreements": found}


def _all_judges(firsts: Sequence[_First], written: Sequence[OpenCollection]) -> list[str]:
    both = {"first": [one.collection for one in firsts], "second": written}
    return [note for which, collections in both.items() for note in _several(collections, which)]


def _first(collection: OpenCollection, path: Path) -> _First:
    if collection.name and not os.path.exists(path):  # noqa: PTH110 - never raises
        hint = "give the folder that `assay judge` wrote for the first judge (--second FOLDER)"
        problem = f"contains no file for dataset {collection.name} ({path.name})"
        raise InputError(problem, where=str(path.parent), hint=hint)
    graded = replace(collection, dataset=load(path))
    return _First(graded, _given(graded))


def _written(place: GradesFile, book: GradeBook) -> OpenCollection:
    dataset = load(place.path) if place.path.exists() else book.dataset
    return replace(book.collection, dataset=dataset)


def _sit(books: GradeBooks, sitting: Sitting, ask: Ask) -> Sitting:
    while sitting.waiting and not sitting.over:
        sitting, card = books.shown(sitting)  # with the scale of its dataset
        then = press(sitting, ask(JudgingView(sitting, card, len(sitting.waiting))))
        if then.answered != sitting.answered:
            books.write(sitting, then)
        sitting = then
    return sitting


def _same(firsts: Sequence[_First], judge: str) -> str:
    """Ask whether it is right that both judges have one name."""
    names = {one.because.judge for first in firsts for one in first.given.values() if one.because}
    if judge not in names:
        return ""
    advice = "the second judge should be another person (--judge NAME)"
    return f"{sanitize(judge)} is also the first judge; {advice}"


def _given(collection: OpenCollection) -> dict[Pair, Judgment]:
    """Return what judges graded, its queries called as among those of all datasets."""
    found = grades_of(collection.dataset)
    return {(collection.key(query), document): one for (query, document), one in found.items()}


def _refuse_nothing(
    given: dict[Pair, Judgment], first: str | Path, pairs: Iterable[tuple[Path, Path]]
) -> None:
    if not given:
        hint = "give the file or folder that `assay judge` wrote for the first judge"
        raise InputError("contains no grades of a judge", where=str(first), hint=hint)
    for theirs, mine in pairs:
        if mine.exists() and mine.samefile(theirs):
            hint = "choose another file for the second judge (-o FILE)"
            raise InputError("is the first judge's file", where=str(theirs), hint=hint)


def _go_on(place: GradesFile, book: GradeBook, given: dict[Pair, Judgment]) -> None:
    """Take over what the second judge graded before."""
    if not place.path.exists():
        return
    before = load(place.path)
    mine = _given(replace(book.collection, dataset=before))
    strange = [pair for pair in mine if pair not in given]
    some = count_noun(len(strange), "document")
    more = f"it contains grades of {some} that the first judge did not grade"
    if why := contradiction(book.dataset, before) or (more if strange else ""):
        refuse_other(place.path, before, why)
    book.before = mine
    book.go_on(before.metadata.get("judging"))


def _bare(collection: OpenCollection) -> OpenCollection:
    return replace(collection, dataset=_unjudged(collection.dataset))


def _unjudged(dataset: Dataset) -> Dataset:
    """Take out what judges graded."""
    queries = tuple(_only(query, judged=False) for query in dataset.queries)
    metadata = {key: value for key, value in dataset.metadata.items() if key != "judging"}
    return replace(dataset, queries=queries, metadata=metadata)


def _only(query: Query, *, judged: bool) -> Query:
    kept = tuple(one for one in query.judgments if is_graded(one) == judged)
    return replace(query, judgments=kept)


def _agreement(first: Dataset, second: Dataset, judge: str) -> Agreement:
    both = [
        replace(one, queries=tuple(_only(query, judged=True) for query in one.queries))
        for one in (first, second)
    ]
    name = _named(first) or "first"
    other = _named(second) or judge
    names = name, other if other != name else f"{other} (2)"
    return agreement(both[0], both[1], (None, None), names=names)


def _judges(dataset: Dataset) -> Counter[str]:
    """Count the grades of each judge, as the file says who gave them."""
    given = grades_of(dataset).values()
    return Counter(one.because.judge for one in given if one.because)


def _named(dataset: Dataset) -> str:
    """Name all judges of a file, the one who gave most grades first."""
    return " & ".join(name for name, _ in _judges(dataset).most_common())


def _several(collections: Sequence[OpenCollection], which: str) -> list[str]:
    """Say where the agreement takes several judges for one."""
    judges = sum((_judges(one.dataset) for one in collections), Counter[str]())
    if len(judges) < 2:
        return []
    counts = ", ".join(f"{sanitize(name)} {count:,}" for name, count in judges.most_common())
    files = plural(len(collections), "file contains", "files contain")
    return [f"the {which} {files} grades of several judges ({counts}), counted as one judge"]
