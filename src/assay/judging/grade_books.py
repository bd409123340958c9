"""The books of a sitting: for each dataset its file and its notes, found by the query."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.judging.grade_notes import Notes
from assay.judging.grades_file import JudgedFile
from assay.records import Document
from assay.records.judging import Card, Pair, Sitting

__all__ = ["Books"]


class Books:
    """Shows what is asked, by the scale of its dataset, and writes what was answered.

    A grade goes to the file of its own dataset, all at once; with the first one, files that are not
    there yet are begun for the other datasets, so that all of them can be asked again.
    """

    def __init__(
        self,
        places: Sequence[JudgedFile],
        notes: Sequence[Notes],
        documents: Mapping[Pair, Document],
    ) -> None:
        self.places, self.notes, self.documents = places, notes, documents
        self._number = {query: at for at, one in enumerate(notes) for query in one.queries}

    def shown(self, sitting: Sitting) -> tuple[Sitting, Card]:
        """Return the first document that waits, and the sitting with the scale that it has."""
        pair = sitting.waiting[0]
        notes = self.notes[self._number[pair[0]]]
        return replace(sitting, scale=notes.dataset.scale), notes.card(pair, self.documents)

    def write(self, sitting: Sitting, then: Sitting) -> None:
        """Write the file that the last answer is of, given or taken back."""
        longer = max(sitting.answered, then.answered, key=len)
        changed = self._number[longer[-1].pair[0]]
        self._write(changed, then)
        for at, place in enumerate(self.places):
            if not place.path.exists():
                self._write(at, then)

    def _write(self, at: int, sitting: Sitting) -> None:
        self.places[at].write(self.notes[at].written(sitting, self.documents))

    def before(self) -> set[Pair]:
        """Tell what was graded in earlier sittings."""
        return {pair for one in self.notes for pair in one.before}

    def graded(self) -> int:
        """Count what judges graded in earlier sittings."""
        return sum(one.graded for one in self.notes)

    def output(self) -> str:
        """Name what was written: a file, or the folder of several."""
        path = self.places[0].path
        return str(path if len(self.places) == 1 else path.parent)

    def outputs(self) -> dict[str, str]:
        """Name the file of each of several datasets."""
        pairs = zip(self.notes, self.places, strict=True)
        return {one.site.name: str(place.path) for one, place in pairs if one.site.name}
