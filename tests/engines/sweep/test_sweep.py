"""Sweeps: a small one by hand, then bit for bit what the stages give, whatever is asked."""

import math
import random
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.engines import collapses, fusions
from assay.engines import lexical as lexical_engines
from assay.engines.dense.exact import exact
from assay.engines.fusions.blend import blend
from assay.engines.fusions.min_max import min_max
from assay.engines.fusions.rrf import rrf
from assay.engines.fusions.z_score import z_score
from assay.engines.rank_rows import nothing as nothing_of
from assay.engines.rank_rows import ranked
from assay.engines.stages import Step
from assay.engines.stages.collapse import collapse
from assay.engines.stages.cut import cut
from assay.engines.stages.dense import dense
from assay.engines.stages.fuse import fuse
from assay.engines.stages.lexical import lexical
from assay.engines.stages.threshold import threshold
from assay.engines.sweep._collapse import choose_chunks
from assay.engines.sweep._layout import Lines, lay_out_chunks, lay_out_documents
from assay.engines.sweep._matrix_cache import MatrixCache
from assay.engines.sweep._order import order_cells
from assay.engines.sweep._view import view_of
from assay.engines.sweep.sweep import PartAnswers, listen, record
from assay.errors import InputError, UnknownNameError
from assay.records import Chunk, FoundRows, SearchInput

WORDS = ["alpha", "beta", "gamma", "delta", "eps", "zeta"]
ROWS = 12  # of a small index, so that lists meet
DEPTH = 6
DOCUMENTS = np.array([0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 5]) * 7 - 3  # any numbers
APART = np.array([0, 1, 0, 1, 2, 0, 3, 3, 0, 1, 2, 5])  # chunks of one document not side by side
SCORES = st.sampled_from([-0.0, 0.0, 0.1, 0.1 + 2**-56, 0.3, 0.5, 1.0, 2.5, 1e-300, 7.0])
COSINES = st.sampled_from([-1.0, -0.3, -0.0, 0.0, 0.25, 0.3, 0.3 + 2**-54, 0.9, 1.0])
NOTHING = st.just([0.0] * ROWS)


class Part:
    """A part of a search that knows the score of every row for every query, by the query's text."""

    def __init__(self, kind, tables, holds, spreads, decisive, depth=DEPTH):
        self.kind, self.tables, self.holds = kind, tables, holds
        self.spreads, self.knows, self.depth = spreads, decisive, depth

    def at(self, depth):
        return Part(self.kind, self.tables, self.holds, self.spreads, self.knows, depth)

    def step(self):
        def run(asked, _found):
            scores = np.array(self.tables[int(asked.text)], np.float64)
            # Only rows that hold something are retrieved, but each can be scored.
            rows = np.flatnonzero(np.array(self.holds[int(asked.text)]) > 0)
            best = 1.0 if self.kind == "cosine" else 20.0 + int(asked.text)
            return ranked(rows, scores[rows], kind=self.kind, best=best, depth=self.depth)

        def scores(asked, rows):
            # As words are: what is found deep in a list may differ from what is asked for.
            return np.array(self.tables[int(asked.text)], np.float64)[rows] * (1 - 2**-50)

        lexical = self.kind == "bm25"
        return Step(
            self.kind,
            lambda: "",
            run,
            scores=scores,
            spread=None if lexical else lambda asked: self.spreads[int(asked.text)],
            coverage=(lambda asked, rows: np.array(self.holds[int(asked.text)])[rows])
            if lexical
            else None,
            decisive=(lambda asked: self.knows[int(asked.text)]) if lexical else None,
        )


@st.composite
def parts_of(draw, queries, kind):
    def table(values):
        return st.lists(values, min_size=ROWS, max_size=ROWS)

    per_query = {"min_size": queries, "max_size": queries}
    return Part(
        kind,
        draw(st.lists(table(SCORES if kind == "bm25" else COSINES), **per_query)),
        draw(st.lists(table(st.sampled_from([0.0, 0.0, 0.5, 1.0])) | NOTHING, **per_query)),
        draw(st.lists(st.sampled_from([(0.1, 0.2), (0.0, 0.0)]), **per_query)),
        draw(st.lists(st.booleans(), **per_query)),
    )


@st.composite
def searches(draw, kinds=("bm25", "cosine")):
    """Some parts and how many queries they were asked."""
    queries = draw(st.integers(1, 3))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    return queries, [draw(parts_of(queries, kind)) for kind in chosen]


@st.composite
def fused_by(draw, parts):
    weight = st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0, 1.5])
    weights = draw(st.lists(weight, min_size=parts, max_size=parts).filter(any))
    name = draw(st.sampled_from(sorted(catalogue.names(fusions))))
    make = catalogue.find(fusions, name)
    if name == "rrf":
        given_ = draw(st.sampled_from([None, weights]))
        return make(k=draw(st.sampled_from([0, 1, 60])), weights=given_)
    return make(weights=weights)


def recorded(queries, parts, depth=DEPTH, documents=DOCUMENTS):
    steps = [part.at(depth).step() for part in parts]
    heard = [listen(SearchInput(str(number)), steps) for number in range(queries)]
    return record(heard, depth=depth, documents=documents)


def searched(number, parts, *, depth=DEPTH, fusion=None, fill=False, refining=()):
    """Ask one query of the stages of a search."""
    asked, steps = SearchInput(str(number)), [part.at(depth).step() for part in parts]
    found = [step(asked, []) for step in steps]
    if fusion is not None:
        found = [fuse(fusion, parts=steps, fill=fill)(asked, found)]
    for step in refining:
        found = [step(asked, found)]
    return found[0]


def bits(scores):
    return scores.view(np.int64).tolist()


def assert_equal(replayed, number, live):
    one = replayed.found(number)
    assert one.rows.tolist() == live.rows.tolist()
    assert bits(one.scores) == bits(live.scores)
    assert (one.kind, one.best) == (live.kind, live.best)


def test_a_sweep_by_hand():
    words = FoundRows(np.array([3, 1, 4]), np.array([9.0, 4.0, 2.0]), "bm25")
    vectors = FoundRows(np.array([1, 5, 3]), np.array([0.9, 0.5, 0.1]), "cosine", 1.0)
    recording = record(
        [PartAnswers((words, vectors))], depth=3, documents=np.array([0, 0, 0, 1, 1, 2])
    )
    replayed = recording.replay(fusion=rrf(k=1, weights=(2, 1)), top_k=10)
    # 3: 2/2 + 1/4, 1: 2/3 + 1/2, 4: 2/4, 5: 1/3.
    assert replayed.rows.tolist() == [3, 1, 4, 5]
    assert replayed.scores.tolist() == pytest.approx([5 / 4, 7 / 6, 1 / 2, 1 / 3])
    assert replayed.offsets.tolist() == [0, 4]
    assert recording.replay(fusion=rrf(k=1), top_k=2).rows.tolist() == [1, 3]
    # At depth 1: 3 and 1 with 1/2 each, a tie; of the best possible, 1, both have half.
    assert recording.replay(fusion=rrf(k=1), top_k=9, depth=1).rows.tolist() == [1, 3]
    assert recording.replay(fusion=rrf(k=1), top_k=9, depth=1, threshold=0.6).rows.tolist() == []
    merged = recording.replay(fusion=rrf(k=1, weights=(2, 1)), collapse="sum", top_k=9)
    assert merged.rows.tolist() == [3, 1, 5]
    assert merged.scores.tolist() == pytest.approx([7 / 4, 7 / 6, 1 / 3])


def refined(value, how, top_k, documents):
    """Make the stages after those that retrieve and fuse."""
    steps = [] if value is None else [threshold(value)]
    steps += [] if how is None else [collapse(documents, how=how)]
    return [*steps, cut(top_k)]


@given(st.data(), st.sampled_from([DOCUMENTS, APART, DOCUMENTS.__getitem__]))
@settings(max_examples=60, deadline=None)
def test_every_fusion_as_the_stages_give_it(data, documents):
    queries, parts = data.draw(searches())
    recording = recorded(queries, parts, documents=documents)
    for _ in range(3):  # the second replay finds what the first left behind
        fusion = data.draw(fused_by(len(parts)))
        depth = data.draw(st.integers(1, DEPTH))
        fill = fusion.scored and data.draw(st.booleans())
        how = data.draw(st.sampled_from([None, "max", *catalogue.names(collapses)]))
        top_k = data.draw(st.integers(1, 2 * ROWS))
        value = data.draw(st.sampled_from([None, 0.0, 0.3, 0.5, 1.0]))
        value = value if fusion.kind == "rrf" else None
        replayed = recording.replay(
            fusion=fusion, depth=depth, fill=fill, collapse=how, threshold=value, top_k=top_k
        )
        steps = refined(value, how, top_k, documents)
        for number in range(queries):
            live = searched(number, parts, depth=depth, fusion=fusion, fill=fill, refining=steps)
            assert_equal(replayed, number, live)


@given(st.data(), st.sampled_from(["bm25", "cosine"]))
@settings(max_examples=40, deadline=None)
def test_a_single_part_as_the_stages_give_it(data, kind):
    queries = data.draw(st.integers(1, 3))
    part = data.draw(parts_of(queries, kind))
    how = data.draw(st.sampled_from([None, *catalogue.names(collapses)]))
    value = data.draw(st.sampled_from([None, 0.0, 0.1, 0.25, 0.3, 1.0]))
    depth, top_k = data.draw(st.integers(1, DEPTH)), data.draw(st.integers(1, ROWS))
    replayed = recorded(queries, [part]).replay(
        depth=depth, collapse=how, threshold=value, top_k=top_k
    )
    for number in range(queries):
        steps = refined(value, how, top_k, DOCUMENTS)
        assert_equal(replayed, number, searched(number, [part], depth=depth, refining=steps))


def test_the_best_of_each_query_decides_on_its_threshold():
    """A store may fuse by itself, and tell a best for each query."""
    heard = [
        PartAnswers((FoundRows(np.array([1, 2]), np.array([0.6, 0.3]), "rrf", best),))
        for best in (1, 2)
    ]
    replayed = record(heard, depth=2).replay(threshold=0.2, top_k=9)
    assert replayed.offsets.tolist() == [0, 2, 3]
    assert replayed.rows.tolist() == [1, 2, 1]
    assert (replayed.found(0).best, replayed.found(1).best) == (1, 2)


@pytest.mark.parametrize("name", catalogue.files(fusions))
@pytest.mark.parametrize("how", ["max", "sum", "top3"])
def test_long_lists(name, how):
    """Sums of more than 128 numbers are added in another order, and places need more bits."""
    rng = np.random.default_rng(7)
    tables = [rng.normal(size=(4, 700)).round(2) for _ in range(3)]
    holds = rng.integers(1, 5, (4, 700)) / 4
    knows, spreads = [True, False, False, True], [(0.1, 0.4)] * 4
    parts = [
        Part(kind, table, holds, spreads, knows)
        for kind, table in zip(("bm25", "cosine", "cosine"), tables, strict=True)
    ]
    documents = np.sort(rng.integers(0, 200, 700))
    recording = recorded(4, parts, depth=200, documents=documents)
    for weights in ((0.2, 0.3, 0.5), (1, 1, 1), (0, 0, 1)):
        fusion = catalogue.find(fusions, name)(weights=weights)
        for depth in (200, 140):
            replayed = recording.replay(fusion=fusion, depth=depth, collapse=how, top_k=100)
            for number in range(4):
                live = searched(
                    number, parts, depth=depth, fusion=fusion, fill=fusion.scored,
                    refining=refined(None, how, 100, documents),
                )  # fmt: skip
                assert_equal(replayed, number, live)


@pytest.mark.parametrize("engine", catalogue.files(lexical_engines))
def test_real_indexes_at_every_depth(engine, tmp_path):
    rng = random.Random(3)
    texts = [" ".join(rng.choices(WORDS, k=9)) for _ in range(90)]
    words = catalogue.find(lexical_engines, engine)(tmp_path)
    words.add(range(90), [Chunk("d", 0, len(text), (1, 1), text) for text in texts])
    words.commit()
    vectors = np.random.default_rng(3).normal(size=(90, 8)).astype(np.float32)
    index = exact(vectors, np.arange(90))
    asked = [
        SearchInput(text, vectors[at]) for at, text in enumerate(["alpha beta", "f(zeta)", "none"])
    ]

    def parts(depth):
        return [lexical(words, depth=depth), dense(index, depth=depth)]

    recording = record([listen(one, parts(30)) for one in asked], depth=30)
    for depth in (1, 2, 7, 19, 30):
        for fusion in (rrf(), blend(), z_score()):
            replayed = recording.replay(fusion=fusion, depth=depth, top_k=20)
            for number, one in enumerate(asked):
                found = [part(one, []) for part in parts(depth)]
                step = fuse(fusion, parts=parts(depth), fill=fusion.scored)
                assert_equal(replayed, number, cut(20)(one, [step(one, found)]))
    words.close()


NEAR = st.integers(-40, 40).map(lambda ulps: (np.float64(0.7).view(np.int64) + ulps).view(float))
ANY = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.lists(NEAR | ANY | NEAR.map(lambda score: -score), max_size=40), min_size=1))
@settings(max_examples=60, deadline=None)
def test_the_order_is_that_of_an_indirect_sort(lists):
    lines = Lines(np.array([len(one) for one in lists]), max(map(len, lists)))
    scores = np.full(lines.used.shape, -np.inf)
    scores[lines.used] = [score + 0.0 for one in lists for score in one]
    ranking = order_cells(scores, np.arange(scores.size), lines)
    for at, one in enumerate(lists):
        expected = np.lexsort((np.arange(len(one)), -np.array(one, float)))
        span = slice(*ranking.offsets[at : at + 2])
        assert (ranking.places[span] - at * scores.shape[1]).tolist() == expected.tolist()
        assert ranking.scores[span].tolist() == [one[place] for place in expected]


def test_scores_that_differ_in_the_last_bits_alone():
    bits = np.float64(0.7).view(np.int64) + np.random.default_rng(5).integers(0, 4, (3, 200))
    scores = bits.view(np.float64)
    ranking = order_cells(scores, np.arange(600), Lines(np.full(3, 200), 200))
    expected = [np.lexsort((np.arange(200), -line)) + 200 * at for at, line in enumerate(scores)]
    assert ranking.places.tolist() == np.concatenate(expected).tolist()


def expected_order(scores, counts, most):
    """Order the used cells of each line by an indirect sort."""
    orders = [
        np.lexsort((np.arange(count), -line[:count]))[:most] + at * scores.shape[1]
        for at, (line, count) in enumerate(zip(scores, counts, strict=True))
    ]
    return np.concatenate(orders).tolist()


@pytest.mark.parametrize("longest", [7, 128, 129, 134, 300])
@pytest.mark.parametrize("most", [None, 1, 5, 100, 1000])
def test_lines_of_any_length_whatever_unused_cells_hold(longest, most):
    rng = np.random.default_rng(longest)
    counts = rng.integers(0, max(2, longest // 2), 40)
    counts[3] = longest  # the only long line
    scores = rng.normal(size=(40, longest)).round(1)  # many are equal
    lines = Lines(counts, longest)
    scores[~lines.used] = 99.0
    ranking = order_cells(scores, np.arange(scores.size), lines, most=most)
    assert ranking.places.tolist() == expected_order(scores, counts, most)
    assert ranking.scores.tolist() == scores.ravel()[ranking.places].tolist()
    assert np.diff(ranking.offsets).tolist() == np.minimum(counts, most or longest).tolist()


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_a_cut_among_scores_that_differ_in_the_last_bits_alone(width, most, seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, width + 1, 3)
    scores = (np.float64(0.7).view(np.int64) + rng.integers(0, 9, (3, width))).view(np.float64)
    ranking = order_cells(scores, np.arange(scores.size), Lines(counts, width), most=most)
    assert ranking.places.tolist() == expected_order(scores, counts, most)


def test_documents_are_laid_out_by_hand():
    """Documents of 1, 3 and 1 chunks for the first query, and of 2 for the second."""
    rows = np.array([[2, 5, 6, 8, 9], [5, 6, 0, 0, 0]])
    chunks = lay_out_chunks(np.array([5, 2]), rows)
    layout = lay_out_documents(chunks, np.array([[0, 1, 1, 1, 2], [3, 3, 0, 0, 0]]))
    assert layout.lines.counts.tolist() == [3, 1]
    # First chunks of 0, 1, 2 and of 3 (then two cells that hold nothing), second ones, a third one.
    assert layout.rows[:4].tolist() == [2, 5, 9, 5]
    assert [layout.rows[layer].tolist() for layer in layout.layers] == [[6, 6], [8]]
    assert layout.several.tolist() == [1, 3]
    assert rows.ravel()[layout.places].tolist() == layout.rows.tolist()


def test_the_best_chunk_is_better_by_the_last_bit():
    found = FoundRows(np.arange(5), np.arange(5, 0, -1.0))
    documents = np.array([0, 1, 1, 1, 2])
    view = view_of([PartAnswers((found,)), PartAnswers((found,))], 5, documents.__getitem__)
    more = np.nextafter(0.1, 1)
    scores = np.array([[0.5, 0.1, more, more, 0.2], [0.0, more, 0.1, more, more]])
    layout = view.by_document
    best, rows = choose_chunks(layout, scores.ravel()[layout.places])
    ranking = order_cells(best, rows, layout.lines)
    assert rows[ranking.places].tolist() == [0, 4, 2, 1, 4, 0]
    assert ranking.scores.tolist() == [0.5, 0.2, more, more, more, 0.0]


LIST = FoundRows(np.array([3, 1]), np.array([2.0, 1.0]), "bm25")
OTHER = FoundRows(np.array([1, 2]), np.array([0.5, 0.5]), "cosine", 1.0)
TWO = record([PartAnswers((LIST, OTHER))], depth=5)


def test_nothing_found():
    nothing = PartAnswers((nothing_of("bm25"), nothing_of("cosine", 1.0)))
    complete = replace(nothing, complete=nothing.lists)
    for heard in (nothing, complete):
        recording = record([heard], depth=5, documents=DOCUMENTS)
        for name in catalogue.files(fusions):
            for how in (None, *catalogue.files(collapses)):
                replayed = recording.replay(
                    fusion=catalogue.find(fusions, name)(weights=(1, 1)), collapse=how, top_k=3
                )
                assert (replayed.offsets.tolist(), len(replayed.rows)) == ([0, 0], 0)
    assert record([PartAnswers((nothing_of("bm25"),))], depth=5).replay(top_k=1).rows.tolist() == []


@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        ({"depth": 6}, "depth 6"),
        ({"depth": 0}, "depth: invalid value 0"),
        ({"top_k": 0}, "top_k: invalid value 0"),
        ({"fusion": None}, "2 result lists"),
        ({"fusion": rrf(weights=(1, 1, 1))}, "3 weights"),
        ({"threshold": 1.5}, "threshold: invalid value 1.5"),
        ({"threshold": float("nan")}, "threshold: invalid value nan"),
        ({"threshold": 0.5, "fusion": blend()}, "blend scores"),
        ({"collapse": "max"}, "rows to documents"),
        ({"collapse": "maxx"}, '"maxx"'),
        ({"fill": True}, "rrf"),
        ({"fill": True, "fusion": min_max()}, "min_max"),
        ({"fusion": replace(rrf(), name="mine")}, '"mine"'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_replayed_is_refused(snapshot, asked, fact):
    with pytest.raises((InputError, UnknownNameError), match=re.escape(fact)) as refused:
        TWO.replay(**{"fusion": rrf(), "top_k": 5, **asked})
    snapshot(refused.value)


def test_another_depth_is_refused_where_it_says_nothing():
    recording = record([PartAnswers((LIST, OTHER))], depth=5, shallower=False)
    assert len(recording.replay(fusion=rrf(), top_k=5, depth=5).rows) == 3
    with pytest.raises(InputError, match="depth 4") as refused:
        recording.replay(fusion=rrf(), top_k=5, depth=4)
    assert "depth 5" in refused.value.hint


def lists_of(rows, scores, kind="bm25"):
    return PartAnswers((FoundRows(np.array(rows), np.array(scores, float), kind), OTHER))


def completed(rows):
    union = FoundRows(np.array(rows), np.zeros(len(rows)), "bm25")
    return PartAnswers((LIST, OTHER), (union, union))


@pytest.mark.parametrize(
    ("heard", "what"),
    [
        ([], "nothing"),
        ([PartAnswers(())], "no parts"),
        ([PartAnswers((LIST, OTHER)), PartAnswers((LIST,))], "other parts"),
        ([lists_of([1, 1], [2, 1])], "a row twice"),
        ([lists_of([1, 2], [1, 2])], "rising"),
        ([lists_of([2, 1], [1, 1])], "tied rows"),
        ([lists_of([1, 2], [math.nan, 1])], "nan"),
        ([lists_of([1, 2], [math.inf, 1])], "infinity"),
        ([lists_of([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1])], "too deep"),
        ([PartAnswers((LIST, OTHER)), lists_of([1], [1], "rrf")], "other scores"),
        ([completed([1, 2, 3]), PartAnswers((LIST, OTHER))], "some completed"),
        ([completed([1, 2])], "too few"),
        ([completed([3, 2, 1])], "other rows"),
        ([replace(completed([1, 2, 3]), complete=completed([1, 2, 3]).complete[:1])], "one part"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_recording_is_refused(snapshot, heard, what):
    with pytest.raises(InputError) as refused:
        record(heard, depth=5)
    snapshot(refused.value)


def test_parts_that_cannot_be_asked_are_not_filled_in():
    """Stores answer with their lists and no more."""
    steps = [Step("a", str, lambda _asked, _found: LIST), Step("b", str, lambda _a, _f: OTHER)]
    recording = record([listen(SearchInput("q"), steps)], depth=5)
    for name in catalogue.files(fusions):
        fusion = catalogue.find(fusions, name)(weights=(1, 2))
        live = fuse(fusion, parts=steps)(SearchInput("q"), [LIST, OTHER])
        assert_equal(recording.replay(fusion=fusion, top_k=9), 0, live)


def test_a_part_that_knows_best_but_found_nothing():
    words = replace(nothing_of("bm25"), decisive=True)
    vectors = FoundRows(np.array([4, 2]), np.array([0.75, 0.25]), "cosine", 1.0)
    replayed = record([PartAnswers((words, vectors))], depth=5).replay(fusion=blend(), top_k=9)
    assert replayed.scores.tolist() == [1.0, -1.0]  # standard deviations, at their whole weight
    assert_equal(replayed, 0, blend()([words, vectors]))


def test_each_k_has_its_scores():
    for k in (0, 1, 60, 1):
        replayed = TWO.replay(fusion=rrf(k=k), top_k=9)
        assert_equal(replayed, 0, rrf(k=k)([LIST, OTHER]))


def test_each_threshold_has_its_results():
    for value in (0.3, None, 0.9, 0.3):
        for fusion in (rrf(k=1), rrf(k=1, weights=(1, 3))):
            replayed = TWO.replay(fusion=fusion, threshold=value, top_k=2)
            steps = refined(value, None, 2, None)
            live = fusion([LIST, OTHER])
            for step in steps:
                live = step(SearchInput("q"), [live])
            assert_equal(replayed, 0, live)


def test_memory_is_bounded():
    kept = MatrixCache(100)
    made = []

    def make(size):
        made.append(size)
        return np.zeros(size, np.uint8)

    for size in (60, 40, 60, 30, 60, 40):  # 30 pushes out 40, which was used before 60
        assert len(kept.get(size, lambda size=size: make(size))) == size
        assert kept.nbytes <= 100
    assert made == [60, 40, 30, 40]
    assert len(kept.get(500, lambda: make(500))) == 500  # one is always kept
    assert kept.nbytes == 500
