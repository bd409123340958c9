"""Which notes answer a query, and how well: known, because each note knows what it is about."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from assay.datasets.families._notes import Note
from assay.datasets.families._seeded_random import SeededRandom
from assay.datasets.families.lexicon.matter import Matter
from assay.records import Document, Judgment, Rationale, Reference

__all__ = ["ABOUT", "KIN", "PASSING", "SCALE", "TopicJudgments", "judgment"]

T = TypeVar("T", bound=Hashable)

SCALE = 3
ABOUT, PASSING, KIN = 3, 2, 1
NEGATIVES = 5  # judged 0 for each query: the notes that are most easily mistaken for an answer
BECAUSE = {
    ABOUT: "the note is about it",
    PASSING: "the note says it in passing",
    KIN: "the note is about the related event",
}


class TopicJudgments:
    """Looks up the judgments of a matter among notes."""

    def __init__(self, notes: Sequence[Note], documents: Sequence[Document]) -> None:
        self._about = _group(notes, lambda note: note.about)
        self._passing = _group(notes, lambda note: note.passing)
        self._lures = _group(notes, lambda note: note.lure)
        self._alike = _group(notes, lambda note: note.about and note.about.topic.asked)
        self._neighbours = _group(notes, lambda note: note.about and note.about.domain.name)
        self._documents = documents

    def judgments(
        self, matter: Matter, chance: SeededRandom, *, alone: bool = False
    ) -> tuple[Judgment, ...]:
        """Judge every note that answers at all, and some that only look like it.

        With ``alone`` the question names the topic and no event, so that each event is an answer.
        """
        events = matter.domain.events if alone else (matter.event,)
        matters = [Matter(matter.domain, matter.topic, event) for event in events]
        grades = self.grades(matters, kin=() if alone else (matter.kin,))
        lures = [at for at in self._lures[matter] if at not in grades][:NEGATIVES]
        alike = [] if alone else self._alike[matter.topic.asked]
        near = [at for at in alike if at not in grades] or [
            at for at in self._neighbours[matter.domain.name] if at not in grades
        ]
        rows = [self._row(at, grade, BECAUSE[grade]) for at, grade in sorted(grades.items())]
        rows += [self._row(at, 0, "only its words are alike") for at in lures]
        near = chance.sample(near, NEGATIVES - len(lures))
        return (*rows, *(self._row(at, 0, "another matter, near to it") for at in near))

    def grades(self, matters: Sequence[Matter], kin: Sequence[Matter] = ()) -> dict[int, int]:
        """Grade the notes about some matters, by place; kin are the matters worth 1."""
        found: dict[int, int] = {}
        for matter in kin:
            found |= dict.fromkeys([*self._about[matter], *self._passing[matter]], KIN)
        for matter in matters:
            found |= dict.fromkeys(self._passing[matter], PASSING)
        for matter in matters:
            found |= dict.fromkeys(self._about[matter], ABOUT)
        return found

    def _row(self, at: int, grade: int, reason: str) -> Judgment:
        return judgment(self._documents[at].id, grade, reason)


def judgment(document_id: str, grade: int, reason: str) -> Judgment:
    """Judge a document by its id."""
    return Judgment(Reference(document_id=document_id), grade, because=Rationale(reason))


def _group(notes: Sequence[Note], key: Callable[[Note], T | None]) -> defaultdict[T, list[int]]:
    groups: defaultdict[T, list[int]] = defaultdict(list)
    for at, note in enumerate(notes):
        found = key(note)
        if found is not None:
            groups[found].append(at)
    return groups
