"""Searches that live only as long as they are asked: systems of others, and stores that we fill."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.work.layout import Trial
from assay.errors import InputError
from assay.records import Configuration, Track, untracked
from assay.searches.built_search import BuiltSearch
from assay.workspace.scratch import scratch

__all__ = ["BuildSearch", "OpenSystems"]

Place = tuple[str, str, int]


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
    """Systems that are open, by their trials; each is made in a folder that lasts as long.

    ``parent`` is where these folders are.
    """

    def __init__(
        self, build: BuildSearch, *, parent: Path | None = None, track: Track = untracked
    ) -> None:
        self._build, self._parent, self._track = build, parent, track
        self._open: dict[Place, tuple[ExitStack, BuiltSearch]] = {}
        self._left: dict[Place, list[str]] = {}

    def open(self, trial: Trial) -> BuiltSearch:
        """Return what is open, or open it."""
        place = _place(trial)
        if place not in self._open:
            stack = ExitStack()
            self._open[place] = stack, stack.enter_context(self._built(trial))
        return self._open[place][1]

    def close(self, trials: Sequence[Trial] | None = None) -> dict[Place, list[str]]:
        """Close those of some trials, or all, and return what they complained of.

        One that cannot be closed keeps no other open.
        """
        chosen = [*self._open] if trials is None else [_place(trial) for trial in trials]
        with ExitStack() as every:
            for place in chosen:
                if place in self._open:
                    every.push(self._open.pop(place)[0])
        return {place: self._left.pop(place) for place in chosen if place in self._left}

    @contextmanager
    def _built(self, trial: Trial) -> Iterator[BuiltSearch]:
        with scratch(self._parent) as place:
            folder = place / "index"
            folder.mkdir()
            built = self._build(trial.collection, trial.chosen, folder=folder, track=self._track)
            try:
                yield built
            finally:
                try:
                    built.close()
                except InputError as error:  # takes nothing away from what was measured
                    told = "; ".join(filter(None, (error.problem, error.where, error.hint)))
                    self._left.setdefault(_place(trial), []).append(told)


def _place(trial: Trial) -> Place:
    return trial.chosen.name, trial.collection.name, trial.number
