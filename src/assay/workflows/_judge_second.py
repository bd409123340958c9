"""A second judge: the documents that a first one graded, once more, and how far both agree."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from assay.benchmarks.judging_keys import press
from assay.benchmarks.judging_open import documents_of
from assay.benchmarks.opening import opened_benchmark
from assay.datasets.load import load
from assay.errors import InputError
from assay.records import (
    Agreement,
    Benchmark,
    Dataset,
    Document,
    Judgment,
    Query,
    Track,
    harmless,
)
from assay.records.judging import Ask, Judged, Pair, Seen, Shown, Sitting
from assay.workflows._agreement import agreement
from assay.workflows._judge_notes import Notes
from assay.workflows._judged_file import JudgedFile

__all__ = ["judge_second"]


def judge_second(  # noqa: PLR0913 - every option is a name of its own
    benchmark: Benchmark,
    first: str | Path,
    place: JudgedFile,
    *,
    ask: Ask,
    judge: str,
    most: int | None,
    seed: int,
    clock: Callable[[], float],
    track: Track,
    seen: Seen,
) -> Judged:
    """Let another judge grade what a file says was graded, in another order and without grades."""
    graded = load(first)
    given = _given(graded)
    _refuse_nothing(given, first, place)
    _, corpus = opened_benchmark(benchmark)
    documents = documents_of(corpus, {document for _, document in given}, track=track)
    gone = [pair for pair in given if pair[1] not in documents]
    said = next(iter(given.values())).because
    with place:
        report = said.report if said else ""
        notes = Notes(_bare(graded), report, judge=judge, seed=seed, clock=clock, seen=seen)
        _go_on(place, notes, given)
        order = [pair for pair in given if pair[1] in documents and pair not in notes.before]
        random.Random(f"second {seed}").shuffle(order)  # noqa: S311
        sitting = _sit(place, notes, documents, tuple(order), ask, most)
        written = load(place.path) if place.path.exists() else notes.dataset
    lost = [f"documents that are not in the corpus: {len(gone):,}"] if gone else []
    return Judged(
        output=str(place.path),
        graded=sitting.graded,
        skipped=len(sitting.answered) - sitting.graded,
        left=len(sitting.waiting),
        agreement=_agreement(graded, written, judge),
        notes=(*lost, *_several(given, "first"), *_several(_given(written), "second")),
    )


def _sit(
    place: JudgedFile,
    notes: Notes,
    documents: dict[str, Document],
    order: tuple[Pair, ...],
    ask: Ask,
    most: int | None,
) -> Sitting:
    sitting = Sitting(scale=notes.dataset.scale, waiting=order, most=most)
    while sitting.waiting and not sitting.over:
        left = len(sitting.waiting)
        left = left if most is None else min(left, most - sitting.graded)
        card = notes.card(sitting.waiting[0], documents)
        then = press(sitting, ask(Shown(sitting, card, left)))
        if then.answered != sitting.answered:
            place.write(notes.written(then, documents))
        sitting = then
    return sitting


def _given(dataset: Dataset) -> dict[Pair, Judgment]:
    """Return what judges graded: the judgments that say who gave them."""
    return {
        (query.key, one.reference.document_id): one
        for query in dataset.queries
        for one in query.judgments
        if _is_judged(one)
    }


def _is_judged(one: Judgment) -> bool:
    return bool(one.because and one.because.judge and one.reference.document_id)


def _refuse_nothing(given: dict[Pair, Judgment], first: str | Path, place: JudgedFile) -> None:
    if not given:
        hint = "name the file that `assay judge` wrote for the first judge"
        raise InputError("holds no grade of a judge", where=str(first), hint=hint)
    if place.path.exists() and Path(first).exists() and place.path.samefile(first):
        hint = "name another file for the second judge (-o)"
        raise InputError("is the first judge's file", where=str(first), hint=hint)


def _go_on(place: JudgedFile, notes: Notes, given: dict[Pair, Judgment]) -> None:
    """Take over what the second judge graded before."""
    if not place.path.exists():
        return
    before = load(place.path)
    mine = _given(before)
    if _bare(before).queries != notes.dataset.queries or not mine.keys() <= given.keys():
        problem = "holds something else than a second judge's grades of these documents"
        raise InputError(problem, where=str(place.path), hint="name another file (-o)")
    notes.before = mine
    notes.sittings = [*before.metadata.get("judging", ())]


def _bare(dataset: Dataset) -> Dataset:
    """Take out what judges graded."""
    queries = tuple(_only(query, judged=False) for query in dataset.queries)
    metadata = {key: value for key, value in dataset.metadata.items() if key != "judging"}
    return replace(dataset, queries=queries, metadata=metadata)


def _only(query: Query, *, judged: bool) -> Query:
    kept = tuple(one for one in query.judgments if _is_judged(one) == judged)
    return replace(query, judgments=kept)


def _agreement(first: Dataset, second: Dataset, judge: str) -> Agreement:
    both = [
        replace(one, queries=tuple(_only(query, judged=True) for query in one.queries))
        for one in (first, second)
    ]
    name = _named(_given(first)) or "first"
    other = _named(_given(second)) or judge
    names = name, other if other != name else f"{other} (2)"
    return agreement(both[0], both[1], (None, None), names=names)


def _judges(given: dict[Pair, Judgment]) -> Counter[str]:
    """Count the grades of each judge, as the file says who gave them."""
    return Counter(one.because.judge for one in given.values() if one.because)


def _named(given: dict[Pair, Judgment]) -> str:
    """Name all judges of a file, the one who gave most grades first."""
    return " & ".join(name for name, _ in _judges(given).most_common())


def _several(given: dict[Pair, Judgment], which: str) -> list[str]:
    """Say where the agreement takes several judges for one."""
    judges = _judges(given)
    if len(judges) < 2:
        return []
    counts = ", ".join(f"{harmless(name)} {count:,}" for name, count in judges.most_common())
    return [f"the {which} file has grades of several judges ({counts}), taken for one judge here"]
