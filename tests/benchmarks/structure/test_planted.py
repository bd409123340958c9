import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.benchmarks.structure.planted import plant
from assay.records import decode


def relevant_rows(planted, at):
    offsets = planted.judgments.offsets
    names = decode(planted.judgments.documents[offsets[at] : offsets[at + 1]])
    return [planted.names.index(name) for name in names]


def test_it_has_the_shape_that_was_asked_for():
    planted = plant(noise=0.5, spread=0.3, documents=60, queries=7, dimension=9, clusters=12)

    assert planted.documents.shape == (60, 9)
    assert planted.queries.shape == planted.truths.shape == (7, 9)
    assert np.bincount(planted.clusters).tolist() == [5] * 12
    assert len(planted.judgments.queries) == 7
    assert np.diff(planted.judgments.offsets).tolist() == [3] * 7
    assert planted.judgments.grades.tolist() == [1] * 21
    assert len(set(planted.names)) == 60


def test_relevant_are_the_nearest_to_what_is_meant_not_to_what_is_asked():
    planted = plant(noise=3.0, spread=0.5, documents=50, queries=20, dimension=8, clusters=10)
    asked = 0
    for at, (truth, query) in enumerate(zip(planted.truths, planted.queries, strict=True)):
        rows = relevant_rows(planted, at)
        others = np.setdiff1d(np.arange(50), rows)
        assert (planted.documents[rows] @ truth).min() >= (planted.documents[others] @ truth).max()
        asked += set(rows) == set(np.argsort(-(planted.documents @ query))[:3].tolist())
    assert asked < 10  # so noisy a query hardly finds them


def test_without_noise_the_query_is_what_is_meant():
    planted = plant(noise=0, spread=0.5, documents=30, queries=5, dimension=8, clusters=3)
    assert planted.queries == pytest.approx(planted.truths)


def test_the_whole_cluster_can_be_relevant():
    planted = plant(
        noise=0, spread=0.01, documents=31, queries=9, dimension=16, clusters=4, relevant=None
    )
    for at, truth in enumerate(planted.truths):
        rows = relevant_rows(planted, at)
        nearest = int(np.argmax(planted.documents @ truth))
        assert planted.clusters[rows].tolist() == [planted.clusters[nearest]] * len(rows)
        assert len(rows) == int((planted.clusters == planted.clusters[nearest]).sum())


def test_the_seed_decides_all_and_noise_moves_queries_alone():
    sizes = {"documents": 20, "queries": 4, "dimension": 5, "clusters": 5}
    one, same = (plant(noise=1.0, spread=0.5, seed=3, **sizes) for _ in range(2))
    calm = plant(noise=0.2, spread=0.5, seed=3, **sizes)
    other = plant(noise=1.0, spread=0.5, seed=4, **sizes)

    for name in ("documents", "truths", "queries"):
        assert np.array_equal(getattr(one, name), getattr(same, name))
        assert not np.array_equal(getattr(one, name), getattr(other, name))
    assert np.array_equal(one.documents, calm.documents)
    assert np.array_equal(one.judgments.documents, calm.judgments.documents)
    assert not np.array_equal(one.queries, calm.queries)


def test_noise_and_spread_are_shares_of_the_length():
    planted = plant(
        noise=1.0, spread=0.5, documents=400, queries=400, dimension=256, clusters=1, seed=1
    )
    # A unit vector and a step of length s at right angles: cosine 1 / sqrt(1 + s^2).
    toward = np.einsum("ij,ij->i", planted.truths, planted.queries)
    assert toward.mean() == pytest.approx(1 / np.sqrt(2), abs=0.01)
    among = planted.documents[:200] @ planted.documents[200:].T
    assert among.mean() == pytest.approx(1 / 1.25, abs=0.01)  # both lie .5 from the one centre


@settings(max_examples=30)
@given(
    st.floats(0, 100), st.floats(0, 100), st.integers(2, 30), st.integers(1, 6), st.integers(2, 9),
    st.integers(0, 2**32),
)  # fmt: skip
def test_every_vector_has_length_1(noise, spread, documents, queries, dimension, seed):
    planted = plant(
        noise=noise, spread=spread, documents=documents, queries=queries, dimension=dimension,
        clusters=min(3, documents), seed=seed,
    )  # fmt: skip
    for rows in (planted.documents, planted.truths, planted.queries):
        assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(rows)))
    assert np.diff(planted.judgments.offsets).tolist() == [min(3, documents)] * queries
