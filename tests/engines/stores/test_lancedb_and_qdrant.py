"""What two stores have in common: they find what our own exact search finds, to the bit."""

from contextlib import closing

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.engines.dense.exact import exact
from assay.engines.stores.lancedb import lancedb
from assay.engines.stores.qdrant import qdrant
from assay.errors import InputError

pytestmark = pytest.mark.server

STORES = [lancedb, qdrant]
both = pytest.mark.parametrize("make", STORES)


def batches(texts, vectors=None, rows=None, size=97):
    rows = np.arange(len(texts)) if rows is None else np.asarray(rows)
    for start in range(0, len(texts), size):
        part = slice(start, start + size)
        yield rows[part], texts[part], None if vectors is None else vectors[part]


def filled(make, texts, vectors=None, rows=None, **settings):
    store = make(**settings)
    dimension = 0 if vectors is None else vectors.shape[1]
    store.fill(batches(texts, vectors, rows), dimension=dimension, total=len(texts))
    return closing(store)


def unit(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def mixed(count, dimension, seed):
    """Vectors with copies, with neighbours a hair apart, and some without a direction."""
    rng = np.random.default_rng(seed)
    vectors = unit(rng.standard_normal((count, dimension)))
    vectors[count // 5 : 2 * count // 5] = vectors[0]
    near = slice(2 * count // 5, 3 * count // 5)
    hair = rng.standard_normal(vectors[near].shape) * 1e-7
    vectors[near] = unit(vectors[count // 2] + hair)
    vectors[3 :: count // 7 + 1] = 0
    return vectors, unit(rng.standard_normal((4, dimension)))


@both
def test_three_directions_by_hand(make):
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)

    with filled(make, ["east", "north", "diagonal"], vectors, rows=[30, 10, 20]) as store:
        found = store.dense(np.array([0.0, 2.0], np.float32), 2)

        assert found.rows.tolist() == [10, 20]
        assert found.scores.tolist() == [1.0, pytest.approx(0.8)]
        assert (found.kind, found.best) == ("cosine", 1.0)
        assert store.lexical("Diagonal?", 5).rows.tolist() == [20]
        assert not store.approximate


@both
@pytest.mark.parametrize(("count", "dimension"), [(1, 3), (60, 1), (700, 24)])
def test_the_ranking_is_that_of_exact_search_to_the_bit(make, count, dimension):
    vectors, queries = mixed(count, dimension, seed=count)
    rows = np.random.default_rng(count).permutation(3 * count)[:count]
    some = np.flatnonzero(vectors.any(axis=1))
    truth = exact(vectors[some], rows[some], precision="float32")

    with filled(make, ["text"] * count, vectors, rows) as store:
        for query in (*queries, vectors[0] if vectors[0].any() else queries[0], vectors[-1]):
            for depth in (1, 10, count // 4, count + 50):
                wanted, found = truth.search(query, depth), store.dense(query, depth)
                assert found.rows.tolist() == wanted.rows.tolist()
                assert found.scores.tobytes() == wanted.scores.tobytes()


@both
def test_nothing_to_search(make):
    with filled(make, [], np.empty((0, 4), np.float32)) as store:
        assert len(store.dense(np.ones(4, np.float32), 5).rows) == 0
        assert len(store.lexical("word", 5).rows) == 0


@both
def test_a_query_without_direction_or_depth_finds_nothing(make):
    with filled(make, ["one", "two"], np.eye(2, dtype=np.float32)) as store:
        assert len(store.dense(np.zeros(2, np.float32), 5).rows) == 0
        assert len(store.dense(np.ones(2, np.float32), 0).rows) == 0
        assert len(store.lexical("one", 0).rows) == 0


@both
def test_a_wrong_query_is_refused(make):
    with filled(make, ["one", "two"], np.eye(2, dtype=np.float32)) as store:
        with pytest.raises(InputError, match=r"3 dimensions.* 2\b"):
            store.dense(np.ones(3, np.float32), 5)
        with pytest.raises(InputError, match="NaN or infinite"):
            store.dense(np.array([np.nan, 1], np.float32), 5)


@both
def test_vectors_without_direction_are_still_found_by_words(make):
    vectors = np.array([[0, 0], [1, 0]], np.float32)

    with filled(make, ["alpha", "beta"], vectors) as store:
        assert store.dense(np.ones(2, np.float32), 5).rows.tolist() == [1]
        assert store.lexical("alpha", 5).rows.tolist() == [0]


@both
def test_words_alone(make):
    with filled(make, ["alpha", "beta gamma"]) as store:
        assert store.lexical("gamma", 5).rows.tolist() == [1]
        with pytest.raises(InputError, match="no vectors"):
            store.dense(np.ones(2, np.float32), 5)


@both
def test_vectors_alone(make):
    with filled(make, ["alpha", "beta"], np.eye(2, dtype=np.float32), words=False) as store:
        assert store.dense(np.array([1, 0], np.float32), 1).rows.tolist() == [0]
        with pytest.raises(InputError, match="words: false"):
            store.lexical("alpha", 5)


@both
def test_some_batches_have_vectors_and_some_have_none(make):
    chunks = [
        (np.array([0]), ["alpha"], np.array([[1, 0]], np.float32)),
        (np.array([1]), ["beta"], None),
        (np.array([], np.int64), [], np.empty((0, 2), np.float32)),
        (np.array([2]), ["gamma"], np.array([[0, 1]], np.float32)),
    ]
    with closing(make()) as store:
        store.fill(chunks, dimension=2, total=3)

        assert store.dense(np.array([1, 0], np.float32), 5).rows.tolist() == [0, 2]
        assert store.lexical("beta", 5).rows.tolist() == [1]


@both
def test_a_rarer_word_and_a_shorter_text_count_more(make):
    texts = ["common rare", "common thing", "common common filler filler filler filler", "apart"]

    with filled(make, texts) as store:
        found = store.lexical("common rare", 5)

        assert found.rows.tolist()[0] == 0
        assert set(found.rows.tolist()) == {0, 1, 2}
        assert (np.diff(found.scores) <= 0).all()
        assert (found.scores > 0).all()
        assert found.kind == "bm25"


@both
def test_equal_texts_come_by_row_however_many_there_are(make):
    rows = np.random.default_rng(0).permutation(300)

    with filled(make, ["same words"] * 300, rows=rows) as store:
        assert store.lexical("words", 4).rows.tolist() == [0, 1, 2, 3]
        assert store.lexical("words", 500).rows.tolist() == list(range(300))


STRANGE = [
    "",
    "\0",
    "a\0b nul",
    "line\r\nbreak\r\n",
    "naïve café",
    "naïve café",
    "東京都 検索",
    "\ud800 half",
    "😀" * 1000,
    '"quoted" AND (NOT x) OR y* ~2 text:z +a -b ^3 {} [] /re/ \\',
    "'; DROP TABLE chunks; --",
    "word " * 50_000,
    "x" * 300_000,
]


@pytest.fixture(scope="module", params=STORES, ids=lambda make: make.__name__)
def strange(request):
    vectors = unit(np.random.default_rng(1).standard_normal((len(STRANGE), 6)))
    with filled(request.param, STRANGE, vectors) as store:
        yield store


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_any_text_is_kept_and_is_a_safe_query(strange, text):
    found = strange.lexical(text, 20)

    assert len(set(found.rows.tolist())) == len(found.rows)
    assert (np.diff(found.scores) <= 0).all()
    assert strange.dense(np.ones(6, np.float32), 50).rows.shape == (len(STRANGE),)


def test_strange_words_are_found(strange):
    for word, row in [("nul", 2), ("break", 3), ("half", 7), ("quoted", 9), ("DROP", 10)]:
        assert row in strange.lexical(word, 20).rows.tolist()


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(text=st.text(st.characters(), max_size=60), depth=st.integers(0, 30))
def test_whatever_is_asked_comes_back_in_order(strange, text, depth):
    found = strange.lexical(text, depth)

    assert len(found.rows) <= depth
    order = np.lexsort((found.rows, -found.scores))
    assert order.tolist() == list(range(len(order)))


@both
def test_filling_again_replaces(make):
    with filled(make, ["alpha"], np.array([[1, 0]], np.float32)) as store:
        store.fill(batches(["beta"], np.eye(3, dtype=np.float32)[:1], [7]), dimension=3, total=1)

        assert store.lexical("alpha", 5).rows.tolist() == []
        assert store.dense(np.ones(3, np.float32), 5).rows.tolist() == [7]


@both
def test_a_store_that_is_not_filled_says_so(make):
    with closing(make()) as store:
        with pytest.raises(InputError, match="fill it first"):
            store.dense(np.ones(2, np.float32), 5)
        with pytest.raises(InputError, match="fill it first"):
            store.lexical("word", 5)


@both
def test_a_closed_store_is_empty_and_may_be_closed_again(make):
    with filled(make, ["alpha"], np.ones((1, 1), np.float32)) as store:
        assert store.size_bytes() > 0
        store.close()

        assert store.size_bytes() == 0
        with pytest.raises(InputError, match="fill it first"):
            store.lexical("alpha", 5)


@both
def test_what_goes_wrong_while_filling_comes_out_as_it_is_and_leaves_nothing(make, tmp_path):
    def broken():
        yield np.array([0]), ["alpha"], np.ones((1, 2), np.float32)
        raise KeyError("the model broke")

    with closing(make(folder=tmp_path / "store")) as store:
        with pytest.raises(KeyError, match="the model broke"):
            store.fill(broken(), dimension=2, total=2)

        assert list(tmp_path.iterdir()) == []
        assert store.size_bytes() == 0
        with pytest.raises(InputError, match="fill it first"):
            store.lexical("alpha", 5)


@both
def test_more_chunks_need_more_bytes(make):
    vectors = unit(np.random.default_rng(0).standard_normal((400, 16)))
    sizes = []
    for count in (100, 400):
        with filled(make, ["some words"] * count, vectors[:count]) as store:
            sizes.append(store.size_bytes())

    assert 100 * 16 * 4 < sizes[0] < sizes[1]
    assert sizes[1] > 400 * 16 * 4


@both
def test_two_stores_at_once_do_not_meet(make, tmp_path):
    one = filled(make, ["alpha"], np.ones((1, 1), np.float32), folder=tmp_path)
    with one as first:
        with filled(make, ["beta"], np.ones((1, 1), np.float32), [5], folder=tmp_path) as second:
            assert second.lexical("beta", 5).rows.tolist() == [5]
            assert first.lexical("beta", 5).rows.tolist() == []
        assert first.dense(np.ones(1, np.float32), 5).rows.tolist() == [0]


@both
def test_the_fingerprint_is_that_of_the_settings(make):
    assert make().fingerprint == make().fingerprint
    assert make(words=False).fingerprint != make().fingerprint


def test_different_stores_have_different_fingerprints():
    assert lancedb().fingerprint != qdrant().fingerprint
