"""A pool whose judgments are hidden, and revealed one at a time in the order of a strategy."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from assay.judging.judging import Judging
from assay.metrics import parse
from assay.rankings.judge import judge
from assay.records import (
    Candidate,
    Comparisons,
    Floats,
    Ints,
    Judgments,
    Rankings,
    Report,
    Run,
    Verdict,
    encode,
)
from assay.verdicts.holes import holes
from assay.verdicts.judged_run import JudgedRun

__all__ = ["STRATEGIES", "Pool", "Revealed", "pool_of", "settled_at", "winner_at"]

METRIC = parse("ndcg@10")
K, AT_ONCE, EVERY = 10, 5, 10
DISCOUNT = 1.0 / np.log2(np.arange(K) + 2.0)


@dataclass(frozen=True, slots=True)
class Pool:
    """A row per query and document among the first ten of any run; rank 0: not shown."""

    query: Ints
    ranks: Ints
    grades: Ints
    scale: int

    @property
    def share(self) -> Floats:
        """What each run makes of a document."""
        return np.where(self.ranks > 0, 1.0 / np.log2(np.maximum(self.ranks, 1) + 1.0), 0.0)

    def part(self, runs: Ints, queries: Ints) -> "Pool":
        """Keep some runs and some queries, and what these runs show for them."""
        kept = np.isin(self.query, queries) & (self.ranks[:, runs] > 0).any(axis=1)
        query = np.searchsorted(queries, self.query[kept])
        return Pool(query, self.ranks[np.ix_(kept, runs)], self.grades[kept], self.scale)


def pool_of(report: Report) -> Pool:
    """Put the first documents of all runs together; what the file does not judge is grade 0."""
    rows: dict[tuple[str, str], dict[int, int]] = {}
    for column, run in enumerate(report.runs):
        for query, shown in run.rankings.items():
            for at, document in enumerate(shown[:K]):
                rows.setdefault((query, document), {})[column] = at + 1
    number = {query: at for at, query in enumerate(report.queries)}
    pairs = sorted(rows, key=lambda pair: (number[pair[0]], pair[1]))
    ranks = np.zeros((len(pairs), len(report.runs)), np.int64)
    for at, pair in enumerate(pairs):
        for column, rank in rows[pair].items():
            ranks[at, column] = rank
    grades = [report.queries[query]["judged"].get(document, 0) for query, document in pairs]
    owner = np.array([number[query] for query, _ in pairs])
    return Pool(owner, ranks, np.array(grades), int(report.dataset["scale"]))


class Revealed:
    """What is known so far: gains of each run and query, and the means of nDCG@10 from them."""

    def __init__(self, pool: Pool) -> None:
        size = int(pool.query.max()) + 1
        self.pool, self.share = pool, pool.share
        self.judged = np.zeros(len(pool.query), bool)
        self.gain, self.ndcg = np.zeros((2, size, pool.ranks.shape[1]))
        self.ideal, self._known = np.zeros(size), [list[int]() for _ in range(size)]

    def reveal(self, at: int) -> None:
        """Ask for a judgment."""
        grade, query = int(self.pool.grades[at]), int(self.pool.query[at])
        self.judged[at] = True
        if grade:
            self._known[query] = sorted([*self._known[query], grade], reverse=True)
            best = self._known[query][:K]
            self.ideal[query] = float(np.dot(best, DISCOUNT[: len(best)]))
            self.gain[query] += grade * self.share[at]
            self.ndcg[query] = self.gain[query] / self.ideal[query]

    @property
    def means(self) -> Floats:
        """The mean score of each run, unjudged documents counting 0."""
        return np.asarray(self.ndcg.mean(axis=0), np.float64)


Strategy = Callable[[Revealed, np.random.Generator], Iterator[int]]


def by_chance(known: Revealed, rng: np.random.Generator) -> Iterator[int]:
    """Ask in any order."""
    yield from rng.permutation(len(known.judged)).tolist()


def by_depth(known: Revealed, rng: np.random.Generator) -> Iterator[int]:
    """Ask rank by rank: first what any run shows first."""
    ranks = known.pool.ranks
    best = np.where(ranks > 0, ranks, K + 1).min(axis=1)
    yield from np.lexsort((rng.random(len(best)), best)).tolist()


def by_largest_move(known: Revealed, rng: np.random.Generator) -> Iterator[int]:
    """Ask for what the top grade would move most, between the leader and any other run."""
    noise = rng.random(len(known.judged)) * 1e-9
    top = known.pool.scale
    for _ in range(-(-len(known.judged) // AT_ONCE)):
        lead = int(np.argmax(known.means))
        ahead = known.gain[:, [lead]] - known.gain
        now = known.ndcg[:, [lead]] - known.ndcg
        query, apart = known.pool.query, known.share[:, [lead]] - known.share
        then = (ahead[query] + top * apart) / (known.ideal + top)[query][:, None]
        worth = np.abs(then - now[query]).max(axis=1) + noise
        worth[known.judged] = -1.0
        left = min(AT_ONCE, int((~known.judged).sum()))
        yield from rng.permutation(np.argsort(-worth)[:left]).tolist()


def by_judging(known: Revealed, rng: np.random.Generator) -> Iterator[int]:
    """Ask as `assay judge` does: some at a time, and these in random order."""
    judging, left = judging_of(known.pool), {*range(len(known.judged))}
    while batch := judging.next(AT_ONCE):
        for at in rng.permutation(len(batch)).tolist():
            row = int(batch[at][1])
            left.remove(row)
            yield row
            judging.grade(batch[at], int(known.pool.grades[row]))
    yield from rng.permutation(sorted(left)).tolist()


def judging_of(pool: Pool) -> Judging:
    """Begin as after a run of which nothing is judged: each run is open against the first one.

    A document is called by its number in the pool.
    """
    runs = [_ranking(pool, column) for column in range(pool.ranks.shape[1])]
    first, *rest = [run.name for run in runs]
    held = tuple(Candidate(name, {}, Verdict("hold", ""), {}, ()) for name in rest)
    compared = Comparisons(
        first, str(METRIC), len(runs[0].queries), held, (), (), "", 0.0, None, ()
    )
    report = Report({"primary": str(METRIC)}, {}, {}, {}, tuple(map(_run, runs)), compared)
    known = {(query, name) for run in report.runs for query, some in run.rankings.items()
             for name in some}  # fmt: skip
    return Judging(report, _judgments(Revealed(pool)), known=known)


def _run(ranking: Rankings) -> Run:
    names = [one.decode() for one in ranking.documents.tolist()]
    ends = ranking.offsets.tolist()
    shown = {
        query: tuple(names[ends[at] : ends[at + 1]]) for at, query in enumerate(ranking.queries)
    }
    return Run(ranking.name, ranking.name, {}, rankings=shown)


STRATEGIES: dict[str, Strategy] = {
    "random": by_chance,
    "depth": by_depth,
    "largest move": by_largest_move,
    "judge": by_judging,
}


def winner_at(pool: Pool, strategy: Strategy, rng: np.random.Generator) -> int:
    """Count the judgments after which the best run is the final one, and stays it."""
    final = Revealed(pool)
    for at in range(len(pool.query)):
        final.reveal(at)
    best, known, wrong = int(np.argmax(final.means)), Revealed(pool), 0
    for asked, at in enumerate(strategy(known, rng), 1):
        known.reveal(at)
        means = known.means
        if int(np.argmax(means)) != best or not means.any():
            wrong = asked
    return wrong + 1


def settled_at(pool: Pool, strategy: Strategy, rng: np.random.Generator) -> int:
    """Count the judgments after which no grading of the rest turns two runs round (to the ten)."""
    runs = [_ranking(pool, column) for column in (0, 1)]
    known, asked = Revealed(pool), 0
    for asked, at in enumerate(strategy(known, rng), 1):
        known.reveal(at)
        if asked % EVERY == 0 and _is_settled(known, runs):
            return asked
    return asked


def _is_settled(known: Revealed, runs: list[Rankings]) -> bool:
    truth = _judgments(known)
    one, other = (JudgedRun(run, judge(truth, run)) for run in runs)
    ends = holes(one, other, METRIC)
    return ends is not None and bool(ends[0].mean() > 0 or ends[1].mean() < 0)


def _judgments(known: Revealed) -> Judgments:
    rows, size = np.flatnonzero(known.judged), len(known.ideal)
    counts = np.bincount(known.pool.query[rows], minlength=size)
    return Judgments(
        queries=tuple(map(str, range(size))),
        offsets=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        documents=encode(map(str, rows.tolist())),
        grades=known.pool.grades[rows],
        scale=known.pool.scale,
    )


def _ranking(pool: Pool, column: int) -> Rankings:
    rank = pool.ranks[:, column]
    rows = np.flatnonzero(rank)
    rows = rows[np.lexsort((rank[rows], pool.query[rows]))]
    counts = np.bincount(pool.query[rows], minlength=int(pool.query.max()) + 1)
    return Rankings(
        name=str(column),
        queries=tuple(map(str, range(len(counts)))),
        offsets=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        documents=encode(map(str, rows.tolist())),
        scores=-rank[rows].astype(np.float64),
        ties="order",
    )
