"""The parts of an index that is open: each is opened once, whoever searches with it."""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import cast

import numpy as np

from assay.catalogue import find
from assay.engines import dense
from assay.engines.dense import DenseIndex
from assay.engines.groups import Groups
from assay.engines.vectors.packing import width
from assay.errors import InputError
from assay.records import Configuration, LexicalIndex
from assay.records.fingerprint import fingerprint_of
from assay.searches.configuration.lexical_settings import LEXICAL
from assay.searches.parts import graph_settings, lexical_at
from assay.workspace.index.index_store import Snapshot
from assay.workspace.index.units import Units, units_of

__all__ = ["OpenedIndex", "dense_of"]


class OpenedIndex:
    """A snapshot, its words and its vectors; configurations that differ in the rest share them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.places: dict[tuple[object, ...], int] = {}  # the best chunks that are known
        self._lexical: dict[tuple[str, str], LexicalIndex] = {}
        self._units: dict[str, Units] = {}
        self._dense: dict[tuple[object, ...], DenseIndex] = {}

    @property
    def generation(self) -> int:
        """The generation of the index that is open."""
        return self.snapshot.generation

    @cached_property
    def groups(self) -> Groups:
        """Tell which chunks make a document."""
        return Groups(self.snapshot.rows, self.snapshot.document_of)

    def units(self, unit: str) -> Units:
        """Number what a search returns: documents, chunks or symbols."""
        if unit not in self._units:
            self._units[unit] = units_of(self.snapshot, unit)
        return self._units[unit]

    def lexical(self, chosen: Configuration) -> LexicalIndex:
        """Open the words."""
        kind = (str(chosen.lexical), fingerprint_of([getattr(chosen, name) for name in LEXICAL]))
        if kind not in self._lexical:
            self._lexical[kind] = lexical_at(chosen, self.snapshot.lexical)
        return self._lexical[kind]

    def dense(self, chosen: Configuration, *, dimension: int) -> DenseIndex:
        """Open the vectors."""
        built = (chosen.dense, chosen.precision, *graph_settings(chosen).items())
        if built not in self._dense:
            self._dense[built] = _built(chosen, self.snapshot, dimension)
        return self._dense[built].with_effort(_effort(chosen))

    def close(self) -> None:
        """Let go of all of it."""
        with ExitStack() as stack:  # each of them, whatever the others have to say
            stack.callback(self.snapshot.close)
            for index in self._lexical.values():
                stack.callback(index.close)


def dense_of(configuration: Configuration, snapshot: Snapshot, *, dimension: int) -> DenseIndex:
    """Open the vectors of a snapshot for searching; ``dimension`` is that of the model."""
    return _built(configuration, snapshot, dimension).with_effort(_effort(configuration))


def _built(configuration: Configuration, snapshot: Snapshot, dimension: int) -> DenseIndex:
    """Build an index; it is kept beside the snapshot, under the settings that it is built with."""
    kind = str(configuration.dense)
    make = cast("Callable[..., DenseIndex]", find(dense, kind))
    rows, packed = snapshot.vectors()
    precision = str(configuration.precision)
    if not len(rows):
        packed = np.empty((0, width(dimension, precision)), np.uint8)
    built = graph_settings(configuration)
    made = partial(make, packed, rows, precision=precision, **built)
    if kind == "exact" or not len(rows):
        return made()
    path = snapshot.derived / f"{'-'.join(['dense', kind, precision, *_words(built)])}.bin"
    with suppress(OSError, InputError):  # never saved, or of an earlier generation
        return made(saved=path.read_bytes())
    index = made()
    _keep(path, index.save())
    return index


def _words(built: Mapping[str, int]) -> list[str]:
    return [f"{name}{value}" for name, value in built.items()]


def _effort(chosen: Configuration) -> int | None:
    """Return how far a search looks, if a setting says it: each kind of index has its own."""
    return chosen.ef_search if chosen.probes is None else chosen.probes


def _keep(path: Path, data: bytes) -> None:
    """Write it whole or not at all; who cannot write builds it again the next time."""
    if not data:
        return
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        partial.write_bytes(data)
        partial.replace(path)
