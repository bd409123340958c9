"""Grades in the judgments of a service: given before, sent one by one, or taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.cli.remote.stored_texts import StoredTexts
from assay.client import Client
from assay.errors import UnavailableError
from assay.judging.grade_books import text_lines
from assay.records.judging import EMPTY, Card, GivenGrade, Pair, Seen, Sitting
from assay.records.service import NewJudgment

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["StoredDataset", "StoredGrades"]

NO_TEXT = "(the service does not have the text of this document: open it in your own system)"


@dataclass(frozen=True, slots=True)
class StoredDataset:
    """A dataset of a benchmark of a service; ``name`` is empty if it is the only one.

    ``queries`` maps the keys of the benchmark to those of the dataset.
    """

    name: str
    dataset: str
    mapping: str
    corpus: str
    scale: int
    queries: Mapping[str, str]


class StoredGrades:
    """Shows the documents of a report, and sends each grade at once with the person's token."""

    def __init__(
        self, client: Client, report: "Report", datasets: Sequence[StoredDataset], seen: Seen
    ) -> None:
        self._client, self._report, self._seen = client, report, seen
        self.datasets = datasets
        self._of = {query: one for one in datasets for query in one.queries}
        self._names_corpus = len({one.corpus for one in datasets}) > 1
        self.texts = StoredTexts(client, {query: one.mapping for query, one in self._of.items()})
        self.before: dict[Pair, int] = {}

    def read_before(self, known: Mapping[Pair, int]) -> dict[Pair, int]:
        """Read what persons graded beside the ``known`` judgments; the newest grade counts."""
        for one in self.datasets:
            own = {key: query for query, key in one.queries.items()}
            for entry in self._client.judgments.list(one.dataset, source="person", current=True):
                given = entry.judgment
                pair = own.get(given.query, ""), given.document
                grade = -1 if given.grade is None else given.grade
                if pair[0] and pair not in known and 0 <= grade <= one.scale:
                    self.before[pair] = grade
        return self.before

    def shown(self, sitting: Sitting) -> tuple[Sitting, Card]:
        """Return the first document that waits, and the sitting with the scale that it has."""
        pair = sitting.waiting[0]
        self.texts.fetch(sitting.waiting)
        return replace(sitting, scale=self._of[pair[0]].scale), self._card(pair)

    def write(self, sitting: Sitting, then: Sitting) -> None:
        """Send the last answer; a grade that is taken back is sent as none."""
        last = max(sitting.answered, then.answered, key=len)[-1]
        if last.grade is None:
            return
        is_given = len(then.answered) > len(sitting.answered)
        stored, (query, document) = self._of[last.pair[0]], last.pair
        judgment = NewJudgment(
            query=stored.queries[query],
            document=document,
            grade=last.grade if is_given else None,
            note=self._note(last) if is_given else "undone",
        )
        try:
            self._client.judgments.add(stored.dataset, [judgment])
        except UnavailableError as error:
            hint = "the last key was not stored, all before are: run the same command to continue"
            raise UnavailableError(error.problem, where=error.where, hint=hint) from None

    def graded(self) -> int:
        """Count what persons graded before."""
        return len(self.before)

    def output(self) -> str:
        """Name the address of the judgments, or of the service if there are several datasets."""
        only = len(self.datasets) == 1
        return self._address(self.datasets[0]) if only else self._client.url

    def outputs(self) -> dict[str, str]:
        """Name the address of the judgments of each of several datasets."""
        return {one.name: self._address(one) for one in self.datasets if one.name}

    def _address(self, one: StoredDataset) -> str:
        return f"{self._client.url}/api/v1/datasets/{one.dataset}/judgments"

    def _card(self, pair: Pair) -> Card:
        about = self._report.queries[pair[0]]
        document = self.texts.get(pair)
        return Card(
            query=pair[0],
            text=str(about.get("text", "")),
            document=(document.path if document else "") or pair[1],
            title=document.title if document else "",
            category=str(about.get("category", "")),
            lines=text_lines(document.text) if document else (),
            collection=self._of[pair[0]].name if self._names_corpus else "",
            empty=EMPTY if document else NO_TEXT,
        )

    def _note(self, given: GivenGrade) -> str:
        lines = self._seen(self._card(given.pair), given.view)
        seen = f", lines {lines[0]} to {lines[1]} seen" if lines else ""
        return f"assay judge: report {self._report.id}{seen}"
