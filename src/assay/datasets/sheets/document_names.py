"""The column that names the documents: cells with several names, and texts that are not names."""

from collections.abc import Mapping, Sequence

from assay.columns.titles import plain
from assay.datasets.problems import Problems
from assay.datasets.sheets.columns import DOCUMENTS, known_columns
from assay.datasets.sheets.file_names import split_names
from assay.datasets.sheets.question_words import file_kind, refuse_texts
from assay.text.count_noun import count_noun

__all__ = ["NAMED", "DocumentNames"]

NAMED = ("name", "document_id", "uri", "path", "file_name")  # fields that name a document
SEVERAL = {*";|,\n"}
SPLIT = ("name", "path", "file_name")  # whose cells may name several
# What a known title may also be that of, where nothing is graded; ids may be anything.
UNSURE = {
    **dict.fromkeys(("file", "path", "filepath", "filename", "expectedfile"), "file"),
    **dict.fromkeys(("relevant", "expecteddocument"), "document"),
    **dict.fromkeys(("expected", "result"), "word"),
    **dict.fromkeys(("document", "doc"), "title"),
}


class DocumentNames:
    """Takes rows by their fields; where nothing is graded, a row may name several documents."""

    def __init__(self, titles: Sequence[str], fields: Mapping[int, str]) -> None:
        named = [at for at, name in fields.items() if name in NAMED]
        self._title = titles[named[0]] if len(named) == 1 else ""
        self._kind = ""
        self._field = ""
        graded = not {"grade", "match"}.isdisjoint(fields.values())
        if len(named) == 1:
            known = known_columns(titles).get(named[0])
            sure = "" if graded else UNSURE.get(plain(self._title), "id")
            self._kind = sure if known else file_kind(self._title)
            self._field = fields[named[0]] if fields[named[0]] in SPLIT else ""
        self._graded = graded
        self._names: list[tuple[str, str]] = []
        self._split = 0

    def rows(self, row: dict[str, str], line: int) -> list[dict[str, str]]:
        """Return a row for each document that a row names."""
        given = [name for name in DOCUMENTS if name in row]
        if len(given) != 1 or not self._title:
            return [row]
        cell = row[given[0]]
        names = split_names(cell) if given[0] == self._field and SEVERAL & {*cell} else [cell]
        self._split += len(names) > 1
        names = [cell] if self._graded else names
        if self._kind:
            self._names += [(f"line {line}", name) for name in names]
        return [{**row, given[0]: name} for name in names]

    def refuse(self, problems: Problems) -> None:
        """Note the texts that are not names of documents."""
        if self._kind:
            refuse_texts(self._title, self._names, problems, kind=self._kind, noun="column")

    @property
    def notes(self) -> list[str]:
        """Say how many cells were split, or could have been."""
        if not self._split:
            return []
        if self._graded:
            cells = count_noun(self._split, "cell may name", "cells may name")
            counts = "counts" if self._split == 1 else "count"
            return [f"{cells} several documents, but {counts} as one name: write a row for each"]
        cells = count_noun(self._split, "cell names", "cells name")
        return [f"{cells} several documents, separated by ; | , or a line break"]
