"""What comparisons could be, whatever the unjudged documents are worth: kept query by query."""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.judging.grades import of_queries, with_grades
from assay.rankings.judge import judge
from assay.records import Floats, Judgments, Metric, Rankings
from assay.records.judging import Pair
from assay.verdicts.holes import holes
from assay.verdicts.judged_run import Side

__all__ = ["Ends"]


class Ends:
    """The ends of candidate minus baseline for pairs of runs, and each query.

    A grade moves those of its own query alone, so that only these are worked out again: a judge who
    waits for the next document waits for nothing else. ``weights`` says how much each query counts,
    1 on average.
    """

    def __init__(
        self,
        judgments: Judgments,
        rankings: Mapping[str, Rankings],
        metric: Metric,
        pairs: Sequence[Pair],
        *,
        weights: Floats | None = None,
    ) -> None:
        self._truth, self._rankings, self._metric, self._pairs = judgments, rankings, metric, pairs
        self._weights = np.ones(len(judgments.queries)) if weights is None else weights
        self._stale = np.ones(len(judgments.queries), bool)
        self._number = {query: at for at, query in enumerate(judgments.queries)}
        self._given: dict[Pair, int] = {}
        self._ends: dict[Pair, tuple[Floats, Floats]] = {}

    def grade(self, pair: Pair, grade: int | None) -> None:
        """Note the grade of a query's document, or take it back."""
        self._given.pop(pair, None)
        if grade is not None:
            self._given[pair] = grade
        self._stale[self._number[pair[0]]] = True

    def of(self, pair: Pair) -> tuple[float, float] | None:
        """Return the ends of the mean difference; None where the metric has no rule for them."""
        if self._stale.any():
            self._renew()
        found = self._ends.get(pair)
        if found is None:
            return None
        low, high = (float((end * self._weights).mean()) for end in found)
        return low, high

    def _renew(self) -> None:
        queries = self._truth.queries
        part = of_queries(self._truth, {queries[at] for at in np.flatnonzero(self._stale).tolist()})
        known = {*part.queries}
        given = {pair: grade for pair, grade in self._given.items() if pair[0] in known}
        truth = with_grades(part, given)
        used = {name for pair in self._pairs for name in pair}
        sides = {name: Side(run, judge(truth, run)) for name, run in self._rankings.items()
                 if name in used}  # fmt: skip
        for pair in self._pairs:
            found = holes(sides[pair[0]], sides[pair[1]], self._metric)
            if found is not None:
                nothing = np.zeros(len(self._stale)), np.zeros(len(self._stale))
                for kept, new in zip(self._ends.setdefault(pair, nothing), found, strict=True):
                    kept[self._stale] = new
        self._stale[:] = False
