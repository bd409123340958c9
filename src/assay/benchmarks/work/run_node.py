"""Do the work of a node: read what its parents recorded, run its stages, record what they find."""

import time
from collections.abc import Mapping, Sequence

from assay.benchmarks.work.ask import CPU, TOTAL, WAITS, Ask, Reply
from assay.benchmarks.work.route import Node
from assay.benchmarks.work.tapes import (
    pack_answer,
    pack_found,
    pack_study,
    pack_vector,
    refuse_unscorable,
    unpack_found,
    unpack_vector,
)
from assay.engines.search import times_of
from assay.errors import InputError
from assay.records import FoundRows, Query, RecordedAnswer, SearchInput
from assay.records.clock import Clock
from assay.records.model import Vectors
from assay.searches.searcher import Searcher

__all__ = ["Inputs", "asking_node"]

# What is on a tape, by the fingerprint of the query, when it was asked first.
First = Mapping[str, RecordedAnswer]


class Inputs:
    """The outputs of a node's parents, by query."""

    def __init__(self, parents: Sequence[First], vector: First | None = None) -> None:
        self._parents, self._vector = parents, vector

    @property
    def failed(self) -> dict[str, str]:
        """Tell why a query does not come this far."""
        tapes = (*self._parents, *([self._vector] if self._vector else []))
        return {key: row.error for tape in tapes for key, row in tape.items() if row.error}

    def asked(self, query: Query, searcher: Searcher) -> SearchInput:
        """Return a query as the stages of a search see it."""
        rows = searcher.rows_of(query.excluded)
        allowed = searcher.allowed(query.filters, rows)
        return SearchInput(query.text, self._vector_of(query), rows, allowed)

    def found(self, query: Query) -> list[FoundRows]:
        """Return what came before."""
        return [unpack_found(tape[query.fingerprint].value or b"") for tape in self._parents]

    def _vector_of(self, query: Query) -> Vectors | None:
        return unpack_vector(self._vector[query.fingerprint].value or b"") if self._vector else None


def asking_node(
    node: Node,
    searcher: Searcher,
    inputs: Inputs,
    *,
    clock: Clock = time.perf_counter_ns,
    cpu: Clock = time.process_time_ns,
) -> Ask:
    """Make a function that runs and times one query through a node; reading inputs is not timed."""
    if node.role == "embed":
        return _embedding(searcher, clock, cpu)
    if node.role == "study":
        return _studying(node, searcher, inputs)
    return _staging(node, searcher, inputs, clock, cpu)


def _embedding(searcher: Searcher, clock: Clock, cpu: Clock) -> Ask:
    def ask(query: Query) -> Reply:
        before, worked, began = searcher.waited, cpu(), clock()
        vector = searcher.embed(query.text, key=query.key).reshape(-1)
        taken, waited = (clock() - began) / 1e6, searcher.waited - before
        if searcher.given:  # looked up, not made: no stage of a search
            return Reply(pack_vector(vector), {TOTAL: 0.0, CPU: 0.0})
        own = max(taken - waited, 0.0)
        times = {"embed": own, TOTAL: own, CPU: (cpu() - worked) / 1e6}
        return Reply(pack_vector(vector), times | ({WAITS: waited} if waited else {}))

    return ask


def _staging(node: Node, searcher: Searcher, inputs: Inputs, clock: Clock, cpu: Clock) -> Ask:
    last = node.role == "answer"

    def ask(query: Query) -> Reply:
        asked, found = inputs.asked(query, searcher), inputs.found(query)
        times: dict[str, float] = {}
        worked, began = cpu(), clock()
        for step in node.steps:
            start = clock()
            kept = step(asked, found)
            for part, taken in times_of(step.name, kept, (clock() - start) / 1e6):
                times[part] = times.get(part, 0.0) + taken
            found = [kept]
        documents = searcher.results(found[0].rows) if last else ()
        times |= {TOTAL: (clock() - began) / 1e6, CPU: (cpu() - worked) / 1e6}
        if not last:
            return Reply(pack_found(found[0]), times)
        refuse_unscorable(documents, found[0].scores)
        return Reply(pack_answer(documents, found[0].scores), times)

    return ask


def _studying(node: Node, searcher: Searcher, inputs: Inputs) -> Ask:
    *light, ranking = node.steps

    def ask(query: Query) -> Reply:
        asked, found = inputs.asked(query, searcher), inputs.found(query)
        for step in light:
            found = [step(asked, found)]
        if ranking.study is None:
            raise InputError(f"{ranking.name} returns no receipt", where=ranking.name)
        return Reply(pack_study(ranking.study(asked, found)))

    return ask
