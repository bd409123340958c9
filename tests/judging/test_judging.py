"""Which document is asked next: first what tells the best run, then what settles the rest."""

import numpy as np
import pytest

from assay.judging.judging import Judging
from assay.metrics import parse
from assay.records import Candidate, Comparisons, Judgments, Report, Run, Verdict, encode
from assay.verdicts.settling import Settling

K = 5


def judging(rankings, queries, **options):
    """Begin after a run of which nothing is judged: each one is open against the first."""
    first, *rest = rankings
    held = tuple(Candidate(name, {}, Verdict("hold", ""), {}, ()) for name in rest)
    compared = Comparisons(first, "ndcg@5", len(queries), held, (), (), "", 0.0, None, ())
    runs = tuple(Run(name, name, {}, rankings=shown) for name, shown in rankings.items())
    hidden = Judgments(
        queries, np.zeros(len(queries) + 1, np.int64), encode(()), np.empty(0, np.int64), scale=3
    )
    known = {(q, one) for shown in rankings.values() for q, some in shown.items() for one in some}
    report = Report({"primary": "ndcg@5"}, {}, {}, {}, runs, compared)
    return Judging(report, hidden, known=known, **options)


def made(rng, queries=12, documents=20, runs=6):
    """Draw grades, and runs that see them through noise of their own."""
    names = tuple(f"q{at}" for at in range(queries))
    grades = {
        (query, f"d{at}"): int(rng.integers(1, 4)) if rng.random() < 0.2 else 0
        for query in names
        for at in range(documents)
    }
    rankings = {}
    for run, noise in enumerate(rng.uniform(0.8, 2.0, runs)):
        rankings[f"run {run}"] = {query: _shown(query, grades, noise, rng) for query in names}
    return names, grades, rankings


def _shown(query, grades, noise, rng):
    own = [(grade + noise * rng.normal(), name) for (one, name), grade in grades.items()
           if one == query]  # fmt: skip
    return tuple(name for _, name in sorted(own, reverse=True)[:K])


def until_winner(rankings, grades, order):
    """Count the judgments after which the final winner leads, and goes on leading."""
    known, wrong = {}, 0
    order = [*order]
    best = _best(rankings, {pair: grades[pair] for pair in order})
    for asked, pair in enumerate(order, 1):
        known[pair] = grades[pair]
        if _best(rankings, known) != best:
            wrong = asked
    return wrong + 1


def _best(rankings, known):
    scores = dict.fromkeys(rankings, 0.0)
    for query in {query for query, _ in known}:
        ideal = _dcg(sorted((grade for pair, grade in known.items() if pair[0] == query))[::-1])
        for name, shown in rankings.items():
            own = _dcg([known.get((query, one), 0) for one in shown[query]])
            scores[name] += own / ideal if ideal else 0.0
    return max(scores, key=scores.get)


def _dcg(grades):
    return sum(grade / np.log2(at + 2) for at, grade in enumerate(grades[:K]))


def asked_by(judging, grades, pool):
    left = {*pool}
    while batch := judging.next(5):
        for pair in batch:
            left.remove(pair)
            yield pair
            judging.grade(pair, grades[pair])
    yield from sorted(left)


def test_with_several_runs_the_likely_best_is_set_against_each_other():
    queries, _, rankings = made(np.random.default_rng(4))
    judged = judging(rankings, queries)
    names = [*rankings]
    pairs = [
        *dict.fromkeys((q, one) for name in names for q in queries for one in rankings[name][q])
    ]
    ranks = [[_rank(rankings[name][query], one) for name in names] for query, one in pairs]
    owner = np.array([queries.index(query) for query, _ in pairs])
    settling = Settling(owner, np.array(ranks), parse("ndcg@5"), scale=3)
    wanted = [pairs[at] for at in settling.first(9).tolist()]
    baseline = [(at, 0) for at in range(1, len(names))]
    assert wanted != [pairs[at] for at in settling.first(9, pairs=baseline).tolist()]
    assert judged.next(9) == wanted
    # Two runs are a pair, whatever the others are.
    two = judging(rankings, queries, runs=["run 2"])
    assert two.next(9) == [pairs[at] for at in settling.first(9, pairs=[(2, 0)]).tolist()]


def test_once_the_best_is_clear_open_comparisons_are_settled(monkeypatch):
    queries, _, rankings = made(np.random.default_rng(3))
    judged, asked = judging(rankings, queries), []
    first = Settling.first

    def spied(self, count, *, pairs, among):
        asked.append(pairs)
        return first(self, count, pairs=pairs, among=among)

    monkeypatch.setattr(Settling, "first", spied)
    monkeypatch.setattr(Settling, "is_sure", lambda self, pairs: True)
    judged.next(5)
    assert asked == [[(at, 0) for at in range(1, 6)]]


def test_what_cannot_be_asked_does_not_end_it():
    """Where what tells the best run is skipped, other comparisons are gone on with."""
    queries, _, rankings = made(np.random.default_rng(3))
    judged = judging(rankings, queries)
    skipped = set()
    while batch := judged.next(5, without=skipped):
        assert not skipped & {*batch}
        skipped |= {*batch}
    pool = {(q, one) for shown in rankings.values() for q in queries for one in shown[q]}
    alike = {
        pair
        for pair in pool
        if len({_rank(rankings[name][pair[0]], pair[1]) for name in rankings}) == 1
    }
    assert skipped == pool - alike  # a document that all rank alike moves nothing


def _rank(shown, document):
    return shown.index(document) + 1 if document in shown else 0


@pytest.mark.long
def test_the_winner_is_known_with_fewer_judgments_than_by_depth():
    counts = {"depth": [], "judging": []}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        queries, grades, rankings = made(rng)
        best = {}
        for shown in rankings.values():
            for query in queries:
                for at, one in enumerate(shown[query]):
                    best[query, one] = min(at, best.get((query, one), K))
        pool = [*best]
        rng.shuffle(pool)
        pool = [tuple(pair) for pair in pool]
        by_depth = sorted(pool, key=best.get)
        counts["depth"].append(until_winner(rankings, grades, by_depth))
        order = asked_by(judging(rankings, queries), grades, pool)
        counts["judging"].append(until_winner(rankings, grades, order))
    assert np.mean(counts["judging"]) < np.mean(counts["depth"])
