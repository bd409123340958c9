"""A report, and grades as they are given -> what is still open, and which document to ask next."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.errors import InputError
from assay.judging.grades import graded, of_queries, with_grades
from assay.judging.pool import Pool
from assay.metrics import parse
from assay.rankings.judge import judge
from assay.records import Bools, Comparisons, Floats, Ints, Judgments, Metric, Rankings, Report
from assay.records.judging import Contest, Pair
from assay.records.report import RESULTS_KEPT
from assay.verdicts.holes import holes
from assay.verdicts.judged_run import JudgedRun
from assay.verdicts.settling import Settling

__all__ = ["DifferenceBounds", "Judging"]

UNDECIDED = ("hold", "needs_queries")


class Judging:
    """The comparisons of a report, of which judging settles one after the other.

    ``judgments`` are those that the report was made with, in terms of documents; what is not
    ``known`` of a query's documents cannot be shown. With ``runs`` only their comparisons count.
    Of several datasets, which count alike, ``strata`` numbers that of each query, and ``scales``
    has the largest grade of each. The documents of a ``pool`` are all asked for, whatever the
    comparisons depend on: their queries are a sample, of which every difference counts.
    """

    def __init__(
        self,
        report: Report,
        judgments: Judgments,
        *,
        known: Collection[Pair],
        runs: Sequence[str] = (),
        strata: Ints | None = None,
        scales: Sequence[int] = (),
        pool: Sequence[Pair] = (),
    ) -> None:
        self._metric = parse(str(report.benchmark["primary"]))
        self._pool = Pool.of(report, judgments.queries, self._metric.k)
        self._pairs = [*_pairs(report, self._pool.runs, runs)]
        if not self._pairs:
            problem = "the report contains no comparison between runs"
            hint = "choose a report of several runs with a baseline (--report ID or FILE)"
            raise InputError(problem, where=report.id, hint=hint)
        self._open_in = _undecided(report.comparisons)
        self._shown = np.array([pair in known for pair in self._pool.pairs], bool)
        self._wanted = np.isin(
            np.arange(len(self._pool.pairs)),
            [self._pool.number[pair] for pair in pool if pair in self._pool.number],
        )
        weights = _counted(strata, judgments.query_weights(judgments.queries))
        self._settling = Settling(
            self._pool.query,
            self._pool.ranks,
            replace(self._metric, level=self._metric.threshold(judgments.factor)),
            scale=judgments.scale,
            queries=len(judgments.queries),
            elsewhere=_elsewhere(judgments, self._pool),
            weights=weights,
            scales=None if strata is None else np.array(scales, np.int64)[strata],
        )
        rankings = {run.name: run for run in self._pool.rankings}
        self._ends = DifferenceBounds(
            judgments, rankings, self._metric, self._pairs, weights=weights
        )
        self._contests: list[Contest] = []
        for pair, grade in graded(judgments).items():
            if pair in self._pool.number:
                self._settling.grade(self._pool.number[pair], grade)

    def grade(self, pair: Pair, grade: int | None) -> None:
        """Note what a judge said of a document, or take it back."""
        self._ends.grade(pair, grade)
        self._contests = []
        if pair in self._pool.number:
            self._settling.grade(self._pool.number[pair], grade)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know: a report shows the first documents only."""
        deep = int(self._pool.ranks.max(initial=0))
        if self._metric.k is not None and self._metric.k <= max(deep, RESULTS_KEPT):
            return ()
        note = f"{self._metric} uses more than the {deep} documents per query in the report"
        return (f"{note}: documents at lower ranks are not shown, and not part of the bounds",)

    def next(self, count: int, *, without: Collection[Pair] = ()) -> list[Pair]:
        """Return the documents that would settle what is open soonest; none if nothing is.

        Once all is settled, what is left of a pool is asked for.

        First is which run is best, of all that are compared: the one that seems so against each
        other one. Once that is clear, each open comparison is settled: those that the report leaves
        undecided before those that only unjudged documents put in doubt.
        """
        still = [one for one in self.contests() if one.open]
        free = self._shown & np.array([pair not in without for pair in self._pool.pairs], bool)
        for pairs in self._questions(still) if still else ():
            found = self._settling.first(count, pairs=pairs, among=free)
            if len(found):
                return [self._pool.pairs[number] for number in found.tolist()]
        rest = np.flatnonzero(self._wanted & free & ~self._settling.judged)
        return [self._pool.pairs[number] for number in rest.tolist()[:count]]

    def _questions(self, still: Sequence[Contest]) -> Iterator[list[tuple[int, int]]]:
        """Yield the columns that are set against each other, what is asked first coming first."""
        at = {name: number for number, name in enumerate(self._pool.runs)}
        runs = sorted({at[name] for pair in self._pairs for name in pair})
        leading = self._settling.leading(runs)
        if len(runs) > 2 and not self._settling.is_sure(leading):  # two are settled by their pair
            yield leading
        undecided = [one for one in still if one.undecided]
        for some in (undecided, still):
            if some:
                yield [(at[one.candidate], at[one.baseline]) for one in some]

    def left(self, *, without: Collection[Pair] = ()) -> int:
        """Count the documents that can still be asked for, of all comparisons that are open."""
        open_ = {name for one in self.contests() if one.open for name in _names(one)}
        columns = [at for at, name in enumerate(self._pool.runs) if name in open_]
        asked = np.array([pair not in without for pair in self._pool.pairs], bool)
        unjudged = self._unjudged(columns) if columns else np.zeros(len(asked), bool)
        wanted = self._wanted & ~self._settling.judged
        return int(((unjudged | wanted) & asked & self._shown).sum())

    def contests(self) -> list[Contest]:
        """Tell of each comparison what it could be, whatever the unjudged documents are worth."""
        if not self._contests:
            self._contests = [self._contest(*pair) for pair in self._pairs]
        return [*self._contests]

    def _contest(self, baseline: str, candidate: str) -> Contest:
        ends = self._ends.of((baseline, candidate))
        columns = [self._pool.runs.index(name) for name in (baseline, candidate)]
        return Contest(
            baseline=baseline,
            candidate=candidate,
            documents=int(self._unjudged(columns).sum()),
            low=None if ends is None else ends[0],
            high=None if ends is None else ends[1],
            undecided=(baseline, candidate) in self._open_in,
        )

    def _unjudged(self, columns: Sequence[int]) -> Bools:
        shown = (self._pool.ranks[:, columns] > 0).any(axis=1)
        return np.asarray(shown & ~self._settling.judged, bool)


def _pairs(report: Report, known: Sequence[str], runs: Sequence[str]) -> Iterator[Pair]:
    """Pair the baseline with each candidate, and the best with the rest of the best set."""
    told = report.comparisons
    if told is None:
        yield from _unscored(report, known)
        return
    rest = [one.run for one in told.candidates]
    pairs = [(told.baseline, name) for name in rest]
    best = str(report.winner.get("best") or "")
    if best in rest:
        pairs += [(name, best) for name in told.best_set if name not in (best, told.baseline)]
    if runs:
        named = {*runs, told.baseline}
        pairs = [pair for pair in pairs if {*pair} <= named]
        pairs += [(one, other) for at, one in enumerate(runs) for other in runs[at + 1 :]]
    kept = [pair for pair in pairs if pair[0] in known and pair[1] in known and pair[0] != pair[1]]
    seen: set[frozenset[str]] = set()
    for pair in kept:
        if frozenset(pair) not in seen:
            seen.add(frozenset(pair))
            yield pair


def _unscored(report: Report, known: Sequence[str]) -> Iterator[Pair]:
    """Pair the baseline of a diff, in which nothing is scored, with the other run."""
    baseline = str(report.benchmark.get("baseline") or "")
    if report.benchmark.get("scored") is False and baseline in known:
        yield from ((baseline, name) for name in known if name != baseline)


def _undecided(told: Comparisons | None) -> set[Pair]:
    if told is None:
        return set()
    return {(told.baseline, one.run) for one in told.candidates if one.verdict.outcome in UNDECIDED}


def _counted(strata: Ints | None, traffic: Floats | None) -> Floats | None:
    """Weigh queries by their traffic, so that every dataset counts alike, and one 1 on average."""
    if strata is None and traffic is None:
        return None
    groups = np.zeros(len(traffic), np.int64) if strata is None else strata  # type: ignore[arg-type]
    counts = np.bincount(groups, traffic)
    each = len(groups) / np.count_nonzero(counts)
    own = 1.0 if traffic is None else traffic
    return np.asarray(each * own / counts[groups], np.float64)


def _names(contest: Contest) -> tuple[str, str]:
    return contest.baseline, contest.candidate


def _elsewhere(judgments: Judgments, pool: Pool) -> dict[int, list[int]]:
    """Collect the grades above 0 of documents that no run shows, query by query."""
    number = {query: at for at, query in enumerate(judgments.queries)}
    found: dict[int, list[int]] = {}
    for pair, grade in graded(judgments).items():
        if grade > 0 and pair not in pool.number:
            found.setdefault(number[pair[0]], []).append(grade)
    return found


class DifferenceBounds:
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
        sides = {name: JudgedRun(run, judge(truth, run)) for name, run in self._rankings.items()
                 if name in used}  # fmt: skip
        for pair in self._pairs:
            found = holes(sides[pair[0]], sides[pair[1]], self._metric)
            if found is not None:
                nothing = np.zeros(len(self._stale)), np.zeros(len(self._stale))
                for kept, new in zip(self._ends.setdefault(pair, nothing), found, strict=True):
                    kept[self._stale] = new
        self._stale[:] = False
