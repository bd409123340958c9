"""Lines of fields -> triples: block by block, without one Python object per row."""

from collections.abc import Callable, Sequence

import numpy as np

from assay.columns.blocks.block import Block, blocks
from assay.columns.blocks.fields import CheckExtra, Fields, split
from assay.columns.blocks.names import names
from assay.columns.blocks.numbers import numbers
from assay.columns.decimal_comma import DECIMAL_POINT, has_decimal_comma
from assay.columns.faults import Faults
from assay.columns.files.source import Source
from assay.columns.run_columns import RunColumns
from assay.columns.triples import Triples, gather
from assay.errors import InputError
from assay.records import Floats, Ints, Names, as_words, join
from assay.text.count_noun import count_noun

__all__ = ["delimited"]


def delimited(
    source: Source,
    layout: Sequence[str],
    wanted: tuple[int, int, int],
    *,
    tabs: bool = False,
    header: bool = False,
    label: int | None = None,
    check_extra: CheckExtra | None = None,
    beside: RunColumns | None = None,
) -> Triples:
    """Read query, document and value from the wanted columns of a text file.

    ``tabs`` splits at tabs only, else at any run of white space. ``label`` is a further column to
    keep; ``check_extra`` looks at lines with more columns than the layout has; ``beside`` takes the
    ranks and tags of a run. Lines that lack a field and values that are no finite numbers are
    refused: the first five, and how many there are.
    """
    columns = wanted if label is None else (*wanted, label)
    beside = beside or RunColumns(None, None)
    reader = _Reader(layout, columns, beside, tabs=tabs, check_extra=check_extra)
    faults = Faults(source.name)
    for number, block in enumerate(blocks(source)):
        try:
            reader.add(block, skip=1 if header and number == 0 else 0, faults=faults)
        except InputError as error:  # what follows cannot be read
            faults.add(block.first_line + block.line_count, error)
            break
        faults.settle()
    faults.refuse()
    return reader.triples(source.name)


class _Reader:
    """Collects the columns of each block."""

    def __init__(
        self,
        layout: Sequence[str],
        wanted: tuple[int, ...],
        beside: RunColumns,
        *,
        tabs: bool,
        check_extra: CheckExtra | None,
    ) -> None:
        self.layout, self.wanted, self.tabs = layout, wanted, tabs
        self.beside, self.check_extra = beside, check_extra
        self.queries: list[str] = []
        self.lengths: list[int] = []
        self.documents: list[Names] = []
        self.labels: list[Names] = []
        self.values: list[Floats] = []
        self.skipped: list[Ints] = []
        self.extra = 0
        self.comments = 0

    def add(self, block: Block, *, skip: int, faults: Faults) -> None:
        """Read one block; ``skip`` leaves out its first lines."""
        fields = split(
            block,
            self.layout,
            (*self.wanted, *self.beside.columns),
            tabs=self.tabs,
            faults=faults,
            check_extra=self.check_extra,
            optional=len(self.beside.columns),
        )
        self.comments += fields.comments
        if skip and block.first_line in fields.skipped:  # titles that begin with # are no row
            skip, self.comments = 0, self.comments - 1
        own = len(self.wanted)
        (queries, documents, values, *label), ends = fields.starts[:own], fields.ends
        rows = slice(skip, None)
        read = numbers(block, values[rows], ends[2][rows])
        if not np.isfinite(read).all():
            odd = skip + np.flatnonzero(~np.isfinite(read))
            rows_of = {fields.line(block, row): row for row in odd.tolist()}
            faults.add_all([*rows_of], lambda line: self._not_finite(block, fields, rows_of[line]))
        self.values.append(read)
        self.documents.append(names(block, documents[rows], ends[1][rows]))
        if label:
            self.labels.append(names(block, label[0][rows], ends[3][rows]))
        more = ([one[rows] for one in part[own:]] for part in (fields.starts, ends))
        self.beside.add(block, *more)
        self._add_queries(block, queries[rows], ends[0][rows])
        skipped = np.arange(block.first_line, block.first_line + skip)
        self.skipped.append(np.concatenate((skipped, fields.skipped)))
        self.extra += fields.extra

    def _not_finite(self, block: Block, fields: Fields, row: int) -> InputError:
        token = block.token(int(fields.starts[2][row]), int(fields.ends[2][row]))
        problem = f'{self.layout[self.wanted[2]]} "{token[:40]}" is not a finite number'
        of_grade = "grades are whole numbers, e.g. 0, 1, 2, 3"
        of_score = DECIMAL_POINT if has_decimal_comma(token) else "correct or remove the line"
        hint = of_grade if "grade" in self.layout else of_score
        return block.refuse(problem, fields.line(block, row), hint)

    def _add_queries(self, block: Block, starts: Ints, ends: Ints) -> None:
        """Keep one entry per run of lines with the same query."""
        if not len(starts):
            return
        words = as_words(names(block, starts, ends))
        changes = (words[1:] != words[:-1]).any(axis=1)
        first = np.concatenate(([0], np.flatnonzero(changes) + 1))
        lengths = np.diff(np.append(first, len(starts)))
        for at, length in zip(first.tolist(), lengths.tolist(), strict=True):
            self.queries.append(block.token(int(starts[at]), int(ends[at])))
            self.lengths.append(length)

    def triples(self, where: str) -> Triples:
        """Put the blocks together."""
        values = np.concatenate(self.values) if self.values else np.empty(0)
        self.values.clear()
        documents = join(self.documents)
        self.documents.clear()
        place = _place(where, np.concatenate(self.skipped))
        labels = join(self.labels) if self.labels else self.beside.tags
        triples = gather(
            self.queries,
            self.lengths,
            documents,
            values,
            place,
            self._notes(),
            name=where,
            labels=labels,
        )
        return triples.with_ranks(self.beside.ranks)

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if self.extra:
            lines = count_noun(self.extra, "line has", "lines have")
            more = f"{lines} more than {len(self.layout)} columns"
            notes.append(f"{more}; the additional columns are ignored")
        if self.comments:  # said, since it might be the name of a query
            one, many = 'line starts with "#" and is', 'lines start with "#" and are'
            notes.append(f"{count_noun(self.comments, one, many)} ignored")
        return tuple(notes)


def _place(where: str, skipped: Ints) -> Callable[[int], str]:
    """Turn a row into its line, counting the lines that hold no row."""

    def place(row: int) -> str:
        line = row + 1
        while (shifted := row + 1 + int(np.searchsorted(skipped, line, side="right"))) != line:
            line = shifted
        return f"{where}, line {line}"

    return place
