"""PostgreSQL finds what an exact search finds, by vectors and by words, and leaves nothing."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.engines.dense.exact import exact
from assay.engines.stores import _postgres_search
from assay.engines.stores.pgvector import pgvector
from assay.errors import InputError

pytestmark = pytest.mark.server

SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'assay%'"
NASTY = [
    "'; DROP TABLE chunks; --",
    "a' | 'b",
    "\\' OR 1=1 --",
    "foo & | ! ( ) <-> :* bar",
    "%s %(vector)s {} {0} $1 $$",
    "'",
    "\\",
    "''''\\\\''",
    "cat:ABC* 'dog':*",
    '"quoted',
    "\x00NUL\x00",
    "half \ud800 a character",
    "\ufffe\uffff \U0010ffff",
    "E'\\x41' U&'\\0041'",
    "line\r\nline\rline",
    " \t\n",
    "",
    "the and of",
    "😀 héllo 日本語 नमस्ते",
    "http://site.com/it's'here\\there",  # its path is one word, with the quotes
    "a-b-c/d.e@f.com http://x.y/z?q='1'",
    "x" * 100_000,
]

WORDS = ["red", "green", "blue", "über", "日本", "x1"]


def filled(store, texts, vectors=None, rows=None):
    dimension = 0 if vectors is None else vectors.shape[1]
    rows = np.arange(len(texts)) if rows is None else np.asarray(rows)
    store.fill([(rows, texts, vectors)], dimension=dimension, total=len(texts))
    return store


def units(count, dimension, seed=0):
    vectors = np.random.default_rng(seed).standard_normal((count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def same(found, truth):
    assert found.rows.tolist() == truth.rows.tolist()
    assert found.scores.tolist() == truth.scores.tolist()  # to the bit
    assert (found.kind, found.best) == (truth.kind, truth.best)


def test_by_hand(open_store):
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    texts = ["cats and dogs", "a dog barks", "the birds sing"]
    store = filled(open_store(), texts, vectors, rows=[10, 20, 30])
    found = store.dense(np.array([0.0, 1.0], dtype=np.float32), 2)
    assert found.rows.tolist() == [30, 20]
    assert found.scores.tolist() == pytest.approx([1.0, 0.8])
    assert (found.kind, found.best) == ("cosine", 1.0)
    assert sorted(store.lexical("Dogs!", 5).rows) == [10, 20]  # dog, by its stem
    assert store.lexical("bird cat", 5).kind == "ts_rank"
    assert sorted(store.lexical("bird cat", 5).rows) == [10, 30]  # any of the words
    assert store.lexical("the", 5).rows.tolist() == []
    assert store.size_bytes() > 0
    assert not store.approximate


@pytest.mark.parametrize(("count", "dimension"), [(1, 1), (7, 3), (300, 16), (1500, 384)])
def test_the_same_ranking_as_an_exact_search(open_store, count, dimension):
    vectors = units(count, dimension)
    rows = np.random.default_rng(1).permutation(3 * count)[:count]
    store = filled(open_store(), ["text"] * count, vectors, rows)
    truth = exact(vectors, rows, precision="float32")
    for query in units(5, dimension, seed=2):
        for depth in (1, 10, count, count + 5, 1 << 62):
            same(store.dense(query, depth), truth.search(query, depth))


@given(
    st.lists(
        st.tuples(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0, 2.0])),
        min_size=1,
        max_size=60,
    ),
    st.integers(0, 3),
    st.integers(1, 40),
    st.integers(0, 1000),
)
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_nearly_equal_vectors_come_in_the_exact_order(open_store, places, steps, depth, seed):
    draw = np.random.default_rng(seed)
    vectors = np.array(places, dtype=np.float64) @ draw.standard_normal((2, 40))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    for _ in range(draw.integers(0, steps + 1)):  # the next number that float32 can hold
        some = draw.random(vectors.shape) < 0.2
        vectors = np.where(some & (vectors != 0), np.nextafter(vectors, np.float32(1)), vectors)
    store = filled(open_store(), ["text"] * len(vectors), vectors)
    known = np.flatnonzero(np.any(vectors != 0, axis=1))  # the others have no direction
    truth = exact(vectors[known], known, precision="float32")
    for query in (vectors[0], draw.standard_normal(40).astype(np.float32)):
        if np.any(query):
            same(store.dense(query, depth), truth.search(query, depth))
    assert sum("without a vector" in note for note in store.notes) == (len(known) < len(vectors))
    store.close()


def test_more_equal_vectors_than_are_asked_for(open_store):
    vectors = np.repeat(units(4, 8), 200, axis=0)
    rows = np.random.default_rng(3).permutation(800)
    store = filled(open_store(), ["text"] * 800, vectors, rows)
    truth = exact(vectors, rows, precision="float32")
    for depth in (1, 10, 250):
        same(store.dense(vectors[300], depth), truth.search(vectors[300], depth))


def test_vectors_whose_length_is_a_little_off(open_store):
    lengths = np.random.default_rng(4).uniform(0.9991, 1.0009, (400, 1))
    vectors = (units(1, 8) + 1e-2 * units(400, 8)) * lengths
    vectors = vectors.astype(np.float32)
    store = filled(open_store(), ["text"] * 400, vectors)
    same(
        store.dense(vectors[0], 5),
        exact(vectors, np.arange(400), precision="float32").search(vectors[0], 5),
    )


def test_how_much_hnsw_misses(open_store):
    draw = np.random.default_rng(5)
    centres = draw.standard_normal((40, 32))
    vectors = centres[draw.integers(0, 40, 2000)] + 0.5 * draw.standard_normal((2000, 32))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    queries = vectors[:40] + (0.05 * draw.standard_normal((40, 32))).astype(np.float32)
    truth = exact(vectors, np.arange(2000), precision="float32")

    def recall(store):
        shares = []
        for query in queries:
            found = store.dense(query, 10)
            assert found.scores.tolist() == truth.scores(query, found.rows).tolist()
            shares.append(np.isin(truth.search(query, 10).rows, found.rows).mean())
        return float(np.mean(shares))

    poor = open_store(index="hnsw", m=2, ef_construction=4, ef_search=1)
    few = recall(filled(poor, ["text"] * 2000, vectors))
    poor._settings = replace(poor._settings, ef_search=400)  # on the same graph
    assert few < recall(poor)
    good = open_store(index="hnsw", ef_search=100)
    assert good.approximate
    assert recall(filled(good, ["text"] * 2000, vectors)) > 0.9


@pytest.mark.parametrize(("count", "depth"), [(5, 5), (2000, 1900)])
def test_hnsw_is_asked_even_where_a_scan_would_be_cheaper(open_store, count, depth):
    vectors = units(count, 8)
    store = filled(open_store(index="hnsw"), ["text"] * count, vectors)
    store.dense(vectors[0], depth)
    connection = store._session._opened.connection
    values = {"vector": vectors[0], "asked": depth}
    statement = _postgres_search._of(f"EXPLAIN {_postgres_search.NEAREST}", store._schema)
    plan = "\n".join(line for (line,) in connection.execute(statement, values))
    assert "Scan using embeddings" in plan


def test_hnsw_goes_on_above_its_limit(open_store):
    vectors = units(1500, 8)
    store = filled(open_store(index="hnsw", ef_search=100), ["text"] * 1500, vectors)
    for depth in (1400, 10, 1500):
        found = store.dense(vectors[0], depth)
        assert len(found.rows) == len(set(found.rows.tolist()))
        assert len(found.rows) > 0.95 * depth
        assert np.all(np.diff(found.scores) <= 0)
        (walk,) = store._session._opened.connection.execute("SHOW hnsw.iterative_scan").fetchone()
        assert walk == ("strict_order" if depth > 1000 else "off")


def test_words_in_order_with_ties_by_row(open_store):
    texts = ["dog hen bird", "dog cat", "cat dog bird", "fish", "dog hen bird"]
    store = filled(open_store(), texts, rows=[5, 4, 3, 2, 1])
    found = store.lexical("cat dog", 10)
    assert found.rows.tolist() == [4, 3, 1, 5]  # the shorter of two that hold both
    assert np.all(np.diff(found.scores) <= 0)
    assert store.lexical("cat dog", 2).rows.tolist() == [4, 3]
    assert store.lexical("dog", 0).rows.tolist() == []
    assert len(store.lexical("dog", 1 << 70).rows) == 4


def test_texts_are_never_code(open_store, ask):
    store = filled(open_store(), NASTY, units(len(NASTY), 4))
    for text in NASTY:
        found = store.lexical(text, 50)
        assert len(set(found.rows.tolist())) == len(found.rows)
    assert len(store.dense(units(1, 4)[0], 100).rows) == len(NASTY)
    for text in ("foo bar", "cat", "dog", "quoted", "NUL", "half", "héllo", "日本語"):
        (own,) = [row for row, nasty in enumerate(NASTY) if text.split()[0] in nasty][:1]
        assert own in store.lexical(text, 50).rows
    assert store.lexical("http://site.com/it's'here", 1).rows.tolist() == [19]
    for text in ("", " \t\n", "the and of", "\x00", "& | !", "x" * 100_000, "'", "\\"):
        assert store.lexical(text, 50).rows.tolist() == []


@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=12),
    st.lists(st.sampled_from([*WORDS, "never", "'quoted'", "&|!"]), max_size=5),
    st.integers(1, 15),
)
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whoever_holds_a_word_is_found(open_store, documents, query, depth):
    store = filled(open_store(language="simple"), [" ".join(words) for words in documents])
    holding = [row for row, words in enumerate(documents) if set(words) & set(query)]
    everybody = store.lexical(" ".join(query), 100)
    assert sorted(everybody.rows.tolist()) == holding
    order = np.lexsort((everybody.rows, -everybody.scores))
    assert order.tolist() == list(range(len(holding)))
    some = store.lexical(" ".join(query), depth)
    assert some.rows.tolist() == everybody.rows.tolist()[:depth]
    store.close()


@given(st.text(st.characters(), max_size=60))
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_text_is_a_safe_query(shared_words, text):
    found = shared_words.lexical(text, 5)
    assert np.all(np.diff(found.scores) <= 0)
    assert np.all(found.scores > 0)


@pytest.fixture
def shared_words(open_store):
    return filled(open_store(), ["one two three", *NASTY])


def test_a_text_finds_itself_whatever_its_length(open_store):
    many = " ".join(f"word{number}" for number in range(200_000))  # above what a tsvector holds
    letters = "".join(map(chr, range(0x4E00, 0x9F00)))
    store = filled(open_store(), ["short word1", many, " ".join(letters), "a.com/b " * 300_000])
    assert sorted(store.lexical("word1 nothing", 5).rows) == [0, 1]
    assert store.lexical(letters[-1], 5).rows.tolist() == [2]
    assert store.lexical(many, 5).rows[0] == 1
    assert any("too long" in note for note in store.notes)


def test_an_empty_corpus(open_store):
    store = open_store()
    store.fill([], dimension=4, total=0)
    assert store.dense(units(1, 4)[0], 5).rows.tolist() == []
    assert store.lexical("word", 5).rows.tolist() == []
    for index in ("exact", "hnsw"):
        zeros = filled(open_store(index=index), ["a"], np.zeros((1, 4), np.float32))
        assert zeros.dense(units(1, 4)[0], 5).rows.tolist() == []


def test_a_query_without_direction_finds_nothing(open_store):
    store = filled(open_store(), ["a"], units(1, 4))
    assert store.dense(np.zeros(4, np.float32), 5).rows.tolist() == []
    with pytest.raises(InputError, match=r"5 dimensions.* 4\b"):
        store.dense(np.zeros(5, np.float32), 5)


def test_words_only(open_store):
    store = filled(open_store(index="hnsw"), ["word"])
    assert store.lexical("word", 5).rows.tolist() == [0]
    with pytest.raises(InputError, match="no vectors"):
        store.dense(units(1, 4)[0], 5)


COLUMNS = """SELECT column_name FROM information_schema.columns
             WHERE table_schema = %s AND table_name = 'chunks' ORDER BY column_name"""
INDEXES = "SELECT indexname FROM pg_indexes WHERE schemaname = %s ORDER BY indexname"


@pytest.mark.parametrize(
    ("words", "vectors", "columns", "indexes"),
    [
        (True, True, ["chunk", "embedding", "words"], ["chunks_pkey", "embeddings", "words"]),
        (False, True, ["chunk", "embedding"], ["chunks_pkey", "embeddings"]),
        (True, False, ["chunk", "words"], ["chunks_pkey", "words"]),
    ],
)
def test_only_what_is_searched_is_kept(open_store, ask, words, vectors, columns, indexes):
    store = open_store(index="hnsw", words=words)
    found = units(20, 8) if vectors else None
    texts = [f"word{at} and more" for at in range(20)]
    store.fill([(np.arange(20), texts, found)], dimension=8 if vectors else 0, total=20)
    assert [name for (name,) in ask(COLUMNS, store._schema)] == columns
    assert [name for (name,) in ask(INDEXES, store._schema)] == indexes
    assert ("ts_rank" in store.notes[0], "hnsw" in store.notes[0]) == (words, vectors)
    if vectors:
        assert store.dense(found[3], 1).rows.tolist() == [3]
    if words:
        assert store.lexical("word7", 5).rows.tolist() == [7]
    else:
        with pytest.raises(InputError, match="words: false"):
            store.lexical("word7", 5)


def test_batches_and_their_progress(open_store):
    vectors, seen = units(2500, 4), []

    def track(items, doing, *, total=None, unit=""):
        seen.append((doing, total, unit))
        yield from items

    store = open_store()
    batches = [
        (np.arange(start, start + 500), ["text"] * 500, vectors[start : start + 500])
        for start in range(0, 2500, 500)
    ]
    store.fill(iter(batches), dimension=4, total=2500, track=track)
    assert seen == [("filling PostgreSQL", 2500, "chunks")]
    assert len(store.dense(vectors[0], 5000).rows) == 2500


def test_two_stores_at_once_and_nothing_stays(postgres, ask):
    before = ask(SCHEMAS)
    first, second = pgvector(url=postgres), pgvector(url=postgres, index="hnsw")
    filled(first, ["one"], units(1, 4))
    filled(second, ["two"], units(1, 8))
    assert len(ask(SCHEMAS)) == len(before) + 2
    first.close()
    assert second.lexical("two", 5).rows.tolist() == [0]
    assert len(ask(SCHEMAS)) == len(before) + 1
    filled(second, ["three"], units(1, 8))  # filled anew: what was there is gone
    assert second.lexical("two", 5).rows.tolist() == []
    assert len(ask(SCHEMAS)) == len(before) + 1
    second.close()
    second.close()
    assert ask(SCHEMAS) == before
    with pytest.raises(InputError, match="empty"):
        second.lexical("two", 5)


def test_threads_wait_for_each_other(open_store):
    vectors = units(200, 8)
    store = filled(open_store(), [f"word{row}" for row in range(200)], vectors)
    wrong = []

    def ask_some(own):
        for row in range(own, 200, 4):
            if store.dense(vectors[row], 1).rows[0] != row:
                wrong.append(row)
            if store.lexical(f"word{row}", 1).rows.tolist() != [row]:
                wrong.append(row)

    threads = [threading.Thread(target=ask_some, args=(own,)) for own in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert wrong == []


def test_who_it_is(open_store):
    store = open_store()
    assert store.fingerprint == open_store().fingerprint
    others = [
        open_store(index="hnsw"),
        open_store(index="hnsw", ef_search=100),
        open_store(index="hnsw", m=8),
        open_store(language="german"),
    ]
    assert len({store.fingerprint, *(other.fingerprint for other in others)}) == 5
    (note,) = others[1].notes
    assert note.startswith("PostgreSQL 18")
    assert all(one in note for one in ("m 16", "ef_construction 64", "ef_search 100"))


def test_a_server_of_its_own(tmp_path):
    store = filled(pgvector(folder=tmp_path / "new" / "folder"), ["word"], units(1, 4))
    home = store._server._server.pgdata
    try:
        assert store.lexical("word", 5).rows.tolist() == [0]
        assert home.exists()
    finally:
        store.close()
    assert not home.exists()
