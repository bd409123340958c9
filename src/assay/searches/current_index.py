"""Which index belongs to a corpus and a configuration, and how it is opened."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from assay.corpora.open_corpus import open_corpus
from assay.errors import AssayError, InputError
from assay.records import Configuration, Corpus, Document, Embedder, Track
from assay.searches.indexing import Indexed, bring_up_to_date
from assay.searches.parts import embedder_of, fingerprint_of, settings_of
from assay.workspace.blobs import Blobs, silent
from assay.workspace.index.index_store import IndexStore, open_store
from assay.workspace.locate import Workspace, locate
from assay.workspace.vector_cache import cached

if TYPE_CHECKING:
    from assay.searches.searcher import Searcher

__all__ = ["Located", "Say", "Wanted", "Where", "asked_of", "current_index", "located"]

T = TypeVar("T")
Say = Callable[[str], None]

Where = str | Path | Mapping[str, object] | Corpus | Sequence[Document]
"""What names a corpus: a path, a mapping as in a benchmark file, a corpus, documents."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be searched, how, and where the index is kept."""

    corpus: Where
    configuration: Configuration
    workspace: str | Path | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Located:
    """Where the index of a corpus is, whether it is there or not."""

    store: IndexStore
    embedder: Embedder | None
    workspace: Workspace
    corpus: Corpus


@dataclass(frozen=True, slots=True)
class Opened:
    """An index that holds exactly what its corpus holds."""

    store: IndexStore
    configuration: Configuration
    embedder: Embedder | None
    indexed: Indexed
    workspace: Workspace
    corpus: Corpus
    note: Say = field(default=silent)

    def searcher(self) -> "Searcher":
        """Open it for searching."""
        from assay.searches.searcher import Searcher  # indexing does without

        memory = Blobs(self.workspace.tokens, note=self.note)
        return self.store.read(
            lambda snapshot: Searcher(
                snapshot, self.configuration, embedder=self.embedder, memory=memory
            )
        )

    def blames_words(self, error: BaseException) -> bool:
        """Tell whether an error may come from lexical files that are damaged."""
        if self.configuration.lexical is None:
            return False
        if isinstance(error, AssayError):
            return error.where.startswith(str(self.store.folder / "lexical-"))
        panic = type(error).__name__ == "PanicException"  # how tantivy meets some damage
        return panic or isinstance(error, ValueError | OSError | LookupError)


def asked_of(
    wanted: Wanted,
    ask: "Callable[[Searcher, Opened], T]",
    *,
    track: Track,
    waiting: Say | None = None,
    note: Say = silent,
) -> T:
    """Ask the index of a corpus; if its lexical files are damaged, once more with new ones."""
    opened = current_index(wanted, track=track, waiting=waiting, note=note)
    try:
        with closing(opened.searcher()) as searcher:
            return ask(searcher, opened)
    except BaseException as error:
        if not opened.blames_words(error):
            raise
    opened = current_index(wanted, track=track, waiting=waiting, note=note, repair=True)
    with closing(opened.searcher()) as searcher:
        return ask(searcher, opened)


def current_index(
    wanted: Wanted,
    *,
    track: Track,
    waiting: Say | None = None,
    note: Say = silent,
    repair: bool = False,
) -> Opened:
    """Open the index of a corpus and bring it up to date; a new one is built."""
    if wanted.configuration.system is not None:
        hint = "leave system out, or name it in a benchmark file and use assay run"
        raise InputError("an outside system has no index of ours", where="system", hint=hint)
    found = located(wanted, track=track)
    store, embedder, workspace, corpus = found.store, found.embedder, found.workspace, found.corpus
    memory = cached(embedder, workspace.vectors, note=note) if embedder else None
    with closing(memory) if memory else nullcontext() as remembering:
        indexed = bring_up_to_date(
            store,
            corpus,
            wanted.configuration,
            embedder=remembering,
            track=track,
            waiting=waiting,
            repair=repair,
        )
    return Opened(store, wanted.configuration, embedder, indexed, workspace, corpus, note)


def located(wanted: Wanted, *, track: Track) -> Located:
    """Find out where the index of a corpus is, without a look at it."""
    corpus = _opened(wanted)
    workspace = locate(given=wanted.workspace)
    embedder = embedder_of(wanted.configuration, folder=workspace.models, track=track)
    settings = settings_of(wanted.configuration, embedder)
    folder = workspace.indexes / _name(wanted, corpus, settings)
    store = open_store(folder, settings=fingerprint_of(settings))
    return Located(store, embedder, workspace, corpus)


def _opened(wanted: Wanted) -> Corpus:
    from assay.corpora.sources.inline import inline

    if isinstance(wanted.corpus, list | tuple):
        return inline(wanted.corpus)
    given = {"include": list(wanted.include), "exclude": list(wanted.exclude)}
    patterns: dict[str, Any] = {key: value for key, value in given.items() if value}
    return open_corpus(wanted.corpus, **patterns)


def _name(wanted: Wanted, corpus: Corpus, settings: Mapping[str, object]) -> str:
    """Name the folder of an index so that people and programs recognise it."""
    where = wanted.corpus
    if isinstance(where, str | Path):
        text = str(where)
        place = text if text == "stdlib" or text.startswith("git:") else str(Path(text).resolve())
    elif isinstance(where, Mapping):
        place = fingerprint_of(dict(where), str(Path.cwd()))
    else:
        from assay.corpora.fingerprint import fingerprint

        place = fingerprint(corpus)
    key = fingerprint_of(place, wanted.include, wanted.exclude, settings)
    return (
        f"{re.sub(r'[^a-z0-9]+', '-', corpus.name.lower()).strip('-')[:40] or 'corpus'}-{key[:16]}"
    )
