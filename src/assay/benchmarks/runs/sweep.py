"""Settings behind what was retrieved are swept in memory: retrieved once, replayed for each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.benchmarks.runs.measure import Measurements
from assay.benchmarks.work.run_node import First, Inputs
from assay.engines.sweep.sweep import Recording, ReplayedRankings, listen, record
from assay.records import Configuration, FoundRows, Ints, Query, SearchInput
from assay.records.report import RESULTS_KEPT
from assay.searches.searcher import Searcher

__all__ = ["RetrievedLists"]

ALL = 2**31  # more rows than any list has


@dataclass(frozen=True, eq=False)
class RetrievedLists:
    """What was retrieved for all queries, at the largest depth that is asked for."""

    queries: Sequence[Query]
    recording: Recording | None
    failed: Mapping[str, str]
    lists: Sequence[Sequence[FoundRows]] = ()
    asked: Sequence[SearchInput] = ()

    @classmethod
    def of(
        cls,
        searcher: Searcher,
        queries: Sequence[Query],
        tapes: Sequence[First],
        *,
        vector: First | None,
        depth: int,
    ) -> "RetrievedLists":
        """Read the outputs of the parts, and compute what else a fusion may need."""
        inputs, parts = Inputs(tapes, vector), searcher.pipeline.retrieve
        wrong = inputs.failed
        failed = {
            query.key: wrong[query.fingerprint] for query in queries if query.fingerprint in wrong
        }
        asked = [query for query in queries if query.key not in failed]
        if not asked:
            return cls((), None, failed)
        seen = [inputs.asked(one, searcher) for one in asked]
        heard = [
            listen(how, parts, found=inputs.found(one))
            for one, how in zip(asked, seen, strict=True)
        ]
        stages = searcher.stages
        fixed = stages.joined or stages.approximate
        made = record(heard, depth=depth, documents=stages.codes, shallower=not fixed)
        return cls(asked, made, failed, [one.lists for one in heard], seen)

    def measured(self, searcher: Searcher, chosen: Configuration) -> Measurements:
        """Answer all queries as a configuration would."""
        if self.recording is None:
            return Measurements({}, np.empty(0), {}, self.failed, repeats=1)
        stages = searcher.stages
        collapses = not stages.joined and chosen.unit == "document"
        replayed = self.recording.replay(
            top_k=chosen.top_k,
            fusion=stages.fusion,
            threshold=chosen.threshold,
            collapse=chosen.collapse if collapses else None,
            depth=chosen.depth,
        )
        lists = [replayed.found(at) for at in range(len(self.queries))]
        found = {
            query.key: (searcher.results(one.rows), one.scores)
            for query, one in zip(self.queries, lists, strict=True)
        }
        chunks = {
            query.key: searcher.best_chunks(asked, one.rows[:RESULTS_KEPT])
            for query, asked, one in zip(self.queries, self.asked, lists, strict=True)
        }
        symbols = searcher.symbols(chunks)
        return Measurements(found, np.empty(0), {}, self.failed, repeats=1, symbols=symbols)

    def outputs(
        self, searcher: Searcher, chosen: Configuration
    ) -> Iterator[tuple[str, Sequence[Ints]]]:
        """Tell what comes out of each stage but the last, query by query.

        A fusion keeps all that was retrieved, and a collapse a chunk of each document.
        """
        names = [step.name for step in searcher.pipeline.refine[:-1]]
        above = self._above(searcher, chosen) if "threshold" in names else None
        for at, (query, lists) in enumerate(zip(self.queries, self.lists, strict=True)):
            found = np.concatenate([one.rows[: chosen.depth] for one in lists])
            told = [found]
            for name in names:
                if name == "threshold" and above is not None:
                    found = above.found(at).rows
                told.append(found)
            yield query.key, told

    def _above(self, searcher: Searcher, chosen: Configuration) -> ReplayedRankings | None:
        if self.recording is None:
            return None
        return self.recording.replay(
            top_k=ALL,
            fusion=searcher.stages.fusion,
            threshold=chosen.threshold,
            depth=chosen.depth,
        )
