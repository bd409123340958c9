"""What every index of words promises; a new one is covered by being there."""

import math
import os
import random
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.engines import lexical
from assay.errors import InputError
from assay.records import Chunk

ENGINES = catalogue.files(lexical)
WORDS = ["alpha", "beta", "gamma", "delta", "retry_count", "parseHTTP", "検索", "café"]
OPERATORS = [
    "AND", "NOT", "OR NOT", "a AND", "alpha*", "body:alpha", "alpha NEAR beta", 'alpha "beta',
    "((", "alpha^2", "alpha~", "-alpha", "+alpha", "\\", "'", "alpha'--", "{body} : alpha",
    "alpha\x00beta", "🙂 alpha", "\ud800alpha", "*", "alpha; DROP TABLE chunks", "row:1",
    "[alpha TO beta]", "%", "\r\n",
]  # fmt: skip


def chunk(text, **given):
    return Chunk(given.pop("document", "d"), 0, len(text), (1, 1), text, **given)


def opened(engine, folder, **settings):
    return catalogue.find(lexical, engine)(folder, **settings)


def build(engine, folder, texts, **settings):
    index = opened(engine, folder, **settings)
    chunks = [text if isinstance(text, Chunk) else chunk(text) for text in texts]
    index.add(range(len(chunks)), chunks)
    index.commit()
    return index


def mixture(count, seed=0):
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(1, 12))) for _ in range(count)]


def rows(found):
    return found.rows.tolist()


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture(scope="module", params=ENGINES)
def many(request, tmp_path_factory):
    index = build(request.param, tmp_path_factory.mktemp("many"), mixture(300))
    yield index
    index.close()


def test_there_are_three():
    assert {"fts5", "postings", "tantivy"} <= set(ENGINES)


def test_what_has_more_of_the_words_comes_first(engine, tmp_path):
    index = build(engine, tmp_path, ["alpha alpha", "alpha beta", "gamma", "beta beta", "delta"])

    found = index.search("alpha beta", 10)

    assert rows(found)[0] == 1
    assert set(rows(found)) == {0, 1, 3}
    assert found.kind == "bm25"
    assert found.rows.dtype == np.int64
    assert found.scores.dtype == np.float64
    assert index.documents == 5
    assert index.deleted == 0
    assert index.size_bytes > 0


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("http", [0]),
        ("parse_http", [0]),
        ("ParseHttp", [0]),
        ("leastrecentlyused", [6]),
        ("LeastRecentlyUsed", [6]),
        ("Retries", [1]),
        ("retry-count", [1]),
        ("CAFÉ", [2]),
        ("cafe", []),
        ("検索", [3]),
        ("索", [3]),
        ("JSONDecoder::decode", [4]),
        ("decoder.py", [4]),
        ("Manual", [5]),
    ],
)
def test_names_are_found_in_all_their_writings(engine, tmp_path, query, expected):
    index = build(
        engine,
        tmp_path,
        [
            "def parseHTTP(): ...",
            "retry_count = 3",
            "un café",
            "全文検索エンジン",
            chunk("x", path="json/decoder.py", symbols=("JSONDecoder.decode",)),
            chunk("x", title="The manual"),
            "class LeastRecentlyUsed: ...",
        ],
    )
    assert rows(index.search(query, 10))[:1] == expected


@pytest.mark.parametrize("text", OPERATORS)
def test_operators_are_text(many, text):
    found = many.search(text, 5)
    assert len(found.rows) <= 5
    if "alpha" in text:
        assert set(many.search("alpha", 400).rows) <= set(many.search(text, 400).rows)
    many.scores(text, [0, 1])
    many.explain(text, 0)
    many.rank_of(text, 0)
    many.coverage(text, [0, 1])


@pytest.mark.parametrize("text", ["", " ", "\n", "...", "unheardof", "🙂"])
def test_a_query_without_known_words_finds_nothing(many, text):
    found = many.search(text, 5)
    assert (rows(found), found.scores.tolist(), found.best) == ([], [], 0.0)
    assert many.scores(text, [3, 4]).tolist() == [0, 0]
    assert many.explain(text, 3) == []
    assert many.rank_of(text, 3) is None


def test_an_empty_index_finds_nothing(engine, tmp_path):
    index = opened(engine, tmp_path)
    assert rows(index.search("alpha", 5)) == []
    assert index.documents == 0
    index.add([], [])
    index.remove([])
    index.commit()
    assert rows(index.search("alpha", 5)) == []


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.one_of(st.text(), st.lists(st.sampled_from(WORDS + OPERATORS)).map(" ".join)),
    st.integers(-1, 400),
)
def test_any_text_is_a_query(many, text, depth):
    found = many.search(text, depth)

    assert len(found.rows) == len(found.scores) <= max(0, depth)
    assert len(set(rows(found))) == len(found.rows)
    assert set(rows(found)) <= set(range(300))
    order = list(zip((-found.scores).tolist(), rows(found), strict=True))
    assert order == sorted(order)
    assert (found.scores > 0).all()
    assert (found.scores <= found.best * (1 + 1e-6)).all()
    assert rows(found) == rows(many.search(text, 400))[: max(0, depth)]


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join), st.integers(0, 299))
def test_scores_explanations_and_ranks_agree_with_the_search(many, text, row):
    found = many.search(text, 400)
    of_row = dict(zip(rows(found), found.scores.tolist(), strict=True))

    assert many.scores(text, [row, 5])[0] == pytest.approx(of_row.get(row, 0.0), rel=1e-5)
    gains = many.explain(text, row)
    assert sum(gain["score"] for gain in gains) == pytest.approx(of_row.get(row, 0.0), rel=1e-4)
    assert {gain["field"] for gain in gains} <= {"body"}
    place = rows(found).index(row) + 1 if row in of_row else None
    assert many.rank_of(text, row) == place


CODE = "def alpha(beta):\n    return {}(gamma[delta])"


def test_code_has_weights_of_its_own(engine, tmp_path):
    named = chunk("delta delta", symbols=("alpha",))
    build(engine, tmp_path, ["alpha delta", named, *["gamma"] * 10]).close()

    index = opened(engine, tmp_path, fields={"names": 0}, code_fields={"body": 0, "names": 2})

    assert rows(index.search("alpha", 9)) == [0]
    assert rows(index.search("alpha(\n)()", 9)) == [1]
    assert index.scores("alpha(\n)()", [0, 1]).tolist()[0] == 0
    assert index.coverage("alpha", [0, 1]).tolist() == [1, 0]
    assert index.coverage("alpha(\n)()", [0, 1]).tolist() == [0, 1]
    usual = opened(engine, tmp_path)
    others = [{"code_fields": {"body": 2}}, {"code_terms": 31}, {"fields": {"body": 2}}]
    prints = {opened(engine, tmp_path, **other).fingerprint for other in others}
    assert len(prints | {usual.fingerprint}) == 4


def test_in_code_a_word_counts_once(engine, tmp_path):
    index = build(engine, tmp_path, ["alpha", "beta", *["gamma"] * 10])

    assert rows(index.search("alpha beta beta", 2)) == [1, 0]
    assert rows(index.search("alpha(\nbeta, beta) ==", 2)) == [0, 1]


def test_of_code_only_the_rarest_words_are_searched(engine, tmp_path):
    texts = ["common rare", *["common"] * 20, *["usual"] * 10, *["other"] * 20]
    index = build(engine, tmp_path, texts, code_terms=1, max_terms=9)

    assert rows(index.search("usual(common\nrare)()", 100)) == [0]
    assert len(index.search("usual common rare", 100).rows) == 31
    with pytest.raises(InputError, match="code_terms: invalid value 0"):
        opened(engine, tmp_path, code_terms=0)


def test_stop_words_find_nothing_unless_they_are_all(engine, tmp_path):
    index = build(engine, tmp_path, ["to be or not to be", "the retry of it", *["gamma"] * 10])

    assert rows(index.search("where is the retry to be", 9)) == [1]
    assert rows(index.search("To be, or not to be?", 9)) == [0]
    assert rows(index.search("is(\nretry, to)()", 9)) == [0, 1]  # in code they may be names


def test_words_are_stemmed_by_the_language(engine, tmp_path):
    texts = ["Die Häuser der Stadt", "ein Haus", "die das und", "house houses"]
    index = build(engine, tmp_path, texts, language="german")

    assert rows(index.search("des Hauses", 9)) == [1, 0]
    assert rows(index.search("was die Häuser und", 9)) == [1, 0]  # without German stop words
    assert rows(index.search("the house", 9)) == [3]
    assert rows(index.search("houses", 9)) == [3]  # as the German rules have it


def test_stop_words_of_the_user(engine, tmp_path):
    build(engine, tmp_path, ["to be or not", "retry it", *["gamma"] * 10]).close()

    assert rows(opened(engine, tmp_path, stop_words="none").search("to retry", 9)) == [1, 0]
    assert rows(opened(engine, tmp_path, stop_words=["Retry"]).search("to retry", 9)) == [0]
    assert rows(opened(engine, tmp_path, stop_words="german").search("to retry", 9)) == [1, 0]


EXPANDING = [
    name for name in ENGINES if "synonyms" in signature(catalogue.find(lexical, name)).parameters
]
RULES = ["car, automobile", "usa, united states", "laptop => notebook"]


@pytest.fixture(params=EXPANDING)
def expanding(request, tmp_path):
    texts = [
        *["car car", "automobile", "car automobile", "bicycle"],
        *["united states", "states of the united", "united nations", "usa"],
        *["laptop", "notebook", *["filler"] * 19, "car"],
    ]
    return build(request.param, tmp_path, texts, synonyms=RULES)


def test_fts5_alone_has_no_synonyms():
    assert {"postings", "tantivy"} <= {*EXPANDING}
    assert "fts5" not in EXPANDING


def test_synonyms_are_one_word(expanding):
    for query in ("car", "automobile", "the automobiles"):
        found = expanding.search(query, 9)
        assert rows(found)[0] == 0
        assert sorted(rows(found)) == [0, 1, 2, 29]
        score = dict(zip(rows(found), found.scores.tolist(), strict=True))
        assert score[2] < score[1] == score[29] < score[0]  # two words are one match
        assert (found.scores <= found.best * (1 + 1e-6)).all()


def test_synonyms_are_as_rare_as_the_most_frequent_of_them(expanding):
    one, other = (expanding.search(word, 9) for word in ("car", "automobile"))
    assert (rows(one), one.scores.tolist()) == (rows(other), other.scores.tolist())
    rare = math.log(1 + (30 - 3 + 0.5) / (3 + 0.5))  # three chunks have car, two automobile
    assert one.best == pytest.approx(rare * 2.2)


def test_a_synonym_of_several_words_needs_all_of_them(expanding):
    assert sorted(rows(expanding.search("usa", 9))) == [4, 5, 7]
    assert sorted(rows(expanding.search("United States", 9))) == [4, 5, 7]
    assert sorted(rows(expanding.search("states", 9))) == [4, 5]  # it alone has no synonym


def test_an_arrow_has_one_direction(expanding):
    assert rows(expanding.search("laptop", 9)) == [9]
    assert rows(expanding.search("notebook", 9)) == [9]


def test_what_is_told_of_synonyms_adds_up(expanding):
    for query in ("car bicycle", "usa", "united states laptop", "states car automobile"):
        found = expanding.search(query, 40)
        of_row = dict(zip(rows(found), found.scores.tolist(), strict=True))
        for row in range(12):
            gains = expanding.explain(query, row)
            score = of_row.get(row, 0.0)
            assert sum(gain["score"] for gain in gains) == pytest.approx(score, rel=1e-5)
            assert expanding.scores(query, [row])[0] == pytest.approx(score, rel=1e-5)
            assert (expanding.coverage(query, [row])[0] > 0) == (score > 0)


def test_a_synonym_is_held(expanding):
    texts = ["automobile", "united states", "united", "car usa"]
    assert expanding.holding("car")(texts).tolist() == [1, 0, 0, 1]
    assert expanding.holding("usa")(texts).tolist() == [0, 1, 0, 1]
    assert expanding.coverage("usa", [4, 5, 6, 7]).tolist() == [1, 1, 0, 1]


def test_code_is_searched_as_it_is(expanding):
    assert rows(expanding.search("car(\n)()", 9)) == [0, 29, 2]


def test_coverage_by_hand(engine, tmp_path):
    texts = ["apple pear", "apple", chunk("plum", path="pear.py"), chunk("x", title="pear")]
    index = build(engine, tmp_path, texts)

    half = math.log(1 + 2.5 / 2.5)  # of 4 bodies, 2 have the word: a title is in the body too
    never = math.log(1 + 4.5 / 0.5)
    whole = 2 * half + never
    assert index.coverage("the pear apple apple", [0, 1, 2, 3, 9, 0]).tolist() == pytest.approx(
        [1, 0.5, 0.5, 0.5, 0, 1], abs=1e-3
    )
    assert index.coverage("apple pear unheard", [0, 1]).tolist() == pytest.approx(
        [2 * half / whole, half / whole], abs=1e-3
    )
    assert index.coverage("unheard", [0]).tolist() == [0]
    assert index.coverage("", [0]).tolist() == [0]
    assert index.coverage("apple", []).tolist() == []


def test_texts_hold_what_chunks_with_them_hold(engine, tmp_path):
    texts = ["retries of a request", "tie", "parseHTTPHeader", "全文検索", "", "x"]
    index = build(engine, tmp_path, texts)
    for query in ("what happens with ties", "a request is retried", "parsehttpheader", "検索", ""):
        held = index.holding(query)(texts)
        assert held.tolist() == index.coverage(query, range(len(texts))).tolist()
    assert index.holding("検索 tie")(["検", "a\r\ntied", "索検"]).tolist() == pytest.approx(
        [0.25, 0.25, 0.5], abs=0.01
    )
    assert index.holding("tie")([]).tolist() == []


def test_what_stands_in_a_chunk_word_for_word_is_covered(engine, tmp_path):
    texts = [*mixture(30, seed=9), CODE.format("Client.send") * 3, " ".join(map(str, range(900)))]
    index = build(engine, tmp_path, texts, max_terms=20, code_terms=3)
    for row, text in enumerate(texts):
        assert index.coverage(text, [row]).tolist() == [1]


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.sampled_from([*WORDS, "the", "unheardof", "\n()"]), max_size=9).map(" ".join))
def test_coverage_is_a_share_and_grows_with_words(many, text):
    found = many.coverage(text, range(300))
    assert found.dtype == np.float64
    assert ((found >= 0) & (found <= 1)).all()
    assert ((found > 0) == (many.scores(text, range(300)) > 0)).all()
    assert (many.coverage(f"{text} unheard", range(300)) <= found).all()


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), st.integers(0, 299))
def test_explanations_of_code_add_up_too(many, text, row):
    code = CODE.format(text) + "\n" + " ".join(f"w{at}" for at in range(30)) + "()" * 9
    score = float(many.scores(code, [row])[0])
    assert sum(gain["score"] for gain in many.explain(code, row)) == pytest.approx(score, rel=1e-4)
    found = many.search(code, 400)
    assert found.scores[found.rows == row] == pytest.approx([score] if score else [], rel=1e-5)
    assert (found.scores <= found.best * (1 + 1e-6)).all()


def test_an_explanation_names_fields_and_terms(engine, tmp_path):
    found = chunk("retry later", path="net/retry.py", symbols=("retry",), title="Retries")
    index = build(engine, tmp_path, [found, *["other words"] * 9])

    gains = index.explain("retrying nothing", 0)

    assert {(gain["field"], gain["term"]) for gain in gains} == {
        (field, "retri") for field in ("body", "names", "path", "title")
    }
    assert [gain["score"] for gain in gains] == sorted((g["score"] for g in gains), reverse=True)
    assert sum(gain["score"] for gain in gains) == pytest.approx(
        index.search("retrying nothing", 1).scores[0], abs=1e-4
    )


def test_depth_and_rows_have_no_bounds(many):
    assert len(many.search("alpha", 10**30).rows) == len(many.search("alpha", 300).rows)
    assert many.scores("alpha", []).tolist() == []
    assert (
        many.scores("alpha", [10**15, 0, 0])[1:].tolist() == many.scores("alpha", [0]).tolist() * 2
    )
    assert many.rank_of("alpha", 10**15) is None
    assert many.explain("alpha", 10**15) == []


def test_many_threads_may_search_at_once(many):
    alone = [rows(many.search(word, 20)) for word in WORDS]
    with ThreadPoolExecutor(4) as threads:
        together = threads.map(lambda word: rows(many.search(word, 20)), WORDS * 5)
    assert list(together) == alone * 5


def test_small_changes_do_not_pile_up(engine, tmp_path):
    index = opened(engine, tmp_path)
    for row in range(30):
        index.add([row], [chunk(f"alpha w{row}")])
        index.remove([row - 3])
        index.commit()

    assert rows(index.search("alpha", 99)) == [27, 28, 29]
    assert len(list(tmp_path.iterdir())) < 100
    assert index.size_bytes < 200_000


def test_a_million_characters_are_a_query(many):
    text = " ".join(f"{word}{number}" for number in range(2_000) for word in WORDS)
    text += " alpha" * 150_000
    assert len(text) > 1_000_000
    assert len(many.search(text, 7).rows) == 7


@pytest.mark.parametrize("piece", ["a", "_", "a.a.", "f(x)\n"])
def test_a_megabyte_is_searched_in_less_than_a_second(many, piece):
    start = time.process_time()
    many.search(piece * (1_000_000 // len(piece)), 5)
    assert time.process_time() - start < 5


def test_of_many_words_those_count_that_can_gain_most(engine, tmp_path):
    texts = ["common rare", *["common"] * 20, *["usual"] * 20, *["other"] * 20]
    index = build(engine, tmp_path, texts, max_terms=1)

    assert rows(index.search("usual common rare", 100)) == [0]
    with pytest.raises(InputError, match="max_terms: invalid value 0"):
        opened(engine, tmp_path, max_terms=0)


def test_a_word_that_stands_twice_in_a_query_counts_twice_unless_told(engine, tmp_path):
    texts = ["alpha", "beta", *["gamma"] * 10]
    build(engine, tmp_path, texts).close()
    twice, once = (opened(engine, tmp_path, query_counts=told) for told in (True, False))

    assert rows(twice.search("alpha beta beta", 2)) == [1, 0]
    assert rows(once.search("alpha beta beta", 2)) == [0, 1]
    assert twice.search("beta beta", 1).scores == pytest.approx(once.search("beta", 1).scores * 2)
    assert twice.fingerprint != once.fingerprint


def test_weights_take_effect_without_building_again(engine, tmp_path):
    named = chunk("delta delta", symbols=("alpha",))
    build(engine, tmp_path, ["alpha delta", named, *["gamma"] * 10]).close()

    names = opened(engine, tmp_path, fields={"names": 9, "body": 0.1})
    body = opened(engine, tmp_path, fields={"names": 0.01, "body": 5})
    assert rows(names.search("alpha", 2)) == [1, 0]
    assert rows(body.search("alpha", 2)) == [0, 1]
    assert rows(opened(engine, tmp_path, fields={"names": 0}).search("alpha", 2)) == [0]
    assert len({names.fingerprint, body.fingerprint}) == 2


def test_ties_stand_by_row_also_where_the_depth_cuts_them(engine, tmp_path):
    order = random.Random(1).sample(range(500), 500)
    index = opened(engine, tmp_path)
    for at in range(0, 500, 100):  # five commits, so that rows lie anywhere
        index.add(order[at : at + 100], [chunk("same words here")] * 100)
        index.commit()
    for depth in (1, 7, 100):
        assert rows(index.search("words", depth)) == list(range(depth))
    assert index.rank_of("here same", 123) == 124


def test_what_is_removed_is_gone_and_what_is_new_is_found(engine, tmp_path):
    index = build(engine, tmp_path, ["alpha one", "alpha two", "alpha three"])
    index.remove([1, 77])
    index.add([3], [chunk("alpha four")])
    assert rows(index.search("alpha", 9)) == [0, 1, 2]  # not yet
    index.commit()

    assert sorted(rows(index.search("alpha", 9))) == [0, 2, 3]
    assert rows(index.search("two", 9)) == []
    assert index.scores("alpha", [1]).tolist() == [0]
    assert index.explain("alpha", 1) == []
    assert index.documents == 3
    index.close()
    again = opened(engine, tmp_path)
    assert sorted(rows(again.search("alpha", 9))) == [0, 2, 3]


def test_a_row_can_be_given_again(engine, tmp_path):
    index = build(engine, tmp_path, ["alpha", "beta"])
    index.remove([0])
    index.add([0], [chunk("gamma")])
    index.commit()

    assert rows(index.search("alpha", 9)) == []
    assert rows(index.search("gamma", 9)) == [0]


def test_what_is_not_committed_is_dropped(engine, tmp_path):
    index = build(engine, tmp_path, ["alpha"])
    index.add([1], [chunk("alpha")])
    index.remove([0])
    index.close()

    assert rows(opened(engine, tmp_path).search("alpha", 9)) == [0]


@settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    steps=st.lists(
        st.tuples(st.booleans(), st.lists(st.integers(0, 15), unique=True, max_size=8)), max_size=6
    )
)
def test_after_any_changes_exactly_what_is_there_is_found(engine, tmp_path_factory, steps):
    index = opened(engine, tmp_path_factory.mktemp("changes"))
    there = set()
    for adds, some in steps:
        changed = [row for row in some if (row in there) != adds]
        if adds:
            index.add(changed, [chunk(f"alpha row{row}") for row in changed])
            there |= set(changed)
        else:
            index.remove(changed)
            there -= set(changed)
        index.commit()
        assert sorted(rows(index.search("alpha", 99))) == sorted(there)
        assert index.documents == len(there)
        assert all((index.search("alpha", 99).best or 0) >= 0 for _ in there)
    index.close()


def test_the_best_score_is_an_upper_bound_after_removals_too(engine, tmp_path):
    index = build(engine, tmp_path, mixture(200))
    index.remove(range(0, 200, 2))
    index.commit()

    for query in [*WORDS, "alpha beta", "parseHTTP gamma gamma"]:
        found = index.search(query, 99)
        assert (found.scores <= found.best * (1 + 1e-6)).all()
        assert (found.rows % 2 == 1).all()


def test_built_twice_it_ranks_the_same_to_the_bit(engine, tmp_path):
    one, two = (build(engine, tmp_path / name, mixture(400, seed=5)) for name in "ab")
    for query in [*WORDS, "alpha beta gamma delta", "parseHTTP café alpha", CODE]:
        first, second = one.search(query, 50), two.search(query, 50)
        assert rows(first) == rows(second)
        assert first.scores.tolist() == second.scores.tolist()
        assert (
            one.coverage(query, rows(first)).tolist() == two.coverage(query, rows(first)).tolist()
        )
    assert one.fingerprint == two.fingerprint


def test_a_linked_copy_leaves_the_first_folder_as_it_was(engine, tmp_path):
    build(engine, tmp_path / "old", ["alpha one", "alpha two"]).close()
    shutil.copytree(tmp_path / "old", tmp_path / "new", copy_function=os.link)
    before = contents(tmp_path / "old")

    index = opened(engine, tmp_path / "new")
    index.remove([0])
    index.add([2], [chunk("alpha three")])
    index.commit()

    assert sorted(rows(index.search("alpha", 9))) == [1, 2]
    assert contents(tmp_path / "old") == before
    old = opened(engine, tmp_path / "old")
    assert rows(old.search("alpha", 9)) == [0, 1]
    index.add([3], [chunk("alpha")])
    old.add([3], [chunk("alpha")])  # each folder has a writer of its own


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_second_writer_is_told_to_wait(engine, tmp_path):
    one = build(engine, tmp_path, ["alpha"])
    one.add([1], [chunk("alpha")])
    two = opened(engine, tmp_path)

    with pytest.raises(InputError, match="another process") as caught:
        two.add([2], [chunk("alpha")])
    assert str(tmp_path) in caught.value.where
    assert rows(two.search("alpha", 9)) == [0]
    one.commit()
    two.add([2], [chunk("alpha")])
    two.commit()
    assert rows(opened(engine, tmp_path).search("alpha", 9)) == [0, 1, 2]


KILLED = """
import os, signal, sys
from pathlib import Path
from assay import catalogue
from assay.engines import lexical
from assay.records import Chunk

index = catalogue.find(lexical, sys.argv[1])(Path(sys.argv[2]))
index.add(range(1, 500), [Chunk("d", 0, 5, (1, 1), "alpha")] * 499)
index.remove([0])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_writer_leaves_the_index_as_it_was(engine, tmp_path):
    build(engine, tmp_path, ["alpha"]).close()
    ended = subprocess.run([sys.executable, "-c", KILLED, engine, str(tmp_path)], check=False)
    assert ended.returncode == -9

    index = opened(engine, tmp_path)
    assert rows(index.search("alpha", 9)) == [0]
    index.add([1], [chunk("alpha")])
    index.commit()
    assert rows(index.search("alpha", 9)) == [0, 1]


def test_other_settings_need_another_folder(engine, tmp_path):
    build(engine, tmp_path, ["alpha"]).close()
    with pytest.raises(InputError, match=r"'stem': True.*'stem': False") as caught:
        opened(engine, tmp_path, language="none")
    assert caught.value.where == str(tmp_path)
    assert "folder" in caught.value.hint


def test_another_folder_is_not_taken(engine, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="do not belong to a lexical index"):
        opened(engine, tmp_path)
    with pytest.raises(InputError, match="not a folder"):
        opened(engine, tmp_path / "notes.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_damage_is_told(engine, tmp_path):
    build(engine, tmp_path, ["alpha"]).close()
    for path in Path(tmp_path).iterdir():
        if path.name != "settings.json" and path.is_file():
            path.write_bytes(b"nonsense")
    with pytest.raises(InputError, match="cannot") as caught:
        opened(engine, tmp_path)
    assert caught.value.hint
    (tmp_path / "settings.json").write_bytes(b"{")
    with pytest.raises(InputError, match="cannot be read"):
        opened(engine, tmp_path)


def test_chunks_may_hold_anything(engine, tmp_path):
    texts = ["", "\x00", "\ud800", "a" * 300_000, "🙂", '"', "a\r\nb", "检" * 5000, "x_" * 10_000]
    index = build(engine, tmp_path, texts)
    assert index.documents == len(texts)
    assert 6 in rows(index.search("b", 9))
    assert rows(index.search("检", 9)) == [7]


def test_rows_and_chunks_come_in_pairs(engine, tmp_path):
    index = opened(engine, tmp_path)
    with pytest.raises(ValueError, match="zip"):
        index.add([1, 2], [chunk("alpha")])


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 1.0])
def test_a_search_among_rows_is_the_whole_ranking_without_the_others(engine, tmp_path, share):
    index = build(engine, tmp_path, mixture(3000))
    rng = np.random.default_rng(0)
    among = np.flatnonzero(rng.random(3000) < share)
    for text in ("alpha", "beta gamma", "parseHTTP café retry_count", "unknown"):
        whole = index.search(text, 3000)
        kept = np.isin(whole.rows, among)

        found = index.search(text, 40, rows=among)

        assert rows(found) == whole.rows[kept][:40].tolist()
        assert found.scores == pytest.approx(whole.scores[kept][:40], rel=1e-5)
    index.close()
