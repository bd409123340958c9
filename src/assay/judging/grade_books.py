"""The grade books of a sitting: for each dataset its file, the cards shown, and all grades."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.corpora.no_corpus import NoCorpus
from assay.datasets.load import load
from assay.judging.earlier_grades import contradiction, grades_of, refuse_other
from assay.judging.grades_file import GradesFile
from assay.judging.options import JudgeOptions
from assay.records import Dataset, Document, Judgment, Query, Rationale, Reference
from assay.records.judging import EMPTY, Card, GivenGrade, Pair, Sitting
from assay.text import sanitize
from assay.text.quote import quote_line

__all__ = ["GradeBook", "GradeBooks", "take_over", "text_lines"]

NO_TEXT = "(no corpus was given: open the document in your own system)"


class GradeBook:
    """A dataset, what was graded ``before``, and who grades now, for which report.

    Queries are called as among those of all datasets. The judge is told which dataset one is of
    where that is ``told``; ``reports`` names that of a document where it is another one.
    """

    def __init__(
        self,
        collection: OpenCollection,
        report: str = "",
        *,
        options: JudgeOptions,
        told: bool = False,
        reports: Mapping[Pair, str] | None = None,
    ) -> None:
        self.collection, self.dataset, self.before = (
            collection,
            collection.dataset,
            dict[Pair, Judgment](),
        )
        self.sittings: list[Any] = [*_list(collection.dataset.metadata.get("judging"))]
        self.report, self.corpus, self._options = report, "", options
        self._reports, self._began = reports or {}, _utc(options.clock())
        self._collection = collection.name if told else ""
        self._queries = {collection.key(query.key): query for query in collection.queries}
        self._given: dict[Pair, Judgment] = {}

    @property
    def queries(self) -> Iterable[str]:
        """The keys of its queries."""
        return self._queries

    def go_on(self, sittings: object) -> None:
        """Add the sittings of before that are not noted yet."""
        self.sittings += [one for one in _list(sittings) if one not in self.sittings]

    @property
    def elsewhere(self) -> int:
        """How many grades were given when the corpus held something else than it does now."""
        told = [one for one in self.sittings if isinstance(one, dict) and one.get("corpus")]
        return sum(int(one.get("graded", 0)) for one in told if one["corpus"] != self.corpus)

    @property
    def graded(self) -> int:
        """How many grades judges gave before."""
        return len(grades_of(self.dataset)) + len(self.before)

    def card(self, pair: Pair, documents: Mapping[Pair, Document]) -> Card:
        """Put a query and a document together."""
        query, document = self._queries[pair[0]], documents[pair]
        return Card(
            query=pair[0],
            text=query.text,
            document=document.path or document.id,
            title=document.title,
            category=query.category,
            lines=text_lines(document.text),
            collection=self._collection,
            empty=NO_TEXT if isinstance(self.collection.corpus, NoCorpus) else EMPTY,
        )

    def written(self, sitting: Sitting, documents: Mapping[Pair, Document]) -> Dataset:
        """Return the dataset with all that was graded, and a note of each sitting."""
        own = [one for one in sitting.answered if one.pair[0] in self._queries]
        graded = {one.pair: one for one in own if one.grade is not None}
        for pair, one in graded.items():
            if pair not in self._given or self._given[pair].grade != one.grade:
                self._given[pair] = self._judgment(one, documents)
        given = self.before | {pair: self._given[pair] for pair in graded}
        about = {"judge": self._options.judge, "report": self.report, "seed": self._options.seed}
        about |= {"corpus": self.corpus} if self.corpus else {}
        now = {**about, "began": self._began, "ended": _utc(self._options.clock())}
        sittings = [*self.sittings, {**now, "graded": len(graded)}] if own else self.sittings
        return replace(
            self.dataset,
            queries=tuple(self._with(query, given) for query in self.dataset.queries),
            metadata={**self.dataset.metadata, "judging": sittings},
        )

    def _judgment(self, one: GivenGrade, documents: Mapping[Pair, Document]) -> Judgment:
        because = Rationale(
            judge=self._options.judge,
            when=_utc(self._options.clock()),
            report=self._reports.get(one.pair, self.report),
            seen=self._options.seen(self.card(one.pair, documents), one.view),
        )
        return Judgment(Reference(document_id=one.pair[1]), one.grade or 0, because=because)

    def _with(self, query: Query, given: Mapping[Pair, Judgment]) -> Query:
        key = self.collection.key(query.key)
        added = tuple(judgment for pair, judgment in given.items() if pair[0] == key)
        graded = {one.reference for one in added}
        kept = [one for one in query.judgments if one.grade >= 0 or one.reference not in graded]
        return replace(query, judgments=(*kept, *added)) if added else query


class GradeBooks:
    """Shows what is asked, by the scale of its dataset, and writes what was answered.

    A grade goes to the file of its own dataset, all at once; with the first one, files that are not
    there yet are created for the other datasets, so that all of them can be used again.
    """

    def __init__(
        self,
        places: Sequence[GradesFile],
        books: Sequence[GradeBook],
        documents: Mapping[Pair, Document],
    ) -> None:
        self.places, self.books, self.documents = places, books, documents
        self._number = {query: at for at, one in enumerate(books) for query in one.queries}

    def shown(self, sitting: Sitting) -> tuple[Sitting, Card]:
        """Return the first document that waits, and the sitting with the scale that it has."""
        pair = sitting.waiting[0]
        book = self.books[self._number[pair[0]]]
        return replace(sitting, scale=book.dataset.scale), book.card(pair, self.documents)

    def write(self, sitting: Sitting, then: Sitting) -> None:
        """Write the file that the last answer is of, given or taken back."""
        longer = max(sitting.answered, then.answered, key=len)
        changed = self._number[longer[-1].pair[0]]
        self._write(changed, then)
        for at, place in enumerate(self.places):
            if not place.path.exists():
                self._write(at, then)

    def _write(self, at: int, sitting: Sitting) -> None:
        self.places[at].write(self.books[at].written(sitting, self.documents))

    def before(self) -> set[Pair]:
        """Tell what was graded in earlier sittings."""
        return {pair for one in self.books for pair in one.before}

    def graded(self) -> int:
        """Count what judges graded in earlier sittings."""
        return sum(one.graded for one in self.books)

    def output(self) -> str:
        """Name what was written: a file, or the folder of several."""
        path = self.places[0].path
        return str(path if len(self.places) == 1 else path.parent)

    def outputs(self) -> dict[str, str]:
        """Name the file of each of several datasets."""
        pairs = zip(self.books, self.places, strict=True)
        return {one.collection.name: str(place.path) for one, place in pairs if one.collection.name}


def _list(value: object) -> list[Any]:
    return [*value] if isinstance(value, list | tuple) else []


def text_lines(text: str) -> tuple[str, ...]:
    """Part lines as editors number them, which know of no further ends of lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


def _utc(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def take_over(place: GradesFile, book: GradeBook, known: Mapping[Pair, int]) -> dict[Pair, int]:
    """Return the grades of earlier sittings, and note them; ``known`` are the dataset's own.

    What the file lacks of the dataset is added to it; grades that contradict it are refused.
    """
    if not place.path.exists():
        return {}
    before = load(place.path)
    given = {
        (book.collection.key(query), document): one
        for (query, document), one in grades_of(before).items()
    }
    why = contradiction(book.dataset, before) or _regraded(given, known)
    if why:
        refuse_other(place.path, before, why)
    book.go_on(before.metadata.get("judging", ()))
    book.before = {pair: one for pair, one in given.items() if pair not in known}
    return {pair: one.grade for pair, one in book.before.items()}


def _regraded(given: Mapping[Pair, Judgment], known: Mapping[Pair, int]) -> str:
    for pair, one in given.items():
        if known.get(pair, one.grade) != one.grade:
            judge = sanitize(one.because.judge) if one.because else "a judge"
            what = f"{quote_line(pair[1])} for query {quote_line(pair[0])}"
            return f"{judge} gave {what} grade {one.grade}, the dataset has grade {known[pair]}"
    return ""
