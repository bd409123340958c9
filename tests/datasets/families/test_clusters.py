"""Clusters: cosine similarity finds the cluster when queries are clean, and less so with noise."""

import numpy as np
import pytest

import assay
from assay.datasets.families.clusters import clusters
from assay.errors import InputError


def score(**settings):
    """Rank by cosine similarity, as any vector search would."""
    made = clusters(**settings)
    names = [document.id for document in made.dataset.documents]
    qrels = {
        query.key: {j.reference.document_id: j.grade for j in query.judgments}
        for query in made.dataset.queries
    }
    scores = made.query_vectors.astype(float) @ made.document_vectors.astype(float).T
    rows = zip(qrels, scores.tolist(), strict=True)
    run = {key: dict(zip(names, row, strict=True)) for key, row in rows}
    return assay.evaluate(qrels, run, ["ndcg@10"]).scores["ndcg@10"]


def test_two_clusters_without_spread_by_hand():
    made = clusters(documents=4, clusters=2, queries=2, dimensions=3, spread=0, noise=0)
    names = [document.id for document in made.dataset.documents]
    vectors = dict(zip(names, made.document_vectors.tolist(), strict=True))
    for query, vector in zip(made.dataset.queries, made.query_vectors.tolist(), strict=True):
        gold = {judgment.reference.document_id for judgment in query.judgments}
        assert len(gold) == 2
        assert {name for name in vectors if vectors[name] == vector} == gold


def test_clean_queries_are_answered_almost_perfectly():
    assert score(spread=0.3, noise=0) > 0.99


def test_scores_fall_with_noise():
    noises = (0, 1, 2, 4, 8)
    means = [np.mean([score(noise=noise, seed=seed) for seed in range(5)]) for noise in noises]
    assert means == sorted(means, reverse=True)
    assert means[0] - means[-1] > 0.3


def test_truth_is_the_cluster():
    made = clusters(documents=103, clusters=10, queries=25)
    sizes = [len(query.judgments) for query in made.dataset.queries]
    assert set(sizes) == {10, 11}  # 103 documents shared out evenly
    by_cluster = {query.extra["cluster"]: query.judgments for query in made.dataset.queries}
    judged = [j.reference.document_id for rows in by_cluster.values() for j in rows]
    assert sorted(judged) == sorted(document.id for document in made.dataset.documents)


def test_vectors_are_unit_singles_in_order():
    made = clusters(documents=60, clusters=5, dimensions=7, queries=9)
    assert made.document_vectors.shape == (60, 7)
    assert made.query_vectors.shape == (9, 7)
    for vectors in (made.document_vectors, made.query_vectors):
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_one_seed_gives_the_same_bytes():
    one, same, other = clusters(seed=3), clusters(seed=3), clusters(seed=4)
    assert one.document_vectors.tobytes() == same.document_vectors.tobytes()
    assert one.query_vectors.tobytes() == same.query_vectors.tobytes()
    assert one.dataset == same.dataset
    assert one.document_vectors.tobytes() != other.document_vectors.tobytes()


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"queries": 0}, "queries=0"),
        ({"clusters": 0}, "clusters=0"),
        ({"dimensions": 1}, "dimensions=1"),
        ({"spread": -0.1}, "spread=-0.1"),
        ({"noise": float("nan")}, "noise"),
        ({"dimensions": 10**6}, "dimensions=1000000"),
        ({"clusters": 1, "documents": 10**5, "queries": 100}, "queries=100"),
        ({"noise": float("inf")}, "noise=inf"),
        ({"documents": 24}, "documents=24"),
        ({"documents": 10**9}, "documents"),
    ],
)
def test_impossible_settings_are_refused(settings, named, snapshot):
    with pytest.raises(InputError, match=named) as caught:
        clusters(**settings)
    snapshot(caught.value)
