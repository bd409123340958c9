"""The work of a race: blocks of queries, and the rest, to which the tapes of blocks are carried."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.work.ask import NOT_ASKED, ReplyTape
from assay.benchmarks.work.execute import Execution, NumberedJob, Trial
from assay.benchmarks.work.route import Node
from assay.benchmarks.work.worker import LedgerTape
from assay.records import Claim, Configuration, Unit, UnitState
from assay.searches.built_search import BuiltSearch

__all__ = ["OpenSystems", "QueryBlock", "RemainingQueries"]

LATER = 1  # warms up what was at rest while others were asked
ASIDE = ("study", "whole")  # what is done once, for those that come to the end
CARRIED = 500  # rows that are carried at once
Place = tuple[str, str, int]


class OpenSystems:
    """Systems of others that are open for as long as they are in the race, by their trials."""

    def __init__(self) -> None:
        self._open: dict[Place, tuple[ExitStack, BuiltSearch]] = {}

    def open(
        self, trial: Trial, make: Callable[[], AbstractContextManager[BuiltSearch]]
    ) -> BuiltSearch:
        """Return what is open, or open it."""
        place = (trial.chosen.name, trial.collection.name, trial.number)
        if place not in self._open:
            stack = ExitStack()
            self._open[place] = stack, stack.enter_context(make())
        return self._open[place][1]

    def close(self, runs: Sequence[str] | None = None) -> None:
        """Close those of some runs, or all; one that cannot be closed keeps no other open."""
        with ExitStack() as every:
            for place in [one for one in self._open if runs is None or one[0] in runs]:
                every.push(self._open.pop(place)[0])


@dataclass
class _SameSystems(Execution):
    """Work that comes back to the same systems."""

    held: OpenSystems = field(default_factory=OpenSystems)

    @contextmanager
    def _built(self, trial: Trial, left: list[str]) -> Iterator[BuiltSearch]:
        opening = super()._built
        if trial.build and self.opened is not None:
            with opening(trial, left) as built:
                yield built
            return
        yield self.held.open(trial, lambda: opening(trial, left))


@dataclass
class QueryBlock(_SameSystems):
    """Some queries, asked of those that are in the race; nothing but answers and their times."""

    @classmethod
    def cut(
        cls,
        work: Execution,
        runs: Sequence[Configuration],
        collections: Sequence[OpenCollection],
        held: OpenSystems,
        *,
        first: bool,
    ) -> "QueryBlock":
        """Cut a block out of the whole work; a race is run over the first build of each.

        Only in the first is given up who fails at once: later ones may begin with any failures.
        """
        settings = replace(work.settings, builds=1)
        warm_up = work.warm_up if first else LATER
        given = {"runs": runs, "collections": collections, "settings": settings, "warm_up": warm_up}
        return cls(**_confined(work) | given | {"gives_up": first}, held=held)

    def _routed(self, trial: Trial, states: Mapping[str, UnitState]) -> Trial:
        routed = super()._routed(trial, states)
        if routed.route is None:
            return routed
        return replace(routed, route=replace(routed.route, study=None, whole=None))

    def _stages(self) -> dict[str, tuple[Unit, NumberedJob]]:
        nodes = self._nodes
        return {key: job for key, job in super()._stages().items() if nodes[key].role not in ASIDE}

    def _studies(self, trial: Trial) -> int:
        return 0

    def _account(self, built: BuiltSearch, trial: Trial, tape: ReplyTape) -> None:
        """Leave accounts of structure to the rest."""


@dataclass
class RemainingQueries(_SameSystems):
    """All queries, asked of those that were not beaten; what blocks recorded is not asked again."""

    blocks: Sequence[QueryBlock] = ()

    @classmethod
    def left(
        cls,
        work: Execution,
        runs: Sequence[Configuration],
        blocks: Sequence[QueryBlock],
        held: OpenSystems,
    ) -> "RemainingQueries":
        """Leave to the rest what the blocks did not do."""
        return cls(**_confined(work) | {"runs": runs}, blocks=blocks, held=held)

    def go(self, *, retry: bool = False, rebuild: bool = True) -> None:
        """Do what is left, and close what was open all along; it began with the first block."""
        try:
            super().go(retry=retry, rebuild=rebuild and not self.blocks)
        finally:
            self.held.close()
        self.began = min([self.began, *(block.began for block in self.blocks)])

    def _stage(self, node: Node, trial: Trial, number: int, claim: Claim) -> Mapping[str, Any]:
        self._carry(claim)
        return super()._stage(node, trial, number, claim)

    def _search(self, trial: Trial, number: int, claim: Claim) -> Mapping[str, Any]:
        self._carry(claim)
        return super()._search(trial, number, claim)

    def _carry(self, claim: Claim) -> None:
        """Copy what blocks recorded of the same work onto the tape of the whole."""
        key, tape = claim.unit.key, LedgerTape(self.ledger, claim)
        known = {(row.query, row.round) for row in tape.rows()}
        trial = next(trial for trial in self.trials if key in trial.keys)
        sources = [same for block in self.blocks for same in _same_work(key, trial, block)]
        rows = [
            row
            for source in sources
            for row in self.ledger.rows(source)
            if (row.query, row.round) not in known and row.error != NOT_ASKED
        ]
        for at in range(0, len(rows), CARRIED):
            tape.record(rows[at : at + CARRIED])


def _same_work(key: str, trial: Trial, block: QueryBlock) -> Iterator[str]:
    """Name what a block did for the same part of the same run over the same corpus."""
    others = [] if trial.number else block.of(trial.chosen.name)
    for other in (one for one in others if one.collection.name == trial.collection.name):
        if key == trial.search:
            yield other.search
        mine, theirs = _nodes(trial), _nodes(other)
        same = zip(mine, theirs, strict=True) if len(mine) == len(theirs) else ()
        yield from (two.key for one, two in same if one.key == key and _made(one) == _made(two))


def _nodes(trial: Trial) -> Sequence[Node]:
    return trial.route.nodes if trial.route else ()


def _made(node: Node) -> tuple[object, ...]:
    return node.role, node.name, [step.fingerprint for step in node.steps]


def _confined(work: Execution) -> dict[str, Any]:
    """Take over what the whole work is given, for workers that keep to one block at a time."""
    given = {one.name: getattr(work, one.name) for one in fields(Execution)}
    return given | {"worker": replace(work.worker, confined=True), "trials": []}
