"""Bring an index up to date: only what changed is read, taken apart and embedded again."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, islice
from typing import TypeVar

from assay.corpora.programs.is_program import is_program
from assay.engines.vectors.packing import pack
from assay.errors import AssayError, InputError, InUseError
from assay.records import (
    Chunk,
    Configuration,
    Corpus,
    Document,
    Embedder,
    LexicalIndex,
    Track,
    moving,
    untracked,
)
from assay.records.model import embedder_input, is_given
from assay.searches._current_counts import counts_if_current, failures_of
from assay.searches.parts import chunker_of, lexical_at, text_of, whole
from assay.workspace.index.index_store import IndexStore, Update

__all__ = ["IndexUpdate", "bring_up_to_date"]

T = TypeVar("T")
BATCH = 256  # chunks whose texts are held at once
MOST_DELETED = 0.1  # of a lexical index: deleted chunks still count in its frequencies


@dataclass(frozen=True, slots=True)
class IndexUpdate:
    """What one pass did, and what the index holds after it."""

    documents: int
    chunks: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    read: int = 0
    embedded: int = 0
    seconds: float = 0.0
    rebuilt: bool = False
    repaired: bool = False
    skipped: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    storage: Mapping[str, int] = field(default_factory=dict)


def bring_up_to_date(
    store: IndexStore,
    corpus: Corpus,
    configuration: Configuration,
    *,
    embedder: Embedder | None = None,
    track: Track = untracked,
    waiting: Callable[[str], None] | None = None,
    repair: bool = False,
) -> IndexUpdate:
    """Make a store hold exactly the corpus, in one transaction: all of it, or nothing.

    A store that is up to date is only read, without waiting for other processes. A lexical index
    that is lost or damaged is rebuilt from the stored texts; with ``repair``, it always is.
    """
    started = time.perf_counter()
    if not repair and (counts := counts_if_current(store, corpus, configuration)) is not None:
        return _as_it_was(counts, time.perf_counter() - started, corpus.skipped)

    try:
        with _turn(store, corpus, configuration, waiting=waiting, repair=repair) as update:
            if not isinstance(update, Update):
                return _as_it_was(update, time.perf_counter() - started, corpus.skipped)
            work = _Pass(update, configuration, embedder, repair=repair)
            work.over(corpus, track)
            return work.done(time.perf_counter() - started, corpus.skipped)
    except _LexicalError as error:
        if repair:
            raise _told(error.reason, store) from None
    return bring_up_to_date(
        store,
        corpus,
        configuration,
        embedder=embedder,
        track=track,
        waiting=waiting,
        repair=True,
    )


@contextmanager
def _turn(
    store: IndexStore,
    corpus: Corpus,
    configuration: Configuration,
    *,
    waiting: Callable[[str], None] | None,
    repair: bool,
) -> Iterator[Update | Mapping[str, int]]:
    """Begin to write; or tell what is there, if it is current but for stamps and another writes."""
    with ExitStack() as stack:
        begin = partial(store.update, copy=_rewritten)
        try:
            update = stack.enter_context(begin(patience_s=0.0))
        except InUseError:
            look = partial(counts_if_current, store, corpus, configuration, by_content=True)
            counts = None if repair else look()
            if counts is not None:
                yield counts
                return
            update = stack.enter_context(begin(waiting=waiting))
        yield update


def _told(reason: BaseException, store: IndexStore) -> BaseException:
    """Say of what an engine did not explain itself that the disk is to be looked after."""
    if not isinstance(reason, OSError):
        return reason
    hint = "check the disk space, then try again; the index is unchanged"
    problem = f"the lexical index cannot be written ({reason.strerror or reason})"
    return InputError(problem, where=str(store.folder), hint=hint)


class _LexicalError(Exception):
    """A lexical engine cannot use its files; ``reason`` is its error."""

    def __init__(self, reason: BaseException) -> None:
        super().__init__(str(reason))
        self.reason = reason


class _Pass:
    """One pass over a corpus: what it found so far."""

    def __init__(
        self,
        update: Update,
        configuration: Configuration,
        embedder: Embedder | None,
        *,
        repair: bool,
    ) -> None:
        self.update = update
        self._embedder = embedder
        self.known = update.known()
        self._lost = bool(self.known) and (repair or not update.has_lexical)
        self._configuration = configuration
        self._chunk = chunker_of(configuration, embedder)
        self._lexical: LexicalIndex | None = None
        self._left = set(self.known)
        self._stamps: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._rebuilt = False

    def over(self, corpus: Corpus, track: Track) -> None:
        """Do all of it: documents, words, vectors."""
        documents = corpus.documents(known=self.update.failures() | self.known)
        for document in track(documents, f"reading {corpus.name}", unit="files"):
            self.take(document)
        self.forget_the_rest()
        self.update.keep_failures(failures_of(corpus))
        with _in_lexical():
            self.settle_lexical()
        if self._embedder is not None:
            self.embed(self._embedder, track)

    def take(self, document: Document) -> None:
        """Take in a document, unless the index has it already."""
        self._left.discard(document.id)
        before = self.known.get(document.id)
        if before is not None and before == document.stamp and document.stamp:
            return
        self._counts["read"] += 1
        if before is not None and self.update.holds(document):
            self._stamps[document.id] = document.stamp
            return
        if before is not None:
            self._remove([document.id])
        self._counts["added" if before is None else "changed"] += 1
        self._put(document)

    def _put(self, document: Document) -> None:
        chunked = self._chunk(document)
        rows = self.update.put(document, chunked.chunks, fallback=chunked.fallback)
        if self._configuration.lexical and rows and not self._lost:
            with _in_lexical():
                self._open_lexical().add(*self._entries(rows, chunked.chunks))

    def _entries(
        self, rows: Sequence[int], chunks: Sequence[Chunk]
    ) -> tuple[Sequence[int], Sequence[Chunk]]:
        """Give the lexical index a document's chunks, or all of it under its first row."""
        unit = self._configuration.lexical_unit
        joined = unit == "document" or (unit == "auto" and is_program(chunks[0].path))
        return (rows[:1], [whole(chunks)]) if joined else (rows, chunks)

    def _remove(self, ids: Iterable[str]) -> None:
        rows = self.update.remove(ids)
        if self._configuration.lexical and rows and not self._lost:
            with _in_lexical():
                self._open_lexical().remove(rows)

    def _open_lexical(self) -> LexicalIndex:
        if self._lexical is None:
            self._lexical = lexical_at(self._configuration, self.update.lexical)
        return self._lexical

    def forget_the_rest(self) -> None:
        """Remove what the corpus no longer holds, and note what only looked changed."""
        if self._left:
            self._remove(sorted(self._left))
        if self._stamps:
            self.update.restamp(self._stamps)

    def settle_lexical(self) -> None:
        """Commit the lexical index; rebuild it if it is lost, or if too much of it is deleted."""
        if not self._configuration.lexical:
            return
        if self._lost:
            self._built_anew().close()
        elif self._lexical or not self.update.has_lexical:  # an empty corpus has an index, too
            index = self._open_lexical()
            index.commit()
            gone, left = index.deleted, index.documents
            index.close()
            if gone > MOST_DELETED * (left + gone):
                self._built_anew().close()

    def _built_anew(self) -> LexicalIndex:
        self._rebuilt = True
        self._lexical = index = lexical_at(self._configuration, self.update.fresh_lexical())
        for _, some in groupby(self.update.chunks(), key=lambda pair: pair[1].document):
            rows, chunks = zip(*some, strict=True)
            index.add(*self._entries(rows, chunks))
        index.commit()
        return index

    def embed(self, embedder: Embedder, track: Track) -> None:
        """Give a vector to each chunk that has none."""
        rows = self.update.without_vectors()
        doing = _doing(embedder)
        shown = iter(track(rows, doing, total=len(rows), unit="chunks") if rows else rows)
        for batch in _batches(rows, BATCH):
            texts = [
                embedder_input(embedder, name=chunk.document, text=text_of(chunk))
                for _, chunk in self.update.chunks(batch)
            ]
            steps = islice(shown, len(batch))
            made = embedder.embed(texts, track=moving(steps))
            self.update.vectors(batch, pack(made, str(self._configuration.precision)))
            deque(steps, maxlen=0)  # chunks that needed no embedding
        deque(shown, maxlen=0)  # to its end, where what was drawn is cleared
        self._counts["embedded"] = len(rows)

    def done(self, seconds: float, skipped: Mapping[str, int]) -> IndexUpdate:
        """Sum up."""
        totals = self.update.totals()
        return IndexUpdate(
            documents=totals["documents"],
            chunks=totals["chunks"],
            added=self._counts["added"],
            changed=self._counts["changed"],
            removed=len(self._left),
            read=self._counts["read"],
            embedded=self._counts["embedded"],
            seconds=seconds,
            rebuilt=self._rebuilt,
            repaired=self._lost and self._rebuilt,
            skipped=skipped,
            counts=totals,
        )


def _doing(embedder: Embedder) -> str:
    return "storing given vectors" if is_given(embedder) else f"embedding with {embedder.name}"


@contextmanager
def _in_lexical() -> Iterator[None]:
    """Tell what a lexical engine complains about from all that goes wrong elsewhere."""
    try:
        yield
    except (AssayError, ValueError, OSError) as error:
        raise _LexicalError(error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # how tantivy meets some damage
            raise
        raise _LexicalError(error) from error


def _as_it_was(
    counts: Mapping[str, int], seconds: float, skipped: Mapping[str, int]
) -> IndexUpdate:
    return IndexUpdate(
        documents=counts["documents"],
        chunks=counts["chunks"],
        seconds=seconds,
        skipped=skipped,
        counts=counts,
    )


def _rewritten(_name: str) -> bool:
    """Share all engine files between generations: the engines replace files, never rewrite them."""
    return False


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
