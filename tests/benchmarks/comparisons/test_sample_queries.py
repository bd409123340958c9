"""What is judged of a log: how many queries, and whether they tell the truth about all traffic."""

import numpy as np
import pytest

from assay.benchmarks.comparisons.diff_rankings import diff_queries
from assay.benchmarks.comparisons.sample_queries import (
    detectable,
    needed_queries,
    plan_judging,
    sample_changed,
    useful_queries,
)
from assay.errors import InputError
from assay.rankings.load import load
from assay.records import Query
from assay.statistics.smallest_detectable import smallest_detectable
from assay.workflows.diff import diff

QUERIES = 300


def log(exponent=0.7, queries=QUERIES):
    rng = np.random.default_rng(1)
    traffic = 1_000 / np.arange(1.0, queries + 1) ** exponent
    weights = rng.permutation(traffic)
    return [Query(f"q{at}", f"text {at}", weight=float(one)) for at, one in enumerate(weights)]


def runs(changed=0.4):
    """Answer 60 % of the queries with the same documents, and the others differently."""
    rng = np.random.default_rng(2)
    moved = rng.random(QUERIES) < changed
    before = {f"q{at}": {f"d{at}-{n}": float(9 - n) for n in range(4)} for at in range(QUERIES)}
    after = {key: dict(one) for key, one in before.items()}
    for at in np.flatnonzero(moved).tolist():
        after[f"q{at}"] = {f"d{at}-{n}": float(9 - n) for n in (4, 1, 0, 2)}
    return before, after


@pytest.fixture
def found():
    before, after = runs()
    from assay.records import Dataset

    return diff(before, after, queries=Dataset("log", tuple(log())))


def test_unchanged_traffic_makes_a_difference_of_all_smaller(found):
    """With equal traffic: n queries of the changed detect d, which is d times the share of all."""
    before, after = runs()
    even = diff_queries(log(exponent=0.0), load(before), load(after), k=10, p=0.9)
    share = sum(one.changed for one in even) / QUERIES
    expected = smallest_detectable(sd=0.3, queries=50) * share
    assert detectable(even, 50, sd=0.3) == pytest.approx(expected)
    # Without that, as many queries of all traffic detect less: their spread is 0.3 sqrt(share).
    plain = smallest_detectable(sd=0.3 * share**0.5, queries=50)
    assert expected < plain
    assert found.plan.changed == sum(one.changed for one in even)


def test_the_number_of_queries_is_the_smallest_that_detects_it(found):
    wanted = 1.3 * detectable(found.changes, found.plan.changed)
    number = needed_queries(found.changes, wanted)
    assert detectable(found.changes, number) <= wanted < detectable(found.changes, number - 1)
    assert needed_queries(found.changes, 0.001) is None
    assert needed_queries(found.changes, wanted, sd=0.2) < number
    plan = plan_judging(found.changes)
    assert plan.needed["0.05"]["sd=0.2"] == needed_queries(found.changes, 0.05, sd=0.2)
    assert plan.needed["0.01"]["sd=0.4"] is None
    assert [*plan.detectable] == [20, 50, 100, plan.changed]


def test_where_a_few_queries_have_the_traffic_more_of_the_others_hardly_help():
    before, after = runs(changed=1.0)
    steep = diff_queries(log(exponent=1.2), load(before), load(after), k=10, p=0.9)
    number = useful_queries(steep)
    assert number < QUERIES / 3
    assert detectable(steep, number) < 1.11 * detectable(steep, QUERIES)


def drawn(found, seed, draws=30):
    asked = {query.key: query for query in log()}
    return sample_changed(found, asked, draws=draws, seed=seed, scale=3)


def test_a_sample_has_the_documents_of_both_to_judge(found):
    dataset = drawn(found, 0)
    changed = {one.query: one for one in found.changed}
    assert len(dataset.queries) == 30
    for query in dataset.queries:
        one = changed[query.key]
        names = [judgment.reference.document_id for judgment in query.judgments]
        assert names == [*one.before, *one.new]
        assert {judgment.grade for judgment in query.judgments} == {-1}
    assert dataset.metadata["sample"]["changed_share"] == pytest.approx(found.totals.changed)
    assert dataset == drawn(found, 0)
    assert dataset != drawn(found, 1)


def test_the_estimate_is_unbiased_over_seeds(found):
    """Known differences of all queries: the mean of estimates is that of all traffic."""
    rng = np.random.default_rng(3)
    asked = {query.key: query for query in log()}
    truth = {key: rng.normal(0.05, 0.3) for key in asked}
    truth |= {one.query: 0.0 for one in found.changes if not one.changed}
    traffic = sum(one.weight for one in asked.values())
    mean = sum(truth[key] * one.weight for key, one in asked.items()) / traffic
    estimates = []
    for seed in range(2_000):
        queries = drawn(found, seed, draws=20).queries
        total = sum(query.weight for query in queries)
        weighted = sum(query.weight * truth[query.key] for query in queries) / total
        estimates.append(found.plan.share * weighted)
    error = np.std(estimates) / len(estimates) ** 0.5
    assert abs(np.mean(estimates) - mean) < 3.5 * error
    assert error < 0.002  # so that a bias of .007 would be seen
    # Drawn evenly and counted alike, the estimate is off, since traffic goes with the difference.
    weights = [query.weight for query in drawn(found, 0, draws=20).queries]
    assert sum(weights) == pytest.approx(traffic * found.plan.share)


def test_nothing_changed_is_nothing_to_judge():
    before, _ = runs()
    same = diff(before, {key: dict(one) for key, one in before.items()})
    assert same.plan.detectable == {}
    with pytest.raises(InputError, match="no query changed"):
        sample_changed(same, {}, draws=5, seed=0, scale=3)
