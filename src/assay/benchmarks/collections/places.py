"""What judgments mean within documents: lines or symbols, found in the text of the corpus."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from assay.corpora.programs.definitions import definitions
from assay.datasets.resolve.resolve import with_rows
from assay.records import (
    Corpus,
    Dataset,
    Definition,
    Document,
    Judgment,
    Query,
    Reference,
    Resolution,
    ResolvedReference,
    Track,
    untracked,
)
from assay.records.chunk import symbol_id

__all__ = ["Passage", "PlacedJudgments", "find_places", "label_of"]

END = 1 << 62  # beyond the last byte of any document
_Judged = tuple[Judgment, ResolvedReference]


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document: its bytes, and the symbols that it means; ``whole`` is all of it."""

    document: str
    start: int = 0
    end: int = END
    symbols: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the whole document is meant."""
        return self.end == END

    def overlaps(self, start: int, end: int) -> bool:
        """Tell whether a chunk of the document has a part of it."""
        return self.whole or (start < self.end and end > self.start)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedJudgments:
    """A dataset whose judgments mean places: ``places`` has those of each row of the resolution.

    What a query expects of a file and of symbols in it are the symbols.
    """

    dataset: Dataset
    resolution: Resolution
    places: Sequence[Sequence[Passage]]


def find_places(
    dataset: Dataset,
    resolution: Resolution,
    corpus: Corpus,
    *,
    unit: str = "chunk",
    track: Track = untracked,
) -> PlacedJudgments:
    """Look for the lines and symbols of all judgments; what is not there is not found.

    Where symbols are the ``unit``, neither is a place that has none.
    """
    dataset, rows = _narrowed(dataset, resolution.rows)
    judged = [one for query in dataset.queries for one in query.judgments]
    wanted = {document for row in rows for document in row.documents}
    doing = f"locating judgments in {corpus.name}"
    texts = track(corpus.documents(texts=True, hashes=False), doing, unit="documents")
    outlines = {one.id: _Outline(one) for one in texts if one.id in wanted}
    pairs = zip(judged, rows, strict=True)
    places = [[*_places(judgment, row, outlines)] for judgment, row in pairs]
    if unit == "symbol":
        places = [[one for one in its if one.symbols] for its in places]
    kept = [_found(row, its) for row, its in zip(rows, places, strict=True)]
    return PlacedJudgments(dataset, with_rows(dataset, resolution, kept), places)


def label_of(judgment: Judgment, document: str) -> str:
    """Name the place that a judgment means, as people write it: file:lines or file::symbol.

    >>> label_of(Judgment(Reference(path="a.py", symbol="Client.send"), 1), "a.py")
    'a.py::Client.send'
    """
    if judgment.reference.symbol:
        return symbol_id(document, judgment.reference.symbol)
    lines = judgment.lines
    return f"{document}:{lines[0]}-{lines[1]}" if lines else document


class _Outline:
    """The lines and the definitions of one document; each is looked up when it is asked for."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _ends(self) -> list[int]:
        """The byte after each line."""
        data, ends = self._document.text.encode("utf-8", "replace"), [0]
        while (at := data.find(b"\n", ends[-1])) >= 0:
            ends.append(at + 1)
        return [*ends[1:], len(data)] if ends[-1] < len(data) else ends[1:]

    @cached_property
    def definitions(self) -> list[Definition]:
        """What the document defines."""
        return definitions(self._document.text, self._document.language)

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the bytes of lines; None where the document has no such lines."""
        if not 1 <= first <= min(last, len(self._ends)):
            return None
        return ([0, *self._ends])[first - 1], self._ends[min(last, len(self._ends)) - 1]

    def named(self, reference: Reference) -> list[Definition]:
        """Return the definitions of the symbol of a reference, by its whole name or its end."""
        symbol = reference.symbol
        if reference.match == "substring":
            part = symbol.lower()
            return [one for one in self.definitions if part in one.name.lower()]
        return [one for one in self.definitions if f".{one.name}".endswith(f".{symbol}")]

    def within(self, first: int, last: int) -> list[Definition]:
        """Return what lines define: the outermost definitions that are wholly in them.

        Where there is none, the innermost one around the first of the lines.
        """
        every = self.definitions
        inside = [one for one in every if first <= one.first_line <= one.last_line <= last]
        if inside:
            return [one for one in inside if not any(_holds(other, one) for other in inside)]
        around = [one for one in every if one.first_line <= first <= one.last_line]
        return around[-1:]  # they are in order, outer ones first


def _holds(outer: Definition, inner: Definition) -> bool:
    spans = (outer.start_byte, -outer.end_byte), (inner.start_byte, -inner.end_byte)
    return outer is not inner and spans[0] < spans[1] and outer.end_byte >= inner.end_byte


def _places(
    judgment: Judgment, row: ResolvedReference, outlines: Mapping[str, _Outline]
) -> Iterator[Passage]:
    """Find what a judgment means in each of its documents: lines, else a symbol, else all of it."""
    lines = judgment.lines
    for name in row.documents:
        outline = outlines.get(name)
        if outline is None:
            continue
        defined = outline.named(judgment.reference) if judgment.reference.symbol else []
        symbols = _names(defined or (outline.within(*lines) if lines else []))
        if lines:
            span = outline.span(*lines)
            yield from [Passage(name, *span, symbols)] if span else []
        elif judgment.reference.symbol:
            for one in defined:
                yield Passage(name, one.start_byte, one.end_byte, (one.name,))
        else:
            yield Passage(name, symbols=_names(outline.definitions))


def _names(found: Iterable[Definition]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in found))


def _found(row: ResolvedReference, places: Sequence[Passage]) -> ResolvedReference:
    """Keep the documents in which something is meant; a reference without any is not found."""
    documents = tuple(dict.fromkeys(one.document for one in places))
    if documents or not row.documents:
        return replace(row, documents=documents)
    return replace(row, documents=(), reason="not_found")


def _narrowed(
    dataset: Dataset, rows: Sequence[ResolvedReference]
) -> tuple[Dataset, list[ResolvedReference]]:
    """Replace an expected file by the expected symbols of the same query that it defines."""
    following = iter(rows)
    queries: list[Query] = []
    kept: list[ResolvedReference] = []
    for query in dataset.queries:
        judged = [(judgment, next(following)) for judgment in query.judgments]
        its = [*_without_files(judged)]
        queries.append(replace(query, judgments=tuple(judgment for judgment, _ in its)))
        kept += [row for _, row in its]
    return replace(dataset, queries=tuple(queries)), kept


def _without_files(judged: Sequence[_Judged]) -> Iterator[_Judged]:
    symbols = [one for one in judged if _is_expected(one, lambda row: row.key == "symbol")]
    files = [one for one in judged if _is_expected(one, lambda row: row.key != "symbol")]
    files = [one for one in files if not one[0].reference.symbol and not one[0].lines]
    homes = {id(one): [file for file in files if _shared(file, one)] for one in symbols}
    used = {id(file) for its in homes.values() for file in its}
    for one in judged:
        home = homes.get(id(one), [])
        if home:
            grade = max(file[0].grade for file in (one, *home))
            documents = tuple(name for name in one[1].documents if _is_in(name, home))
            yield replace(one[0], grade=grade), replace(one[1], documents=documents)
        elif id(one) not in used:
            yield one


def _is_expected(one: _Judged, wanted: Callable[[ResolvedReference], bool]) -> bool:
    judgment, row = one
    return judgment.grade > 0 and not judgment.group and bool(row.documents) and wanted(row)


def _shared(file: _Judged, symbol: _Judged) -> bool:
    return not set(file[1].documents).isdisjoint(symbol[1].documents)


def _is_in(name: str, files: Sequence[_Judged]) -> bool:
    return any(name in row.documents for _, row in files)
