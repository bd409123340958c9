"""The notes of a sitting: the cards that are shown, and the dataset that the grades make."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from assay.benchmarks.collections.open_collections import Site
from assay.judging.earlier_grades import grades_of
from assay.records import Because, Dataset, Document, Judgment, Query, Reference
from assay.records.judging import Answered, Card, Pair, Seen, Sitting
from assay.reports.judging.passages import seen_lines

__all__ = ["Notes"]


class Notes:
    """A dataset, what was graded ``before``, and who grades now, for which report.

    Queries are called as among those of all datasets. The judge is told which dataset one is of
    where that is ``told``; ``reports`` names that of a document where it is another one.
    """

    def __init__(
        self,
        site: Site,
        report: str = "",
        *,
        judge: str,
        seed: int,
        clock: Callable[[], float],
        seen: Seen = seen_lines,
        told: bool = False,
        reports: Mapping[Pair, str] | None = None,
    ) -> None:
        self.site, self.dataset, self.before = site, site.dataset, dict[Pair, Judgment]()
        self.sittings: list[Any] = [*_list(site.dataset.metadata.get("judging"))]
        self.report, self.corpus, self._judge, self._seed = report, "", judge, seed
        self._seen, self._reports = seen, reports or {}
        self._clock, self._began = clock, _utc(clock())
        self._collection = site.name if told else ""
        self._queries = {site.key(query.key): query for query in site.queries}
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
            lines=_lines(document.text),
            collection=self._collection,
        )

    def written(self, sitting: Sitting, documents: Mapping[Pair, Document]) -> Dataset:
        """Return the dataset with all that was graded, and a note of each sitting."""
        own = [one for one in sitting.answered if one.pair[0] in self._queries]
        graded = {one.pair: one for one in own if one.grade is not None}
        for pair, one in graded.items():
            if pair not in self._given or self._given[pair].grade != one.grade:
                self._given[pair] = self._judgment(one, documents)
        given = self.before | {pair: self._given[pair] for pair in graded}
        about = {"judge": self._judge, "report": self.report, "seed": self._seed}
        about |= {"corpus": self.corpus} if self.corpus else {}
        now = {**about, "began": self._began, "ended": _utc(self._clock())}
        sittings = [*self.sittings, {**now, "graded": len(graded)}] if own else self.sittings
        return replace(
            self.dataset,
            queries=tuple(self._with(query, given) for query in self.dataset.queries),
            metadata={**self.dataset.metadata, "judging": sittings},
        )

    def _judgment(self, one: Answered, documents: Mapping[Pair, Document]) -> Judgment:
        because = Because(
            judge=self._judge,
            when=_utc(self._clock()),
            report=self._reports.get(one.pair, self.report),
            seen=self._seen(self.card(one.pair, documents), one.view),
        )
        return Judgment(Reference(document_id=one.pair[1]), one.grade or 0, because=because)

    def _with(self, query: Query, given: Mapping[Pair, Judgment]) -> Query:
        key = self.site.key(query.key)
        added = tuple(judgment for pair, judgment in given.items() if pair[0] == key)
        return replace(query, judgments=(*query.judgments, *added)) if added else query


def _list(value: object) -> list[Any]:
    return [*value] if isinstance(value, list | tuple) else []


def _lines(text: str) -> tuple[str, ...]:
    """Part lines as editors number them, which know of no further ends of lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


def _utc(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
