"""What a benchmark consists of: its trials, and the units of work that these take.

Planning, executing and reading results all go by the same layout. Nothing is built for it: what
configurations share is told by empty indexes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.route import Node, Route, retrieval_of, route_of, sampled
from assay.errors import InputError, ProblemsError
from assay.records import Benchmark, Configuration, Query, Unit
from assay.records.fingerprint import fingerprint_of
from assay.records.run_settings import RunSettings
from assay.searches.configuration.configuration import describe
from assay.searches.parts import is_approximate
from assay.searches.searcher import Searcher

__all__ = ["Layout", "Piece", "Plot", "Trial", "count_work", "lay_out"]

REPLAYED = {"fuse", "threshold", "collapse", "cut"}  # what follows from lists that were retrieved


@dataclass(frozen=True, eq=False)
class Trial:
    """One configuration over one corpus, built for the nth time.

    ``build`` is the key of its index, if it is one of ours, and ``search`` that of the outputs of
    the whole search, if it is run as a whole; else its queries take a ``route``. What is ``swept``
    is replayed from what another trial retrieves: the route is then that of this one.
    """

    chosen: Configuration
    collection: OpenCollection
    number: int = 0
    build: str = ""
    search: str = ""
    route: Route | None = None
    swept: tuple[object, ...] = ()

    @property
    def key(self) -> tuple[str, str, int]:
        """Name it among all trials: its run, its collection, and which build it is."""
        return self.chosen.name, self.collection.name, self.number


@dataclass(frozen=True, eq=False)
class Piece:
    """The searches of a node, or whole searches, over the queries of a collection.

    What they find is the work of one unit, ``found``; on which machine does not matter. ``timed``
    is another one, for the machine whose times are taken. ``trial`` is the first that needs it.
    """

    trial: Trial
    tape: str
    found: Unit | None
    timed: Unit | None
    node: Node | None = None

    @property
    def units(self) -> list[Unit]:
        """The units of it, in the order to do them."""
        return [unit for unit in (self.found, self.timed) if unit]


@dataclass(frozen=True, eq=False)
class Plot:
    """What a layout is made by: settings, the ``machine`` of the times, and what is kept apart.

    Work of a benchmark with a ``salt`` is shared with no other; ``benchmark`` names what always
    belongs to one. Without ``aside`` structure is not studied, and no whole search is compared: a
    block of a race leaves that to the end.
    """

    settings: RunSettings
    machine: str = ""
    salt: str = ""
    benchmark: str = ""
    aside: bool = True


@dataclass(eq=False)
class Layout:
    """The trials of a benchmark, and its units of work by their outputs and queries."""

    plot: Plot
    runs: Sequence[Configuration]
    collections: Sequence[OpenCollection]
    trials: list[Trial] = field(default_factory=list)
    pieces: dict[tuple[str, str], Piece] = field(default_factory=dict)
    leaders: dict[tuple[object, ...], Trial] = field(default_factory=dict)

    @property
    def settings(self) -> RunSettings:
        """How the benchmark is run."""
        return self.plot.settings

    @property
    def builds(self) -> dict[str, Trial]:
        """The indexes that are built, each with the trial that needs it first."""
        found: dict[str, Trial] = {}
        for trial in self.trials:
            if trial.build:
                found.setdefault(trial.build, trial)
        return found

    @property
    def nodes(self) -> list[Piece]:
        """The pieces that are stages, in the order in which they are done."""
        return [piece for piece in self.pieces.values() if piece.node]

    def of(self, run: str) -> list[Trial]:
        """Return the trials of a run: for each time that it was built, those over all corpora."""
        return [trial for trial in self.trials if trial.chosen.name == run]

    def piece(self, trial: Trial, node: Node | None = None) -> Piece:
        """Return the piece of a node of a trial, or that of its whole search."""
        tape = trial.search if node is None else node.key
        return self.pieces[tape, trial.collection.asked]

    def pieces_of(self, trial: Trial) -> list[Piece]:
        """Return the pieces that a trial takes."""
        if trial.search:
            return [self.piece(trial)]
        return [self.piece(trial, node) for node in trial.route.all] if trial.route else []

    def units_of(self, trial: Trial) -> list[str]:
        """Return the keys of the units that a trial takes."""
        units = [unit.key for piece in self.pieces_of(trial) for unit in piece.units]
        return [*filter(None, [trial.build]), *units]

    def units(self) -> list[Unit]:
        """List all units, each after those that it needs."""
        indexes = [
            Unit(key, "build", f"index of {trial.chosen.name}")
            for key, trial in self.builds.items()
        ]
        return [*indexes, *(unit for piece in self.pieces.values() for unit in piece.units)]


def lay_out(
    runs: Sequence[Configuration],
    collections: Sequence[OpenCollection],
    opened: OpenIndexes,
    plot: Plot,
    *,
    where: str = "",
) -> Layout:
    """Lay out every configuration over every corpus, as often as it is to be built.

    Models that cannot be opened are told all at once, with ``where``.
    """
    layout, wrong = Layout(plot, runs, collections), dict[str, InputError]()
    known: dict[str, Node] = {}
    numbers = range(plot.settings.repeats)
    for number, chosen, collection in product(numbers, runs, collections):
        try:
            bound = opened.models.bind(chosen, collection.vectors)
            trial = _named(Trial(bound, collection, number), opened, plot)
            layout.trials.append(_routed(trial, opened, plot, known))
        except InputError as error:
            wrong.setdefault(str(error), _of(chosen, error, where))
    if wrong:
        raise ProblemsError([*wrong.values()], where=where)
    _lay_sweeps(layout, opened, known)
    for trial in layout.trials:
        whose = replace(layout.leaders[trial.swept], route=trial.route) if trial.swept else trial
        for piece in _pieces(whose, plot):
            layout.pieces.setdefault((piece.tape, trial.collection.asked), piece)
    return layout


def count_work(
    benchmark: Benchmark, layout: Layout, blocks: Sequence[Layout] = ()
) -> dict[str, Any]:
    """Count cells, runs, indexes, stages and searches; ``alone`` counts what nothing shared costs.

    A search is one query asked once of one stage, or of a whole search. In a race all runs take
    part in the first of the ``blocks``, and who is left is asked the queries that are in none;
    what is built again races no more, and is asked all of them.
    """
    counts = _counted(benchmark, layout, layout.trials)
    if not blocks:
        return counts
    each = [_counted(benchmark, block, block.trials) for block in blocks]
    raced = _counted(benchmark, layout, [trial for trial in layout.trials if not trial.number])
    asked = sum(len(collection.queries) for block in blocks for collection in block.collections)
    left = 1 - asked / max(1, sum(len(collection.queries) for collection in layout.collections))
    summed = {
        name: sum(one[name] for one in each)
        + round(left * raced[name])
        + (counts[name] - raced[name])
        for name in ("searches", "searches_alone")
    }
    return {**each[0], **summed}


def _counted(benchmark: Benchmark, layout: Layout, trials: Sequence[Trial]) -> dict[str, Any]:
    rounds = layout.settings.rounds
    each = [(trial, len(trial.collection.queries) * rounds) for trial in trials]
    searches = {
        (node.key, trial.collection.asked): count
        for trial, count in each
        for node in _counted_nodes(trial)
    }
    whole = {(trial.search, trial.collection.asked): n for trial, n in each if trial.search}
    alone = sum(
        count * (1 if trial.search else len(_counted_nodes(trial))) for trial, count in each
    )
    return {
        "cells": benchmark.cells or len(benchmark.configurations),
        "runs": len(layout.runs),
        "indexes": len({trial.build for trial in trials if trial.build}),
        "stages": len(searches) + len(whole),
        "searches": sum(searches.values()) + sum(whole.values()),
        "searches_alone": alone,
    }


def _counted_nodes(trial: Trial) -> Sequence[Node]:
    return trial.route.nodes if trial.route and not trial.search else ()


def _of(chosen: Configuration, error: InputError, where: str) -> InputError:
    places = filter(None, (where, f'configuration "{chosen.name}"', error.where))
    return InputError(error.problem, where=", ".join(places), hint=error.hint)


def _named(trial: Trial, opened: OpenIndexes, plot: Plot) -> Trial:
    """Name the index of a trial by its content; what others search belongs to one benchmark."""
    if trial.chosen.system is None:
        parts = [str(trial.number)] if trial.number else []
        salt = "/".join([*parts, *filter(None, [plot.salt])])
        return replace(trial, build=opened.key(trial.collection, trial.chosen, salt=salt))
    about = (describe(trial.chosen), trial.collection.name, trial.number)
    return replace(trial, search=fingerprint_of("search", plot.benchmark, *about))


def _routed(trial: Trial, opened: OpenIndexes, plot: Plot, known: dict[str, Node]) -> Trial:
    """Lay the way of the queries through a search of ours."""
    if not trial.build:
        return trial
    shape = opened.shape(trial.chosen)
    if plot.settings.live:
        search = fingerprint_of("live", trial.build, shape.fingerprint)
        return replace(trial, search=search, route=_route(trial, opened, plot, {}, compared=False))
    if not plot.settings.timed and _is_swept(shape):
        return replace(trial, swept=(trial.collection.asked, *_sweep_key(trial, shape)))
    compared = plot.settings.timed and plot.aside
    route = _route(trial, opened, plot, known, compared=compared)
    return replace(trial, route=route if plot.aside else replace(route, study=None))


def _route(
    trial: Trial,
    opened: OpenIndexes,
    plot: Plot,
    known: dict[str, Node],
    *,
    compared: bool | None = None,
) -> Route:
    """Lay a whole way; only what is retrieved, unless it is said whether it is ``compared``."""
    lay: Callable[..., Route] = (
        retrieval_of if compared is None else partial(route_of, compared=compared)
    )
    model = opened.embedder(trial.chosen)
    named = getattr(model, "query_fingerprint", "") or (model.fingerprint if model else "")
    about = (named, trial.number, plot.salt)
    return lay(
        opened.shape(trial.chosen).pipeline,
        origin=trial.build,
        embedding=fingerprint_of("embed", opened.code, *about),
        known=known,
    )


def _is_swept(searcher: Searcher) -> bool:
    """Tell whether all that follows on retrieval can be replayed in memory."""
    return {step.name for step in searcher.pipeline.refine} <= REPLAYED


def _sweep_key(trial: Trial, searcher: Searcher) -> tuple[object, ...]:
    """Name what is retrieved: configurations that share it differ only in what is replayed.

    A shorter list is the beginning of a longer one, unless documents are made of a number of
    chunks, or an approximate index is asked.
    """
    stages, chosen = searcher.stages, trial.chosen
    fixed = stages.joined or is_approximate(chosen)  # an empty index would always be exact
    index = (chosen.dense, chosen.precision, chosen.ef_search, chosen.probes)
    words = stages.lexical.fingerprint if stages.lexical else None
    retrieved = (chosen.search, words, chosen.lexical_unit, *index)
    how = (chosen.depth, chosen.collapse) if fixed else ()
    return (trial.build, *retrieved, *how)


def _lay_sweeps(layout: Layout, opened: OpenIndexes, known: dict[str, Node]) -> None:
    """Let the deepest of those that are swept together retrieve for all of them."""
    for trial in (trial for trial in layout.trials if trial.swept):
        best = layout.leaders.setdefault(trial.swept, trial)
        layout.leaders[trial.swept] = max(best, trial, key=lambda one: one.chosen.depth)
    routes = {
        key: _route(trial, opened, layout.plot, known) for key, trial in layout.leaders.items()
    }
    layout.trials[:] = [
        replace(trial, route=routes[trial.swept]) if trial.swept else trial
        for trial in layout.trials
    ]


def _pieces(trial: Trial, plot: Plot) -> Iterator[Piece]:
    """Cut the work of a trial into pieces, each after those that it needs."""
    if trial.search:
        yield _whole_search(trial, plot)
        return
    for node in trial.route.all if trial.route else ():
        yield _compared(trial, node, plot) if node.role == "whole" else _staged(trial, node, plot)


def _whole_search(trial: Trial, plot: Plot) -> Piece:
    needs = tuple(filter(None, [trial.build]))
    name = f"search of {trial.chosen.name}"
    found = _found_unit(trial, trial.search, "search", name, needs)
    return Piece(trial, trial.search, found, _time_unit(trial, trial.search, name, found, plot))


def _staged(trial: Trial, node: Node, plot: Plot) -> Piece:
    # The vectors of queries need no index, and are not lost with one that cannot be built.
    index = () if node.role == "embed" else (trial.build,)
    needs = (*index, *(_found_key(trial, one.key) for one in node.needs))
    study = node.role == "study"
    found = _found_unit(trial, node.key, "study" if study else "stage", node.name, needs)
    timed = None if study else _time_unit(trial, node.key, node.name, found, plot)
    return Piece(trial, node.key, found, timed, node)


def _compared(trial: Trial, node: Node, plot: Plot) -> Piece:
    """Some queries run through the whole search only to be timed."""
    asked = sampled(trial.collection.queries)
    unit = _time_unit(trial, node.key, node.name, None, plot, asked=asked)
    return Piece(trial, node.key, None, unit, node)


def _found_key(trial: Trial, tape: str) -> str:
    return fingerprint_of("found", tape, trial.collection.asked)


def _found_unit(trial: Trial, tape: str, kind: str, name: str, needs: tuple[str, ...]) -> Unit:
    key = _found_key(trial, tape)
    return Unit(key, kind, name, needs, len(trial.collection.queries), tape)


def _time_unit(
    trial: Trial,
    tape: str,
    name: str,
    found: Unit | None,
    plot: Plot,
    *,
    asked: Sequence[Query] | None = None,
) -> Unit | None:
    """Describe the work of timing what is found; none where nothing is timed."""
    if not plot.settings.timed:
        return None
    rounds = plot.settings.rounds
    times = fingerprint_of("times", tape, plot.machine)
    key = fingerprint_of("timed", times, trial.collection.asked, rounds)
    needs = (found.key,) if found else (trial.build,)
    total = rounds * len(trial.collection.queries if asked is None else asked)
    return Unit(key, "time", name, needs, total, times)
