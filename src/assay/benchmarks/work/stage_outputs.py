"""Where stage outputs come from: recorded stages, traces of whole searches, a sweep."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from assay.benchmarks.work.ask import STUDIED, Ask, Reply, ReplyTape
from assay.benchmarks.work.route import Node, Route
from assay.benchmarks.work.tapes import Rows, unpack_found
from assay.engines.search import Pipeline, SearchTrace
from assay.records import FoundRows, Ints, Query, RecordedAnswer, SearchInput
from assay.records.report import RESULTS_KEPT
from assay.searches.build import BuiltIndex

__all__ = [
    "TRACED",
    "Outputs",
    "TracingTape",
    "outputs_of_tapes",
    "outputs_of_traces",
    "stage_names",
]

TRACED = STUDIED + 1  # the round in which stands what came out of each stage of a whole search
RETRIEVE = "retrieve"
_NUMBER = np.dtype("<i8")
# Of each query the rows that each stage lets through.
Outputs = Iterable[tuple[str, Sequence[Ints]]]


def stage_names(pipeline: Pipeline) -> list[str]:
    """Name the stages whose outputs are told: all but the last, parts that retrieve as one."""
    parts = pipeline.retrieve
    return [
        RETRIEVE if parts[1:] else parts[0].name,
        *(step.name for step in pipeline.refine[:-1]),
    ]


def outputs_of_tapes(
    route: Route, rows: Mapping[str, Rows], queries: Sequence[Query], failed: Mapping[str, str]
) -> Outputs:
    """Read what each stage recorded; the light ones, which leave nothing, run again between."""
    nodes = [node for node in route.nodes if node.role != "embed"]
    parts = [node for node in nodes if not node.parents]
    for query in queries:
        if query.key in failed:
            continue
        found = [_read(rows, node, query) for node in parts]
        lists: list[Ints] = [np.concatenate([one.rows for one in found])]
        for node in nodes[len(parts) :]:
            *light, _ = node.steps
            for step in light:
                found = [step(SearchInput(query.text), found)]
                lists.append(found[0].rows)
            if node.role != "answer":
                found = [_read(rows, node, query)]
                lists.append(found[0].rows)
        yield query.key, lists


def _read(rows: Mapping[str, Rows], node: Node, query: Query) -> FoundRows:
    return unpack_found(rows[node.key][query.key][0].value or b"")


def outputs_of_traces(rows: Rows) -> Outputs:
    """Read what was traced of whole searches; after the stages come the chunks that answer best."""
    for key, some in rows.items():
        value = next((row.value for row in some if row.round == TRACED), None)
        if value is not None:
            numbers = np.frombuffer(value, _NUMBER).astype(np.int64)
            stages = 1 + int(numbers[0])
            yield key, np.split(numbers[stages:], np.cumsum(numbers[1:stages])[:-1])


class TracingTape:
    """Recorded whole searches with the output of each stage, once for each query.

    A trace is recorded together with the next results: no result is recorded without its trace.
    """

    def __init__(self, built: BuiltIndex, tape: ReplyTape) -> None:
        self._built, self._tape = built, tape
        self._known = {row.query for row in tape.rows() if row.round == TRACED}
        self._waiting: list[RecordedAnswer] = []

    def rows(self) -> Iterable[RecordedAnswer]:
        """Return what is on it."""
        return self._tape.rows()

    def record(self, rows: Sequence[RecordedAnswer]) -> None:
        """Add to it, and all traces that wait."""
        self._tape.record([*self._waiting, *rows])
        self._waiting = []

    def asking(self, ask: Ask) -> Ask:
        """Trace what is asked, after it was timed."""

        def traced(query: Query) -> Reply:
            reply = ask(query)
            if query.fingerprint not in self._known:
                self._note(query, self._built.last)
            return reply

        return traced

    def finish(self, queries: Sequence[Query]) -> None:
        """Say of queries that failed that they have no trace."""
        for query in queries:
            if query.fingerprint not in self._known:
                self._note(query, None)
        if self._waiting:
            self.record([])

    def _note(self, query: Query, searched: SearchTrace | None) -> None:
        self._known.add(query.fingerprint)
        value = None if searched is None else _pack(self._lists(searched))
        self._waiting.append(RecordedAnswer(query.fingerprint, TRACED, value))

    def _lists(self, searched: SearchTrace) -> Iterator[Ints]:
        parts = len(self._built.searcher.pipeline.retrieve)
        outputs = [one.found.rows for one in searched.traced[:-1]]
        yield np.concatenate(outputs[:parts])
        yield from outputs[parts:]
        shown = searched.traced[-1].found.rows[:RESULTS_KEPT]
        yield self._built.searcher.best_chunks(searched.asked, shown)


def _pack(lists: Iterator[Ints]) -> bytes:
    every = [*lists]
    sizes = np.array([len(every), *map(len, every)], np.int64)
    return np.concatenate([sizes, *every]).astype(_NUMBER).tobytes()
