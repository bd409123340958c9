"""Lay out the work of a benchmark without doing it: over empty indexes where there are none."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.work.layout import Trial, beginnings, named
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.route import Node, route_of
from assay.corpora.sources.inline import inline
from assay.errors import InputError, ProblemsError
from assay.records import Configuration, Track
from assay.records.fingerprint import fingerprint_of
from assay.records.run_settings import RunSettings
from assay.searches.searcher import Searcher
from assay.workspace.builds import Builds
from assay.workspace.locate import Workspace

__all__ = ["Layout", "lay_out", "sketching"]


@dataclass(eq=False)
class Layout:
    """The trials of a benchmark, their nodes by key, and who asks each first.

    ``made`` are the indexes that are there. Live searches have a way, too, which tells what they
    consist of.
    """

    benchmark: str
    trials: list[Trial] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)


class _Sketches(Builds):
    """Builds of a workspace; what is missing there is made in a folder of our own."""

    def __init__(self, folder: Path, real: Builds) -> None:
        super().__init__(folder)
        self._real = real

    def place(self, key: str) -> Path | None:
        """Return the folder of a build: the real one, if it is there."""
        return self._real.place(key) or super().place(key)


@contextmanager
def sketching(place: Workspace, *, track: Track) -> Iterator[OpenIndexes]:
    """Open the indexes of a workspace, with room for others that are gone afterwards."""
    with (
        TemporaryDirectory(prefix="assay-plan-", ignore_cleanup_errors=True) as folder,
        closing(Builds(place.builds)) as real,
        closing(
            OpenIndexes(
                builds=_Sketches(Path(folder) / "builds", real), models=place.models, track=track
            )
        ) as opened,
    ):
        yield opened


def lay_out(
    runs: Sequence[Configuration],
    collections: Sequence[OpenCollection],
    *,
    opened: OpenIndexes,
    completed: set[str],
    settings: RunSettings,
    benchmark: str,
    where: str,
) -> Layout:
    """Lay out every configuration over every corpus, as the execution will.

    ``completed`` are the keys of work that is done; ``benchmark`` is the id that names work which
    is shared with no other. Models that cannot be opened are told all at once, with ``where``.
    """
    layout = Layout(benchmark)
    wrong: dict[str, InputError] = {}
    for number in range(settings.builds):
        for chosen, collection in product(runs, collections):
            try:
                _add(Trial(chosen, collection, number), layout, opened, completed, settings)
            except InputError as error:
                wrong.setdefault(str(error), _of(chosen, error, where))
    if wrong:
        raise ProblemsError([*wrong.values()], where=where)
    return layout


def _add(
    trial: Trial, layout: Layout, opened: OpenIndexes, completed: set[str], settings: RunSettings
) -> None:
    known = named(trial, opened, settings=settings, benchmark=layout.benchmark)
    if known.build in completed and opened.is_made(known.build):
        layout.made.add(known.build)
    layout.trials.append(_routed(known, layout, opened, settings))


def _of(chosen: Configuration, error: InputError, where: str) -> InputError:
    places = filter(None, (where, f'configuration "{chosen.name}"', error.where))
    return InputError(error.problem, where=", ".join(places), hint=error.hint)


def _routed(trial: Trial, layout: Layout, opened: OpenIndexes, settings: RunSettings) -> Trial:
    if not trial.build:
        return trial
    searcher = _searcher(trial, layout, opened)
    begins = beginnings(trial, opened, settings=settings, benchmark=layout.benchmark)
    known: dict[str, Node] = {} if settings.live else layout.nodes
    route = route_of(searcher.pipeline, known=known, compared=False, **begins)
    live = fingerprint_of("live", begins["origin"], searcher.fingerprint) if settings.live else ""
    return replace(trial, search=live, route=route)


def _searcher(trial: Trial, layout: Layout, opened: OpenIndexes) -> Searcher:
    """Open an index, or an empty one: what configurations share of that they share of any."""
    key = trial.build
    if key not in layout.made:
        key = fingerprint_of("sketch", opened.settings(trial.chosen))
        if not opened.is_made(key):
            empty = OpenCollection(
                trial.collection.name, trial.collection.dataset, inline((), name="sketch")
            )
            opened.make(key, empty, trial.chosen)
    return opened.searcher(key, trial.chosen)
