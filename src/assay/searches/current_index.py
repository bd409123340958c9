"""Which index belongs to a corpus and a configuration, and how it is opened."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from assay.corpora.open_corpus import open_corpus
from assay.corpora.refuse_empty import refuse_empty
from assay.corpora.size_limit import DEFAULT, size_limit
from assay.errors import AssayError, InputError
from assay.records import Configuration, Corpus, Dataset, Document, Embedder, Track
from assay.records.configuration import GIVEN
from assay.records.fingerprint import fingerprint_of
from assay.records.model import is_given
from assay.searches.environment import machine_name
from assay.searches.indexing import IndexUpdate, bring_up_to_date
from assay.searches.parts import embedder_of, index_settings
from assay.workspace.blobs import Blobs, silent
from assay.workspace.index.index_store import IndexStore, open_store
from assay.workspace.locate import Workspace, locate
from assay.workspace.vector_cache import cached

if TYPE_CHECKING:
    from assay.searches.searcher import Searcher

__all__ = [
    "CorpusSource",
    "IndexLocation",
    "IndexRequest",
    "Say",
    "ask_index",
    "current_index",
    "index_command",
    "locate_index",
]

T = TypeVar("T")
Say = Callable[[str], None]
CorpusSource = str | Path | Mapping[str, object] | Corpus | Sequence[Document]
"""A corpus: a path, a mapping as in a benchmark file, a corpus object, or documents."""
OPTIONS = ("search", "model", "chunker", "chunk_size", "lexical", "language", "dense", "precision")


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """What is to be searched, how, and where the index is stored.

    Without a ``max_file_size`` the corpus has its own.
    """

    corpus: CorpusSource
    configuration: Configuration
    workspace: str | Path | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_file_size: int | str | None = None


@dataclass(frozen=True, slots=True)
class IndexLocation:
    """Where the index of a corpus is, whether it is there or not."""

    store: IndexStore
    embedder: Embedder | None
    workspace: Workspace
    corpus: Corpus


@dataclass(frozen=True, slots=True)
class CurrentIndex:
    """An index that holds exactly what its corpus holds."""

    store: IndexStore
    configuration: Configuration
    embedder: Embedder | None
    indexed: IndexUpdate
    workspace: Workspace
    corpus: Corpus
    note: Say = field(default=silent)

    def searcher(self) -> "Searcher":
        """Open it for searching."""
        from assay.searches.searcher import Searcher

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


def ask_index(
    wanted: IndexRequest,
    ask: "Callable[[Searcher, CurrentIndex], T]",
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
    wanted: IndexRequest,
    *,
    track: Track,
    waiting: Say | None = None,
    note: Say = silent,
    repair: bool = False,
) -> CurrentIndex:
    """Open the index of a corpus and bring it up to date; a new one is built."""
    if wanted.configuration.system is not None:
        hint = "remove system, or put it into a benchmark file and use assay run"
        raise InputError(
            "external systems are only supported in benchmarks", where="system", hint=hint
        )
    found = locate_index(wanted, track=track, note=note)
    store, embedder, workspace, corpus = found.store, found.embedder, found.workspace, found.corpus
    here = machine_name()
    made = None if is_given(embedder) else embedder
    memory = cached(made, workspace.vectors, machine=here, note=note) if made else None
    with closing(memory) if memory else nullcontext(embedder) as remembering:
        indexed = bring_up_to_date(
            store,
            corpus,
            wanted.configuration,
            embedder=remembering,
            track=track,
            waiting=waiting,
            repair=repair,
        )
    refuse_empty(corpus, unread=not indexed.chunks)
    return CurrentIndex(store, wanted.configuration, embedder, indexed, workspace, corpus, note)


def locate_index(
    wanted: IndexRequest, *, track: Track, dataset: Dataset | None = None, note: Say = silent
) -> IndexLocation:
    """Find out where the index of a corpus is, without a look at it.

    Where vectors are given, those of queries are beside the ``dataset``.
    """
    corpus = _opened(wanted)
    workspace = locate(given=wanted.workspace)
    if wanted.configuration.model == GIVEN:
        embedder: Embedder | None = _given(wanted.corpus, corpus, dataset, note)
    else:
        embedder = embedder_of(wanted.configuration, folder=workspace.models, track=track)
    settings = index_settings(wanted.configuration, embedder)
    folder = workspace.indexes / _name(wanted, corpus, settings)
    store = open_store(folder, settings=fingerprint_of(settings))
    return IndexLocation(store, embedder, workspace, corpus)


def _given(where: CorpusSource, corpus: Corpus, dataset: Dataset | None, note: Say) -> Embedder:
    """Open the vectors that a corpus brings, and those of queries that are beside a dataset."""
    from assay.models.embedders.given import given
    from assay.models.given.location import beside_corpus, beside_dataset, missing_vectors
    from assay.models.given.vector_file import open_vectors

    location = beside_corpus(where)
    if location is None:
        raise missing_vectors("document")
    words = {one.id: not one.is_blank for one in corpus.documents(hashes=False)}
    documents, queries = open_vectors(location, words, noun="document"), None
    for told in documents.notes:
        note(told)
    if dataset is not None and (beside := beside_dataset(dataset.home)) is not None:
        keys = {query.key: True for query in dataset.queries}
        queries = open_vectors(beside, keys, noun="query")
    return given(documents=documents, queries=queries)


def _opened(wanted: IndexRequest) -> Corpus:
    from assay.corpora.sources.inline import inline

    if isinstance(wanted.corpus, list | tuple):
        return inline(wanted.corpus)
    given = {"include": list(wanted.include), "exclude": list(wanted.exclude)}
    settings: dict[str, Any] = {key: value for key, value in given.items() if value}
    if wanted.max_file_size is not None:
        settings["max_file_size"] = wanted.max_file_size
    return open_corpus(wanted.corpus, **settings)


def _name(wanted: IndexRequest, corpus: Corpus, settings: Mapping[str, object]) -> str:
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
    limit = _other_limit(wanted.max_file_size)
    key = fingerprint_of(place, wanted.include, wanted.exclude, settings, *limit)
    return (
        f"{re.sub(r'[^a-z0-9]+', '-', corpus.name.lower()).strip('-')[:40] or 'corpus'}-{key[:16]}"
    )


def _other_limit(given: int | str | None) -> tuple[int | None, ...]:
    """Return the largest size of a file where it is not the usual one."""
    limit = None if given is None else size_limit(given)
    return () if given is None or limit == size_limit(DEFAULT) else (limit,)


def index_command(wanted: IndexRequest, settings: object) -> str:
    """Write the `assay index` command for these settings, as far as it has options for them."""
    if not isinstance(wanted.corpus, str | Path):
        return "`assay.index` with the same arguments"
    given = settings if isinstance(settings, Mapping) else {}
    known = isinstance(settings, Mapping | None) and set(given) <= {"name", *OPTIONS}
    words = ["assay", "index", str(wanted.corpus), *_options(wanted, given if known else {})]
    return f"`{shlex.join(words)}`" + ("" if known else " with the same settings")


def _options(wanted: IndexRequest, given: Mapping[str, Any]) -> list[str]:
    """Write options in the order in which the command's help has them."""
    named = [(name, given[name]) for name in OPTIONS if given.get(name) is not None]
    named += [("include", one) for one in wanted.include]
    named += [("exclude", one) for one in wanted.exclude]
    named += [("max_file_size", wanted.max_file_size)] if wanted.max_file_size is not None else []
    named += [("workspace", wanted.workspace)] if wanted.workspace is not None else []
    return [word for name, value in named for word in (f"--{name.replace('_', '-')}", str(value))]
