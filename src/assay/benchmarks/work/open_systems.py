"""Searches that live only as long as they are asked: systems of others, and stores that we fill."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from assay.benchmarks.collections.collection import OpenCollection
from assay.errors import InputError
from assay.records import Configuration, Track, untracked
from assay.searches.built_search import BuiltSearch
from assay.workspace.scratch import scratch

__all__ = ["BuildSearch", "OpenSystems", "SystemKey"]

SystemKey = tuple[str, str, int]
"""Names a system: by its run, its collection, and which of several builds it is."""


class BuildSearch(Protocol):
    """Builds what a configuration searches with, over the corpus of a collection."""

    def __call__(
        self,
        collection: OpenCollection,
        configuration: Configuration,
        *,
        folder: Path,
        track: Track,
    ) -> BuiltSearch:
        """Build; ``folder`` is empty, and what is built lives in it."""


class OpenSystems:
    """Systems that are open, by their keys; each is made in a folder that lasts as long.

    ``parent`` is where these folders are.
    """

    def __init__(
        self, build: BuildSearch, *, parent: Path | None = None, track: Track = untracked
    ) -> None:
        self._build, self._parent, self._track = build, parent, track
        self._open: dict[SystemKey, tuple[ExitStack, BuiltSearch]] = {}
        self._left: dict[SystemKey, list[str]] = {}

    def open(
        self, key: SystemKey, collection: OpenCollection, chosen: Configuration
    ) -> BuiltSearch:
        """Return what is open, or open it."""
        if key not in self._open:
            stack = ExitStack()
            opening = self._built(key, collection, chosen)
            self._open[key] = stack, stack.enter_context(opening)
        return self._open[key][1]

    def close(self, keys: Sequence[SystemKey] | None = None) -> dict[SystemKey, list[str]]:
        """Close some, or all, and return what they complained of.

        One that cannot be closed keeps no other open.
        """
        chosen = [*self._open] if keys is None else keys
        with ExitStack() as every:
            for key in chosen:
                if key in self._open:
                    every.push(self._open.pop(key)[0])
        return {key: self._left.pop(key) for key in chosen if key in self._left}

    @contextmanager
    def _built(
        self, key: SystemKey, collection: OpenCollection, chosen: Configuration
    ) -> Iterator[BuiltSearch]:
        with scratch(self._parent) as place:
            folder = place / "index"
            folder.mkdir()
            built = self._build(collection, chosen, folder=folder, track=self._track)
            try:
                yield built
            finally:
                try:
                    built.close()
                except InputError as error:  # takes nothing away from what was measured
                    told = "; ".join(filter(None, (error.problem, error.where, error.hint)))
                    self._left.setdefault(key, []).append(told)
