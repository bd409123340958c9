import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.benchmarks.queries._kmeans import _silhouette, partition
from assay.benchmarks.queries.clusters import cluster_queries
from assay.benchmarks.queries.terms import distinguishing, terms_of, weigh_terms

ASYNC = [f"await an async task number{at}" for at in range(12)]
FOLDERS = [f"copy a folder with files sort{at}" for at in range(10)]
TEXTS = {f"q{at}": text for at, text in enumerate([*ASYNC, *FOLDERS])}


def test_queries_about_the_same_are_in_one_cluster_named_by_their_words():
    found = cluster_queries(TEXTS, vectors={})
    assert {found[f"q{at}"] for at in range(12)} == {"async, await, task"}
    assert {found[f"q{at}"] for at in range(12, 22)} == {"copy, files, folder"}


def test_vectors_part_queries_that_words_do_not():
    generator = np.random.default_rng(7)
    middle = np.repeat(np.eye(2, 16) * 5, 11, axis=0)
    rows = (middle + generator.normal(size=(22, 16)) / 10).astype(np.float32)
    vectors = dict(zip(TEXTS, rows, strict=True))
    found = cluster_queries(TEXTS, vectors=vectors)
    assert len({found[f"q{at}"] for at in range(11)}) == 1
    assert found["q11"] == found["q21"] != found["q10"]
    lacking = {key: one for key, one in vectors.items() if key != "q3"}
    assert cluster_queries(TEXTS, vectors=lacking) == cluster_queries(TEXTS, vectors={})


def test_the_same_seed_finds_the_same():
    assert cluster_queries(TEXTS, vectors={}, seed=5) == cluster_queries(TEXTS, vectors={}, seed=5)


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"q": "await a task"},
        dict(list(TEXTS.items())[:19]),
        {f"q{at}": "the same question" for at in range(30)},
        {f"q{at}": f"word{at}" for at in range(30)},
        {f"q{at}": "" for at in range(30)},
    ],
    ids=["none", "one", "few", "equal", "unlike", "empty"],
)
def test_there_are_no_clusters_where_nothing_parts(texts):
    assert cluster_queries(texts, vectors={}) == {}


def test_equal_vectors_do_not_part():
    vectors = dict.fromkeys(TEXTS, np.ones(4, np.float32))
    assert cluster_queries(TEXTS, vectors=vectors) == {}
    assert cluster_queries(TEXTS, vectors=dict.fromkeys(TEXTS, np.zeros(4, np.float32))) == {}


@pytest.mark.parametrize("seed", range(4))
def test_noise_has_no_clusters(seed):
    rows = np.random.default_rng(seed).normal(size=(60, 48))
    asked = {f"q{at}": f"word{at}" for at in range(60)}
    assert cluster_queries(asked, vectors=dict(zip(asked, rows, strict=True))) == {}


@pytest.mark.parametrize("count", [2, 4])
def test_clusters_in_noise_are_found(count):
    generator = np.random.default_rng(count)
    middles = generator.normal(size=(count, 48))
    asked = {f"q{at}": f"word{at}" for at in range(60)}
    vectors = {key: middles[at % count] + generator.normal(size=48) for at, key in enumerate(asked)}
    found = cluster_queries(asked, vectors=vectors)
    assert len({*found.values()}) == count
    assert len({found[f"q{at}"] for at in range(0, 60, count)}) == 1


@pytest.mark.long
def test_noise_passes_for_clusters_in_at_most_one_of_twenty():
    asked = {f"q{at}": f"word{at}" for at in range(60)}
    passed = 0
    for seed in range(60):
        rows = np.random.default_rng(seed).normal(size=(60, 20))
        passed += bool(cluster_queries(asked, vectors=dict(zip(asked, rows, strict=True))))
    assert passed <= 6  # 5 % of 60, and two standard errors


def test_a_query_that_shares_no_word_is_in_no_cluster():
    found = cluster_queries(TEXTS | {"odd": "zymurgy"}, vectors={})
    assert "odd" not in found
    assert len(found) == len(TEXTS)


def test_clusters_of_the_same_words_have_names_of_their_own():
    vectors = {f"q{at}": np.eye(3, 8, dtype=np.float32)[at % 3] for at in range(30)}
    for text in ("equal words", "equal words everywhere today"):
        found = cluster_queries(dict.fromkeys(vectors, text), vectors=vectors)
        assert len({*found.values()}) == 3
    found = cluster_queries(dict.fromkeys(vectors, ""), vectors=vectors)
    assert {*found.values()} == {"1", "2", "3"}


def test_terms_of_all_scripts_are_found_and_words_of_grammar_are_not():
    assert terms_of("How do I parse JSON, or json5?") == ["parse", "json", "json5"]
    assert terms_of("日本語の検索 fast") == ["日本", "本語", "語の", "の検", "検索", "fast"]
    assert terms_of("ＡＷＡＩＴ straße ÀÉ") == ["await", "strasse", "àé"]
    assert terms_of("3 x ? 本") == ["本本"]
    assert terms_of("") == []


def test_rare_terms_weigh_more_and_lonely_ones_nothing():
    rows = weigh_terms([["a", "b"], ["a", "b"], ["a", "lonely"], ["c", "c2"]])
    assert rows.shape == (4, 2)
    assert rows[0].tolist() == pytest.approx([np.log(4 / 3), np.log(2)])
    assert not rows[3].any()
    assert weigh_terms([]).shape == (0, 0)


def test_a_term_distinguishes_that_others_do_not_have():
    terms = [["task", "python"], ["task", "python", "once"], ["file", "python"], ["file", "python"]]
    inside = [True, True, False, False]
    assert distinguishing(terms, inside, 3) == ["task", "python", "once"]
    assert distinguishing(terms, [not one for one in inside], 1) == ["file"]
    assert distinguishing([[], []], [True, False], 3) == []


def test_a_word_with_another_ending_is_not_named_again():
    terms = [["layer", "layers", "set", "settle"], ["layers", "layer", "set", "settle"], ["other"]]
    assert distinguishing(terms, [True, True, False], 3) == ["layer", "set", "settle"]


def test_a_silhouette_is_that_of_the_definition():
    # Of rows 0, 1 | 4, 5 on a line: own part 1 away, the other 4.5 and 3.5, 3.5 and 4.5.
    at = np.array([0.0, 1.0, 4.0, 5.0])
    apart = np.abs(at[:, None] - at)
    expected = np.mean([3.5 / 4.5, 2.5 / 3.5, 2.5 / 3.5, 3.5 / 4.5])
    assert _silhouette(apart, np.array([0, 0, 1, 1])) == pytest.approx(expected)
    assert _silhouette(apart, np.array([0, 0, 0, 0])) == 0


def test_a_partition_numbers_its_largest_part_first_and_has_none_of_few():
    rows = np.repeat([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]], [6, 9, 4], axis=0)
    found = partition(rows, seed=0)
    assert found is not None
    parts, width = found
    assert np.bincount(parts).min() >= 5
    assert parts[6] == 0
    assert 0 < width <= 1
    assert partition(rows[:6], seed=0) is None


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(max_size=12), min_size=20, max_size=40), st.integers(0, 3), st.booleans())
def test_any_texts_are_named_the_same_twice(texts, seed, with_vectors):
    asked = {f"q{at}": text for at, text in enumerate(texts)}
    rows = np.random.default_rng(seed).normal(size=(len(texts), 6)).astype(np.float32)
    vectors = dict(zip(asked, rows, strict=True)) if with_vectors else {}
    found = cluster_queries(asked, vectors=vectors, seed=seed)
    assert set(found) <= set(asked)
    assert all(found.values())
    assert cluster_queries(asked, vectors=vectors, seed=seed) == found
