"""An index of ours -> a store that somebody else searches, with the same chunks and vectors."""

import inspect
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from assay.catalogue import find
from assay.engines import stores
from assay.engines.stages import Step
from assay.engines.stages.stored import stored
from assay.engines.vectors.packing import unpack
from assay.errors import InputError
from assay.records import Configuration, FoundRows, Ints, Store, Track, Vectors, untracked
from assay.searches.parts import text_of
from assay.workspace.index.index_store import IndexStore, Snapshot

__all__ = [
    "FilledStore",
    "StoreIndex",
    "check_width",
    "closed_on_error",
    "filled_of",
    "open_store_of",
    "store_parts",
]

BATCH = 500  # chunks that are handed over at once


def open_store_of(configuration: Configuration, *, folder: Path, home: str = "") -> Store:
    """Open the store that a configuration names.

    ``folder`` is for one that lives on this disk; paths of a user are relative to ``home``.
    """
    settings = dict(configuration.system or {})
    make = cast("Callable[..., Store]", find(stores, settings.pop("kind")))
    if configuration.search == "dense":
        settings = {"words": False} | settings  # nobody would search them
    given = {"folder": folder, "home": home}
    known = inspect.signature(make).parameters
    folder.mkdir(parents=True, exist_ok=True)
    return make(**settings, **{name: one for name, one in given.items() if name in known})


def check_width(configuration: Configuration, dimension: int) -> None:
    """Refuse the vectors of a model that a store cannot hold, before any is made."""
    system = configuration.system or {}
    module = import_module(f"{stores.__name__}.{system['kind']}")
    widest: Mapping[str, int] = getattr(module, "WIDEST", {})
    index = str(system.get("index", "exact"))
    if dimension > widest.get(index, dimension):
        raise InputError(
            f"{configuration.model} has {dimension:,} dimensions; {system['kind']} supports "
            f"at most {widest[index]:,} with index: {index}",
            where="model",
            hint="use a model with fewer dimensions"
            + (", or index: exact" if index != "exact" else ""),
        )


@dataclass(frozen=True, slots=True)
class FilledStore:
    """A store that holds the corpus, and the seconds that it took to put it there."""

    store: Store
    seconds: float


def filled_of(
    store: Store,
    index: IndexStore,
    configuration: Configuration,
    *,
    dimension: int,
    track: Track = untracked,
) -> FilledStore:
    """Fill a store with what an index holds; one that cannot be filled is closed."""
    with closed_on_error(store), closing(index.snapshot()) as snapshot:
        return FilledStore(store, _fill(store, snapshot, configuration, dimension, track))


@contextmanager
def closed_on_error(store: Store | None) -> Iterator[None]:
    """Leave nothing behind in a store that will not be searched."""
    try:
        yield
    except BaseException:
        with suppress(InputError):  # the first message is the one that helps
            if store is not None:
                store.close()
        raise


def _fill(
    store: Store, snapshot: Snapshot, configuration: Configuration, dimension: int, track: Track
) -> float:
    """Pass all chunks of an index to a store, with their vectors for dense search.

    ``dimension`` is that of the model; the store shows its own progress. Returns the seconds that
    it took.
    """
    store.open()
    began = time.perf_counter()
    dense = configuration.search != "lexical"
    rows, packed = snapshot.vectors() if dense else (snapshot.rows, None)

    def batches() -> Iterator[tuple[Ints, Sequence[str], Vectors | None]]:
        for start in range(0, len(rows), BATCH):
            some = rows[start : start + BATCH]
            vectors = None if packed is None else unpack(packed[start : start + BATCH], "float32")
            yield some, [text_of(chunk) for chunk in snapshot.chunks(some.tolist())], vectors

    store.fill(batches(), dimension=dimension, total=len(rows), track=track)
    return time.perf_counter() - began


def store_parts(store: Store, configuration: Configuration) -> list[Step]:
    """Make the stages that retrieve from a store: lexical, dense, or both."""
    both = ("lexical", "dense")
    parts = both if configuration.search == "hybrid" else (configuration.search,)
    return [stored(store, part, depth=configuration.depth) for part in parts]


@dataclass(frozen=True, slots=True)
class StoreIndex:
    """A store as something whose recall is measured."""

    store: Store

    def search(self, vector: Vectors, depth: int) -> FoundRows:
        """Ask for the nearest."""
        return self.store.dense(vector, depth)
