"""Each stage by hand, and what it says of what it lost."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.engines import stages
from assay.engines.dense.exact import exact
from assay.engines.fusions.blend import blend
from assay.engines.fusions.min_max import min_max
from assay.engines.fusions.rrf import rrf
from assay.engines.stages.collapse import collapse
from assay.engines.stages.cut import cut
from assay.engines.stages.dense import dense
from assay.engines.stages.fuse import fuse
from assay.engines.stages.lexical import lexical
from assay.engines.stages.rerank import rerank
from assay.engines.stages.stored import stored
from assay.engines.stages.threshold import threshold
from assay.errors import InputError
from assay.records import FoundRows, Loss, SearchInput

ASKED = SearchInput("a b", np.array([1, 0], np.float32))


class FakeWords:
    """A fake lexical index: the score of a text is how often it holds the query's words."""

    fingerprint = "fake words"

    def __init__(self, texts):
        self.texts = texts

    def scores(self, text, rows):
        return np.array(
            [sum(self.texts[row].split().count(w) for w in text.split()) for row in rows], float
        )

    def search(self, text, depth, *, rows=None):
        rows = np.arange(len(self.texts)) if rows is None else rows
        scores = self.scores(text, rows)
        order = np.lexsort((rows, -scores))[: min(depth, np.count_nonzero(scores))]
        return FoundRows(rows[order], scores[order], "bm25", 20.0)

    def rank_of(self, text, row):
        places = np.flatnonzero(self.search(text, len(self.texts)).rows == row)
        return int(places[0]) + 1 if len(places) else None

    def explain(self, text, row):
        return [{"field": "body", "term": word, "score": 1.0} for word in text.split()]

    def coverage(self, text, rows):
        words = set(text.split())
        return np.array([len(words & set(self.texts[row].split())) / len(words) for row in rows])


class FakeStore:
    """A fake store, which ranks by falling row."""

    fingerprint = "fake store"

    def lexical(self, _text, depth):
        rows = np.arange(4, -1, -1)[:depth]
        return FoundRows(rows, rows / 10, "bm25")

    dense = lexical


FIVE_TEXTS = FakeWords(["a", "a b", "b b b", "a a b b", "a a a a a"])
FIVE_VECTORS = exact(np.array([[1, at] for at in range(5)], np.float32), np.arange(5))
RETRIEVING = {
    "lexical": lambda depth: lexical(FIVE_TEXTS, depth=depth),
    "dense": lambda depth: dense(FIVE_VECTORS, depth=depth),
    "store by words": lambda depth: stored(FakeStore(), "lexical", depth=depth),
    "store by vectors": lambda depth: stored(FakeStore(), "dense", depth=depth),
}


@pytest.mark.parametrize("depth", [1, 2, 9])
@pytest.mark.parametrize("excluded", [(), (1,), (0, 4), (0, 1, 2, 3, 4)])
@pytest.mark.parametrize("part", RETRIEVING)
def test_what_is_excluded_is_not_retrieved_and_costs_no_place(part, excluded, depth):
    make = RETRIEVING[part]
    every = make(9)(ASKED, [])
    found = make(depth)(replace(ASKED, excluded=excluded), [])
    left = [at for at, row in enumerate(every.rows) if row not in excluded][:depth]
    assert len(every.rows) == 5
    assert found.rows.tolist() == every.rows[left].tolist()
    assert found.scores.tolist() == every.scores[left].tolist()


@pytest.mark.parametrize("depth", [1, 2, 9])
@pytest.mark.parametrize("allowed", [[], [1], [0, 4], [0, 1, 2, 3, 4], [3]])
@pytest.mark.parametrize("part", RETRIEVING)
def test_only_what_filters_allow_is_retrieved(part, allowed, depth):
    make = RETRIEVING[part]
    every = make(9)(ASKED, [])
    found = make(depth)(replace(ASKED, allowed=np.array(allowed, np.int64)), [])
    left = [at for at, row in enumerate(every.rows) if row in allowed][:depth]
    assert found.rows.tolist() == every.rows[left].tolist()
    assert found.scores.tolist() == every.scores[left].tolist()


@pytest.mark.parametrize("part", ["lexical", "dense"])
def test_a_rank_is_among_what_filters_allow(part):
    stage = RETRIEVING[part](1)
    asked = replace(ASKED, allowed=np.array([0, 1, 2]))
    kept = stage(asked, [])
    every = RETRIEVING[part](3)(asked, []).rows.tolist()

    lost = stage.lose(asked, [], kept, np.array([every[2]]))

    assert lost.rank == 3


class FakeJudge:
    """A fake reranker: it likes long texts."""

    name, fingerprint = "fake judge", "long is good"

    def __init__(self):
        self.seen = []

    def score(self, query, texts):
        self.seen.append((query, list(texts)))
        return np.array([len(text) for text in texts], float)


def found(scores, kind="cosine", best=1.0):
    return FoundRows(np.arange(len(scores)) * 10, np.array(scores, np.float64), kind, best)


def told(one):
    return list(zip(one.rows.tolist(), one.scores.tolist(), strict=True))


WORDS = FakeWords(["a", "a b", "c", "a a b"])
VECTORS = exact(
    np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32), np.arange(3), precision="float32"
)


def test_the_stages():
    names = ["collapse", "cut", "dense", "fuse", "lexical", "rerank", "threshold"]
    assert set(names) <= set(catalogue.names(stages))


def test_lexical(snapshot):
    stage = lexical(WORDS, depth=2)
    assert told(stage(ASKED, [])) == [(3, 3.0), (1, 2.0)]
    assert stage.scores(ASKED, np.array([2, 0])).tolist() == [0.0, 1.0]
    assert [term["term"] for term in stage.terms(ASKED, 3)] == ["a", "b"]
    kept = stage(ASKED, [])
    low = stage.lose(ASKED, [], kept, np.array([0, 2]))
    assert replace(low, reason="") == Loss("lexical", "", 3, 1.0, 2.0)
    unmatched = stage.lose(ASKED, [], kept, np.array([2]))
    assert replace(unmatched, reason="") == Loss("lexical", "", None, None, 2.0)
    snapshot([low.reason, unmatched.reason])


def test_dense():
    stage = dense(VECTORS, depth=1)
    kept = stage(ASKED, [])
    assert told(kept) == [(0, 1.0)]
    lost = stage.lose(ASKED, [], kept, np.array([1, 2]))
    assert (lost.rank, lost.score, lost.needed) == (2, pytest.approx(0.6), 1.0)
    assert stage.needs_vector


def test_dense_without_a_vector_is_refused(snapshot):
    with pytest.raises(InputError) as caught:
        dense(VECTORS, depth=1)(SearchInput("a"), [])
    snapshot(caught.value)


def test_an_approximate_index_that_passed_a_document_by_says_so():
    stage = dense(VECTORS, depth=2)
    lost = stage.lose(ASKED, [], found([1.0, 0.0]), np.array([2]))  # which ranks 2 in truth
    assert "ranked 2," in lost.reason
    assert "approximate" in lost.reason


def test_fuse_with_floors_and_with_true_scores():
    parts = [lexical(WORDS, depth=1), dense(VECTORS, depth=1)]
    lists = [part(ASKED, []) for part in parts]  # row 3 alone, and row 0 alone
    floored = fuse(min_max(weights=(1, 1)), parts=parts)(ASKED, lists)
    assert told(floored) == [(0, 1.0), (3, 1.0)]
    filled = fuse(min_max(weights=(1, 1)), parts=parts, fill=True)(ASKED, lists)
    # Row 0: the lower lexical score, the higher cosine. Row 3 has no vector: a cosine of 0.
    assert told(filled) == [(0, 1.0), (3, 1.0)]
    blended = fuse(blend(weights=(1, 1)), parts=parts, fill=True)(ASKED, lists)
    # Row 0: a third of the best 3, and (1 - m) / s. Row 3: all of it, and (0 - m) / s. Besides,
    # 4/3 x coverage^8 of the query's two words.
    m, s = np.mean([1, 0, 0.6]), np.std([1, 0, 0.6])
    expected = {0: 1 / 3 + (1 - m) / s + 4 / 3 / 256, 3: 1 - m / s + 4 / 3}
    assert dict(told(blended)) == pytest.approx(expected)


def test_filling_in_needs_scores(snapshot):
    with pytest.raises(InputError, match="uses ranks only"):
        fuse(rrf(), parts=[lexical(WORDS, depth=1)], fill=True)
    for parts in ([], [cut(3)]):
        with pytest.raises(InputError) as caught:
            fuse(blend(), parts=parts, fill=True)
        snapshot(caught.value)


def test_filling_in_when_nothing_was_found():
    parts = [lexical(WORDS, depth=1), dense(VECTORS, depth=1)]
    empty = [FoundRows(np.empty(0, np.int64), np.empty(0), "bm25", 1.0)] * 2
    assert told(fuse(blend(), parts=parts, fill=True)(ASKED, empty)) == []


@pytest.mark.parametrize(
    ("scores", "kind", "best", "kept"),
    [
        ([0.9, 0.5, 0.49, -0.2], "cosine", 1.0, 2),
        ([30.0, 10.0, 9.9, 0.0], "bm25", None, 2),  # 10 / (10 + 10)
        ([2 / 61, 1 / 61, 0.9 / 61], "rrf", 2 / 61, 2),
        ([], "cosine", 1.0, 0),
    ],
)
def test_threshold_keeps_what_is_good_enough(scores, kind, best, kept):
    stage = threshold(0.5, kind=kind)
    out = stage(ASKED, [found(scores, kind, best)])
    assert out.scores.tolist() == scores[:kept]
    assert (out.kind, out.best) == (kind, best)


def test_threshold_says_what_was_missing():
    before = found([30.0, 10.0, 2.5], "bm25", None)
    stage = threshold(0.5)
    lost = stage.lose(ASKED, [before], stage(ASKED, [before]), np.array([20]))
    assert "threshold" in lost.reason
    assert replace(lost, reason="") == Loss("threshold", "", 3, 0.2, 0.5)


@pytest.mark.parametrize("kind", ["blend", "min_max", "z_score", "rerank", ""])
def test_a_threshold_on_scores_that_a_query_rescales_is_refused(snapshot, kind):
    for apply in (
        lambda: threshold(0.5, kind=kind),
        lambda: threshold(0.5)(ASKED, [found([0.5], kind, None)]),
    ):
        with pytest.raises(InputError) as caught:
            apply()
        snapshot(caught.value)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_a_threshold_lies_between_0_and_1(value):
    with pytest.raises(InputError, match="0 to 1"):
        threshold(value)


def test_cut(snapshot):
    before = found([3.0, 2.0, 1.0])
    stage = cut(2)
    assert told(stage(ASKED, [before])) == [(0, 3.0), (10, 2.0)]
    assert len(cut(99)(ASKED, [before]).rows) == 3
    lost = stage.lose(ASKED, [before], stage(ASKED, [before]), np.array([20]))
    assert replace(lost, reason="") == Loss("cut", "", 3, 1.0, 2.0)
    snapshot(lost.reason)


TEXTS = {0: "aa", 10: "a", 20: "aaaa", 30: "aaaaaaa"}


def texts(_asked, rows):
    return [TEXTS[row] for row in rows.tolist()]


def test_rerank_orders_the_first_and_leaves_the_rest_below():
    judge = FakeJudge()
    out = rerank(judge, texts, depth=3)(ASKED, [found([0.9, 0.8, 0.7, 0.6])])
    assert judge.seen == [("a b", ["aa", "a", "aaaa"])]
    assert told(out) == [(20, 4.0), (0, 2.0), (10, 1.0), (30, 0.0)]
    assert (out.kind, out.best) == ("rerank", None)


def test_rerank_with_a_say_for_the_earlier_score():
    out = rerank(FakeJudge(), texts, depth=3, weight=0.5)(ASKED, [found([0.9, 0.8, 0.5])])
    # Judge: 2, 1, 4 -> 1/3, 0, 1. Earlier: 1, .75, 0.
    assert told(out) == [
        (0, pytest.approx(2 / 3)),
        (20, pytest.approx(0.5)),
        (10, pytest.approx(0.375)),
    ]


def test_rerank_of_nothing_asks_nobody():
    judge = FakeJudge()
    out = rerank(judge, texts, depth=3)(ASKED, [found([])])
    assert (told(out), judge.seen) == ([], [])


@pytest.mark.parametrize("answer", [[1.0], [1.0, np.nan], [[1.0, 2.0]]])
def test_a_reranker_that_gives_no_numbers_is_named(answer):
    judge = FakeJudge()
    judge.score = lambda query, texts: np.array(answer)
    with pytest.raises(InputError, match=r"fake judge .*2 texts"):
        rerank(judge, texts, depth=2)(ASKED, [found([0.9, 0.8, 0.7])])


@settings(max_examples=50)
@given(st.lists(st.floats(-9, 9), max_size=4), st.integers(1, 5), st.floats(0, 1))
def test_rerank_keeps_all_in_order_with_the_head_first(scores, depth, weight):
    before = found(sorted(scores, reverse=True))
    out = rerank(FakeJudge(), texts, depth=depth, weight=weight)(ASKED, [before])
    assert sorted(out.rows.tolist()) == before.rows.tolist()
    assert sorted(out.rows.tolist()[:depth]) == before.rows.tolist()[:depth]
    pairs = [(-score, row) for row, score in told(out)]
    assert pairs == sorted(pairs)


class Judge:
    """Scores texts, which are the rows, by a list."""

    name = fingerprint = "judge"

    def score(self, query, texts):
        return np.array([{0: 0.9, 10: 0.2}[int(text)] for text in texts])


@pytest.mark.parametrize("how", ["max", "sum", "top3"])
def test_what_was_not_judged_takes_nothing_from_a_judged_document(how):
    before = found([0.9, 0.8, 0.7, 0.6, 0.5])  # rows 0 to 40, of documents 0, 1, 2, 3 and 0 again
    judged = rerank(Judge(), lambda _, rows: list(map(str, rows)), depth=2)(
        SearchInput("q"), [before]
    )
    merged = collapse(lambda rows: rows // 10 % 4, how=how)(SearchInput("q"), [judged])
    assert merged.rows.tolist() == [0, 10, 20, 30]
    assert merged.scores.tolist() == pytest.approx([0.9, 0.2, -0.8, -1.8])


def test_fingerprints_follow_settings_and_what_is_below():
    made = [
        lexical(WORDS, depth=2), lexical(WORDS, depth=3), dense(VECTORS, depth=2),
        dense(exact(np.eye(2, dtype=np.float32), np.arange(2)), depth=2),
        fuse(rrf()), fuse(rrf(k=1)), fuse(blend()), threshold(0.5), threshold(0.6), cut(1), cut(2),
        rerank(FakeJudge(), texts, depth=2), rerank(FakeJudge(), texts, depth=3),
        rerank(FakeJudge(), texts, depth=2, weight=0.5), collapse(np.arange(3)),
    ]  # fmt: skip
    assert len({stage.fingerprint for stage in made}) == len(made)
    assert lexical(WORDS, depth=2).fingerprint == made[0].fingerprint


@pytest.mark.parametrize(
    "make",
    [
        lambda: lexical(WORDS, depth=0),
        lambda: dense(VECTORS, depth=-1),
        lambda: cut(0),
        lambda: rerank(FakeJudge(), texts, depth=0),
    ],
)
def test_nothing_cannot_be_asked_for(make):
    with pytest.raises(InputError, match=">= 1"):
        make()
