"""What each kind of dense index keeps to."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.engines import dense
from assay.engines.dense import recall
from assay.engines.dense._faiss import _DIGEST, _MARK, one_thread
from assay.engines.dense.exact import exact
from assay.engines.vectors.packing import PRECISIONS, unpack
from assay.errors import InputError
from assay.records import FoundRows

KINDS = [catalogue.find(dense, name) for name in catalogue.names(dense)]
APPROXIMATE = [kind for kind in KINDS if kind is not exact]
every = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
approximate = pytest.mark.parametrize("kind", APPROXIMATE, ids=lambda kind: kind.__name__)
precisions = pytest.mark.parametrize("precision", PRECISIONS)


def made(count, dimension, seed=0, *, clusters=0):
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((count, dimension))
    if clusters:
        centres = np.random.default_rng(99).standard_normal((clusters, dimension))
        vectors = centres[rng.integers(0, clusters, count)] + 0.7 * vectors
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_the_kinds():
    assert {"exact", "hnsw", "ivf"} <= set(catalogue.names(dense))


@every
def test_by_hand(kind):
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1], [-1, 0]], np.float32)
    index = kind(vectors, np.array([7, 5, 3, 9]), precision="float32")

    found = index.search(np.array([2, 0], np.float32), 3)

    assert found.rows.tolist() == [7, 5, 3]
    assert found.scores == pytest.approx([1.0, 0.6, 0.0], abs=1e-7)
    assert (found.kind, found.best) == ("cosine", 1.0)
    assert index.scores(np.array([2, 0], np.float32), np.array([9, 5, 4])) == pytest.approx(
        [-1.0, 0.6, 0.0], abs=1e-7
    )
    assert [index.rank_of(np.array([1, 0], np.float32), row) for row in (7, 5, 3, 9)] == [
        1,
        2,
        3,
        4,
    ]
    assert index.rank_of(np.array([1, 0], np.float32), 4) is None


@every
@precisions
def test_it_agrees_with_float64_on_what_is_stored(kind, precision):
    vectors, rows = made(300, 24), np.arange(300) * 2
    index = kind(vectors, rows, precision=precision)
    stored = unpack(index.stored.packed, precision).astype(np.float64)
    for query in made(10, 24, seed=1):
        truth = stored @ (query.astype(np.float64) / np.linalg.norm(query.astype(np.float64)))
        found = index.search(query, 12)
        assert found.scores == pytest.approx(truth[found.rows // 2], abs=1e-6)
        assert found.scores[0] == pytest.approx(truth.max(), abs=1e-6)


@pytest.mark.parametrize("block", [1, 100, 10**6])
@precisions
@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 70))
def test_exact_is_the_order_of_all(precision, block, seed, count, depth):
    vectors = np.repeat(made(max(1, count // 2), 5, seed=seed), 2, axis=0)[:count]  # with ties
    rows = np.random.default_rng(seed).permutation(1000)[: len(vectors)]
    index = exact(vectors, rows, precision=precision)
    object.__setattr__(index.stored, "scanned_bytes", block)  # so that there are several blocks
    object.__setattr__(index.stored, "block_bytes", block)
    query = made(1, 5, seed=seed + 1)[0]

    found = index.search(query, depth)
    scores = index.scores(query, rows)
    order = sorted(range(len(rows)), key=lambda at: (-scores[at], rows[at]))

    assert found.rows.tolist() == [rows[at] for at in order][:depth]
    assert found.scores.tolist() == [scores[at] for at in order][:depth]
    assert [index.rank_of(query, row) for row in found.rows] == list(range(1, len(found.rows) + 1))


@approximate
@precisions
@pytest.mark.parametrize("clusters", [0, 50])
def test_recall_and_scores_against_exact(kind, precision, clusters):
    vectors, rows = made(5000, 32, clusters=clusters), np.arange(5000)
    truth, index = (
        exact(vectors, rows, precision=precision),
        kind(vectors, rows, precision=precision),
    )
    queries = made(40, 32, seed=1, clusters=clusters)

    measured = recall(index, truth, queries, 10)

    assert index.note == ""
    # Vectors without any structure lie in no cells: there, an eighth of them holds what it can.
    shapeless = kind.__name__ == "ivf" and not clusters
    assert (0.6 if shapeless else 0.95) <= measured.mean <= 1
    assert measured.worst <= measured.mean
    assert (measured.queries, measured.k) == (40, 10)
    for query in queries[:5]:
        found = index.search(query, 50)
        assert (found.scores == truth.scores(query, found.rows)).all()  # to the bit


@approximate
def test_it_is_built_alike_twice_and_from_what_was_saved(kind):
    vectors, rows = made(2000, 16, clusters=20), np.arange(2000)
    first, second = kind(vectors, rows), kind(vectors, rows)
    again = kind(first.stored.packed, rows, saved=first.save())

    assert first.save() == second.save() == again.save()
    assert first.fingerprint == second.fingerprint == again.fingerprint
    for query in made(5, 16, seed=3):
        for other in (second, again):
            assert first.search(query, 20).rows.tolist() == other.search(query, 20).rows.tolist()


@approximate
def test_what_was_saved_of_something_else_is_refused(kind):
    vectors, rows = made(500, 8), np.arange(500)
    saved = kind(vectors, rows).save()
    damaged = saved[:-1] + bytes([saved[-1] ^ 1])
    for wrong in (b"", b"nonsense", saved[:100], damaged):
        with pytest.raises(InputError, match="build the index again"):
            kind(vectors, rows, saved=wrong)
    with pytest.raises(InputError, match="build the index again"):
        kind(vectors[::-1].copy(), rows, saved=saved)
    with pytest.raises(InputError, match="build the index again"):
        kind(vectors, rows, precision="float16", saved=saved)


@every
@precisions
def test_nothing_stored(kind, precision):
    index = kind(np.empty((0, 4), np.float32), np.empty(0, np.int64), precision=precision)
    assert index.search(np.ones(4, np.float32), 10).rows.tolist() == []
    assert index.scores(np.ones(4, np.float32), np.array([1])).tolist() == [0.0]
    assert index.rank_of(np.ones(4, np.float32), 0) is None
    assert len(index) == index.size_bytes == 0


@every
@precisions
def test_one_vector_and_a_depth_beyond_it(kind, precision):
    index = kind(np.array([[0, 1]], np.float32), np.array([3]), precision=precision)
    found = index.search(np.array([0, 1], np.float32), 1000)
    assert found.rows.tolist() == [3]
    assert found.scores == pytest.approx([1.0], abs=1e-6)
    assert found.scores[0] <= 1.0


@every
def test_a_query_without_direction_finds_nothing(kind):
    index = kind(made(200, 4), np.arange(200))
    found = index.search(np.zeros(4, np.float32), 5)
    assert (found.rows.tolist(), found.scores.tolist()) == ([], [])
    assert index.scores(np.zeros(4, np.float32), np.array([0, 1])).tolist() == [0, 0]
    assert index.rank_of(np.zeros(4, np.float32), 0) is None


@every
def test_a_text_without_direction_scores_nothing(kind):
    vectors = np.vstack([made(200, 4), np.zeros((1, 4), np.float32)])
    assert kind(vectors, np.arange(201)).scores(vectors[0], np.array([200])).tolist() == [0.0]


@every
@pytest.mark.parametrize("depth", [0, -3])
def test_no_depth(kind, depth):
    assert kind(made(200, 4), np.arange(200)).search(made(1, 4)[0], depth).rows.tolist() == []


@every
def test_wrong_queries_and_vectors_get_messages(kind):
    index = kind(made(200, 4), np.arange(200))
    with pytest.raises(InputError, match=r"3 dimensions.* 4\b"):
        index.search(np.ones(3, np.float32), 5)
    with pytest.raises(InputError, match="NaN or infinite"):
        index.search(np.array([1, np.nan, 0, 0], np.float32), 5)
    with pytest.raises(InputError, match=r"200 vectors .* 3 rows"):
        kind(made(200, 4), np.arange(3))
    with pytest.raises(InputError, match="duplicate row"):
        kind(made(2, 4), np.array([1, 1]))
    with pytest.raises(InputError, match="bits"):
        kind(made(2, 4), np.array([1, 2]), precision="bits")


@every
@precisions
def test_the_spread_of_all_cosines(kind, precision):
    index, query = kind(made(1000, 8), np.arange(1000), precision=precision), made(1, 8, seed=1)[0]
    scores = index.scores(query, np.arange(1000))
    assert index.spread(query) == pytest.approx((scores.mean(), scores.std()), abs=1e-6)
    assert index.spread(np.zeros(8, np.float32)) == (0.0, 0.0)
    assert kind(np.empty((0, 8), np.float32), np.empty(0, np.int64)).spread(query) == (0.0, 0.0)


def test_the_spread_of_a_large_collection_is_that_of_every_nth():
    index, query = exact(made(10_000, 8), np.arange(10_000)), made(1, 8, seed=1)[0]
    scores = index.scores(query, np.arange(10_000))
    middle, deviation = index.spread(query)
    assert middle == pytest.approx(scores.mean(), abs=scores.std() / 10)
    assert deviation == pytest.approx(scores.std(), rel=0.1)
    assert len(index.stored._sample) == 2000  # every fifth
    assert index.spread(query) == (middle, deviation)


@every
def test_many_equal_vectors_come_by_row(kind):
    vectors = np.repeat(made(1, 8), 300, axis=0)
    found = kind(vectors, np.arange(300)[::-1].copy()).search(vectors[0], 300)
    assert found.rows.tolist() == list(range(300))


@every
def test_the_fingerprint_follows_vectors_rows_and_precision(kind):
    vectors, rows = made(400, 4), np.arange(400)
    same = kind(vectors, rows).fingerprint
    assert kind(vectors, rows).fingerprint == same
    others = [
        kind(vectors, rows, precision="float32"),
        kind(vectors, rows + 1),
        kind(made(400, 4, seed=1), rows),
    ]
    assert same not in [other.fingerprint for other in others]


def test_settings_change_the_fingerprint_and_wrong_ones_are_refused():
    vectors, rows = made(400, 4), np.arange(400)
    for name, wrong in {
        "hnsw": ["m", "ef_construction", "ef_search"],
        "ivf": ["lists", "probes"],
    }.items():
        kind = catalogue.find(dense, name)
        for setting in wrong:
            with pytest.raises(InputError, match=f"{setting}: invalid value 0"):
                kind(vectors, rows, **{setting: 0})
            assert (
                kind(vectors, rows, **{setting: 5}).fingerprint != kind(vectors, rows).fingerprint
            )


def test_small_collections_say_that_they_have_no_cells(snapshot):
    ivf = catalogue.find(dense, "ivf")
    few, fewer = ivf(made(70, 4), np.arange(70)), ivf(made(400, 4), np.arange(400), lists=300)
    assert few.kind == "exact"
    hnsw = catalogue.find(dense, "hnsw")
    none = hnsw(np.empty((0, 4), np.float32), np.empty(0, np.int64))
    snapshot([few.note, fewer.note, none.note])


def test_more_cells_searched_find_more():
    ivf = catalogue.find(dense, "ivf")
    vectors, rows = made(4000, 32), np.arange(4000)
    truth, queries = exact(vectors, rows), made(20, 32, seed=1)
    few, more = (
        recall(ivf(vectors, rows, lists=64, probes=n), truth, queries, 10) for n in (1, 64)
    )
    assert few.mean < 0.6
    assert more.mean > 0.98


def saved_graph(index):
    """Read what an index saves with faiss itself, past our mark and checksum."""
    import faiss

    body = index.save()[len(_MARK) + 2 * _DIGEST :]
    return faiss.deserialize_index(np.frombuffer(body, np.uint8))


def test_the_candidate_list_is_as_long_as_given_and_by_default_as_before():
    import faiss

    hnsw = catalogue.find(dense, "hnsw")
    vectors, rows, queries = made(3000, 16), np.arange(3000), made(10, 16, seed=1)
    index = hnsw(vectors, rows, m=4, ef_construction=8)
    graph = saved_graph(index)
    # A depth of 200 requests 258 candidates, of 20 only 33, and the list is never below 200.
    for depth, effort, count, ef in [
        (200, None, 258, 258),
        (20, None, 33, 200),
        (200, 16, 16, 16),
        (20, 64, 33, 64),
    ]:
        parameters = faiss.SearchParametersHNSW(efSearch=ef)
        for query in queries:
            found = index.with_effort(effort).search(query, depth)
            _, places = graph.search(query[None, :], count, params=parameters)
            best = exact(vectors[places[0]], places[0]).search(query, depth)
            assert found.rows.tolist() == best.rows.tolist()
        assert index.with_effort(effort).facts(depth)["ef_search"] == ef


def test_a_list_of_candidates_grows_by_the_rows_that_are_excluded():
    hnsw = catalogue.find(dense, "hnsw")
    index = hnsw(made(3000, 16), np.arange(3000), ef_search=10)
    for query in made(5, 16, seed=1):
        assert len(index.search(query, 200).rows) == 10
        assert len(index.search(query, 200, more=7).rows) == 17
        wider = index.with_effort(17).search(query, 200).rows
        assert (index.search(query, 200, more=7).rows == wider).all()


def test_one_graph_serves_every_effort():
    for name, few, many in [("hnsw", 4, 400), ("ivf", 1, 64)]:
        vectors, rows, queries = made(4000, 32), np.arange(4000), made(30, 32, seed=1)
        index, truth = catalogue.find(dense, name)(vectors, rows), exact(vectors, rows)
        low, high = (recall(index.with_effort(n), truth, queries, 10) for n in (few, many))
        assert low.mean < high.mean
        assert index.with_effort(few).save() == index.save()
        prints = {index.with_effort(n).fingerprint for n in (few, many)}
        assert len({*prints, index.fingerprint}) == 3


def test_a_given_effort_holds_in_small_collections_too():
    ivf, hnsw = catalogue.find(dense, "ivf"), catalogue.find(dense, "hnsw")
    vectors, rows, query = made(200, 8), np.arange(200), made(1, 8, seed=1)[0]
    assert len(ivf(vectors, rows, lists=5).search(query, 200).rows) == 200
    assert len(ivf(vectors, rows, lists=5, probes=1).search(query, 200).rows) < 200
    assert len(hnsw(vectors, rows).search(query, 200).rows) == 200
    assert len(hnsw(vectors, rows, ef_search=12).search(query, 200).rows) == 12
    assert ivf(vectors, rows, lists=5, probes=9).facts(200)["probes"] == 5  # all there are


def test_recall_by_hand():
    vectors, rows = np.eye(4, dtype=np.float32), np.arange(4)
    truth = exact(vectors, rows)
    half = exact(vectors[:2], rows[:2])
    queries = np.array([[4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 3, 2]], np.float32)
    measured = recall(half, truth, queries, 2)  # top 2: {0, 1}, {2, 3}, {0, 2}; half has 0 and 1
    assert (measured.mean, measured.worst) == (0.5, 0.0)
    with pytest.raises(InputError, match="no query returned a result"):
        recall(half, truth, np.empty((0, 4), np.float32), 2)


def test_a_vector_of_the_index_does_not_count_among_its_own_nearest():
    vectors, rows = np.eye(4, dtype=np.float32) + 0.1, np.arange(4)
    vectors[0, 1] = vectors[1, 0] = 0.9  # 0 and 1 lie near each other
    vectors[2, 3] = vectors[3, 2] = 0.9  # as do 2 and 3
    truth, half = exact(vectors, rows), exact(vectors[:3], rows[:3])
    assert recall(half, truth, vectors[:3], 1).mean == 1.0  # each finds itself
    measured = recall(half, truth, vectors[:3], 1, own=rows[:3])
    assert measured.mean == pytest.approx(2 / 3)  # 2 misses 3
    with pytest.raises(InputError, match="no query returned a result"):
        recall(truth, exact(vectors[:1], rows[:1]), vectors[:1], 1, own=rows[:1])


def test_int8_is_a_quarter_of_float32():
    vectors, rows = made(100, 384), np.arange(100)
    assert exact(vectors, rows).size_bytes == 38800
    assert exact(vectors, rows, precision="float32").size_bytes == 153600


@approximate
def test_many_threads_build_the_same(kind):
    import faiss

    vectors, rows = made(3000, 16), np.arange(3000)
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(8)
    try:
        assert kind(vectors, rows).save() == kind(vectors, rows).save()
        with one_thread(faiss):
            assert faiss.omp_get_max_threads() == 1
        assert faiss.omp_get_max_threads() == 8  # as it was
    finally:
        faiss.omp_set_num_threads(before)


@every
def test_searches_at_the_same_time_find_the_same(kind):
    index, queries = kind(made(3000, 16), np.arange(3000)), made(40, 16, seed=1)
    alone = [index.search(query, 10) for query in queries]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda query: index.search(query, 10), queries))
    for one, other in zip(alone, together, strict=True):
        assert one.rows.tolist() == other.rows.tolist()
        assert one.scores.tobytes() == other.scores.tobytes()


CHILD = """
import hashlib, numpy as np
from assay.engines.dense.exact import exact
vectors = np.random.default_rng(0).standard_normal((3000, 100)).astype(np.float32)
index = exact(vectors, np.arange(3000), precision="float32")
found = [index.search(vector, 50) for vector in vectors[:20]]
bits = b"".join(one.rows.tobytes() + one.scores.tobytes() for one in found)
print(hashlib.sha256(bits + repr(index.spread(vectors[0])).encode()).hexdigest())
"""


def test_exact_search_has_the_same_bits_in_one_thread_and_in_two():
    told = set()
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads}
        made_by = [sys.executable, "-c", CHILD]
        told.add(subprocess.run(made_by, env=environment, capture_output=True, check=True).stdout)
    assert len(told) == 1


def test_a_graph_needs_two_links():
    from assay.engines.dense.hnsw import hnsw

    with pytest.raises(
        InputError, match="m: invalid value 1"
    ) as caught:  # faiss itself ends the process
        hnsw(np.eye(4, dtype=np.float32), np.arange(4), m=1)
    assert ">= 2" in caught.value.hint


def test_recall_is_that_of_what_searches_ask_for():
    """An index that looks further the more it is asked for: at depth 4 it finds the right two."""

    class Nearsighted:
        def search(self, vector, depth):
            rows = [3, 2] if depth < 4 else [0, 1, 2, 3]
            return FoundRows(np.array(rows[:depth]), np.zeros(len(rows[:depth])), "cosine")

    class Truth:
        def search(self, vector, depth):
            return FoundRows(np.arange(4)[:depth], np.zeros(min(depth, 4)), "cosine")

    one = np.ones((1, 4), np.float32)
    assert recall(Nearsighted(), Truth(), one, 2).mean == 0
    assert recall(Nearsighted(), Truth(), one, 2, depth=4).mean == 1


@every
@precisions
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 1.0])
def test_a_search_among_rows_is_exact(kind, precision, share):
    vectors, numbers = made(4000, 24, clusters=8), np.arange(0, 8000, 2)
    index = kind(vectors, numbers, precision=precision)
    among = np.flatnonzero(np.random.default_rng(1).random(8000) < share)
    for query in made(5, 24, seed=3):
        truth = exact(vectors, numbers, precision=precision).search(query, 4000)
        kept = np.isin(truth.rows, among)

        found = index.search(query, 25, rows=among)

        assert found.rows.tolist() == truth.rows[kept][:25].tolist()
        assert found.scores.tolist() == truth.scores[kept][:25].tolist()
