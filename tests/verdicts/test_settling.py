import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.metrics import parse
from assay.verdicts.settling import Settling

METRICS = ["ndcg@10", "ndcg_exp@5", "ndcg", "precision@5", "recall@5", "rbp(p=0.8)", "mrr", "ap"]


def settling(ranks, query=None, metric="ndcg@10", **options):
    ranks = np.array(ranks)
    query = np.zeros(len(ranks), np.int64) if query is None else np.array(query)
    return Settling(query, ranks, parse(metric), scale=3, **options)


def test_by_hand():
    # Document 0 stands first in both runs: it says nothing of who is better. Documents 1 and 2 are
    # shown second by one run each: both matter alike. Document 3 is shown fourth by one only.
    pool = settling([[1, 1], [2, 0], [0, 2], [4, 0]])
    assert pool.first(9).tolist() == [1, 2, 3]
    pool.grade(1, 3)
    assert pool.estimate()[0] > pool.estimate()[1]
    assert 1 not in pool.first(9)
    pool.grade(1, None)
    assert pool.first(9).tolist() == [1, 2, 3]


def test_what_is_likely_comes_before_what_only_could_be():
    """Either moves the pair alike, but four of five runs show document 2, and one document 1."""
    pool = settling([[1, 1, 1, 1, 1], [0, 0, 0, 0, 2], [2, 2, 2, 2, 0]])
    assert pool.first(1, pairs=[(0, 4)]).tolist() == [2]


def test_only_pairs_that_are_asked_for_count():
    pool = settling([[1, 1, 0], [0, 0, 1]])
    assert pool.first(9, pairs=[(0, 1)]).tolist() == []
    assert pool.first(9, pairs=[(0, 2)]).tolist() == [0, 1]
    assert pool.first(9, pairs=[(0, 2)], among=np.array([False, True])).tolist() == [1]


def test_with_all_judged_the_estimate_is_the_score():
    # Run 0: grades 3, 0; run 1: 0, 3. DCG 3 and 3 / log2(3), ideal 3.
    pool = settling([[1, 2], [2, 1]])
    pool.grade(0, 3)
    pool.grade(1, 0)
    assert pool.estimate() == pytest.approx([1.0, 1 / np.log2(3)])
    assert pool.first(9).tolist() == []


def test_a_query_that_counts_more_comes_first():
    """Two queries alike, of which the second counts three times as much; 1 on average."""
    ranks = [[1, 0], [1, 0]]
    assert settling(ranks, [0, 1]).first(9).tolist() == [0, 1]
    pool = settling(ranks, [0, 1], weights=np.array([0.5, 1.5]))
    assert pool.first(9).tolist() == [1, 0]
    pool.grade(0, 3)
    pool.grade(1, 0)
    assert pool.estimate().tolist() == [0.25, 0.0]  # 0.5 of 1, and 1.5 of 0, over 2


def test_what_is_to_be_proven_counts_by_the_weight_too(monkeypatch):
    monkeypatch.setattr("assay.verdicts.settling.SURE", 1.0)
    for metric in ("ndcg@10", "precision@5"):
        pool = settling([[1, 0], [1, 0]], [0, 1], metric, weights=np.array([0.5, 1.5]))
        assert pool.first(9).tolist() == [1, 0]


@pytest.mark.parametrize("metric", ["ndcg@10", "ndcg_exp@10", "recall@5"])
def test_the_top_grade_of_a_short_scale_is_as_good_as_any(metric):
    """The first query is graded 0 or 1, the second 0 to 3: a top grade of either is the same."""
    ranks, query = [[1, 2], [0, 1], [1, 2], [0, 1]], [0, 0, 1, 1]
    mixed = settling(ranks, query, metric, scales=np.array([1, 3]), elsewhere={0: [1], 1: [3]})
    alike = settling(ranks, query, metric, elsewhere={0: [3], 1: [3]})
    for pool, top in ((mixed, 1), (alike, 3)):
        pool.grade(0, top)
        pool.grade(2, 3)
    assert mixed.estimate() == pytest.approx(alike.estimate(), abs=1e-12)
    assert mixed.first(9).tolist() == alike.first(9).tolist() == [1, 3]


def test_what_no_run_shows_counts_for_the_ideal():
    pool = settling([[1, 0]], elsewhere={0: [3]})
    pool.grade(0, 3)
    assert pool.estimate()[0] == pytest.approx(1 / (1 + 1 / np.log2(3)))


def test_once_it_is_clear_the_largest_move_proves_it(monkeypatch):
    """Run 0 leads by far. Document 20 is hardly relevant, as nothing is to its query, but could
    move most; document 21 is likely to be, beside many that are, and moves little."""
    alike = [[rank, rank] for rank in range(3, 9)]
    ranks = [[1, 0]] * 20 + [[0, 9], [0, 7]] + alike + [[at - 2, at - 2] for at, _ in alike]
    pool = settling(ranks, query=[*range(20), 20, 21, *[20] * 6, *[21] * 6])
    for at in range(20):
        pool.grade(at, 3)
    for at in range(22, 28):
        pool.grade(at, 0)
        pool.grade(at + 6, 3)
    assert pool.first(9).tolist() == [20, 21]
    monkeypatch.setattr("assay.verdicts.settling.SURE", 0.0)  # as long as it is in doubt
    assert pool.first(9).tolist() == [21, 20]


def test_nothing_at_all():
    empty = Settling(np.empty(0, np.int64), np.empty((0, 2), np.int64), parse("ndcg@10"), scale=3)
    assert empty.first(5).tolist() == []
    one = settling([[1], [2]])
    assert one.first(5).tolist() == []


@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1))
def test_each_document_is_asked_once_at_most(metric, seed):
    rng = np.random.default_rng(seed)
    documents, runs = int(rng.integers(1, 25)), int(rng.integers(2, 5))
    ranks = rng.integers(0, 12, (documents, runs))
    pool = settling(ranks, rng.integers(0, 4, documents), metric)
    asked = []
    while len(found := pool.first(3)):
        assert np.isfinite(pool.estimate()).all()
        for at in found.tolist():
            asked.append(at)
            pool.grade(at, int(rng.integers(0, 4)))
    assert len(set(asked)) == len(asked) <= documents


@pytest.mark.long
def test_it_finds_the_winner_with_fewer_judgments_than_depth_and_chance():
    """Eight runs of different noise over 40 queries; documents that are relevant rank higher."""
    counts = {"chance": [], "depth": [], "settling": []}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        pool = made(rng)
        orders = {
            "chance": rng.permutation(len(pool[0])),
            "depth": np.lexsort((rng.random(len(pool[0])), depth(pool[1]))),
        }
        for name, order in orders.items():
            counts[name].append(until_winner(pool, iter(order.tolist())))
        counts["settling"].append(until_winner(pool, adaptive(pool)))
    means = {name: np.mean(some) for name, some in counts.items()}
    assert means["settling"] < 0.8 * means["depth"]
    assert means["settling"] < 0.8 * means["chance"]


def made(rng, queries=40, documents=30, runs=8):
    rows = []
    for query in range(queries):
        grade = np.where(rng.random(documents) < 0.15, rng.integers(1, 4, documents), 0)
        for run, noise in enumerate(rng.uniform(1.0, 2.0, runs)):
            order = np.argsort(-(grade + noise * rng.normal(size=documents)))[:10]
            rows += [
                (query, int(one), run, at + 1, int(grade[one])) for at, one in enumerate(order)
            ]
    pairs = sorted({row[:2] for row in rows})
    number = {pair: at for at, pair in enumerate(pairs)}
    ranks, grades = np.zeros((len(pairs), runs), np.int64), np.zeros(len(pairs), np.int64)
    for query, document, run, rank, grade in rows:
        ranks[number[query, document], run] = rank
        grades[number[query, document]] = grade
    return np.array([query for query, _ in pairs]), ranks, grades


def depth(ranks):
    return np.where(ranks > 0, ranks, 99).min(axis=1)


def adaptive(pool):
    query, ranks, grades = pool
    chosen = Settling(query, ranks, parse("ndcg@10"), scale=3)
    while len(found := chosen.first(5)):
        for at in found.tolist():
            yield at
            chosen.grade(at, int(grades[at]))
    yield from np.flatnonzero(~chosen.judged).tolist()


def until_winner(pool, order):
    """Count the judgments after which the winner is the final one, and stays it."""
    query, ranks, grades = pool
    share = np.where(ranks > 0, 1 / np.log2(np.maximum(ranks, 1) + 1), 0.0)
    gain, scores = np.zeros((2, query.max() + 1, ranks.shape[1]))
    known = [[] for _ in range(query.max() + 1)]
    winners = []
    for at in order:
        one, grade = query[at], grades[at]
        if grade:
            known[one] = sorted([*known[one], grade], reverse=True)
            best = np.array(known[one][:10])
            gain[one] += grade * share[at]
            scores[one] = gain[one] / (best / np.log2(np.arange(len(best)) + 2)).sum()
        winners.append(int(scores.mean(axis=0).argmax()) if scores.any() else -1)
    wrong = [asked for asked, found in enumerate(winners, 1) if found != winners[-1]]
    return max(wrong, default=0) + 1


def test_what_is_expected_is_divided_by_the_expected_ideal_ranking():
    # One judged document of grade 3 in first place, which nothing else could displace: the ideal
    # gain is 3 / log2(2), plus 3 / log2(3) for a second one that is known and not shown.
    pool = settling([[1, 2]], elsewhere={0: [3]})
    pool.grade(0, 3)
    ideal = 3 + 3 / np.log2(3)
    assert pool.estimate() == pytest.approx([3 / ideal, 3 / np.log2(3) / ideal])
