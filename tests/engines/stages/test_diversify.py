"""The first of a list become unlike each other; vectors are asked for by row, not by place."""

import numpy as np
import pytest

from assay.engines.mmr import mmr
from assay.engines.search import Pipeline, search
from assay.engines.stages import Step
from assay.engines.stages.cut import cut
from assay.engines.stages.diversify import diversify
from assay.errors import InputError
from assay.records import FoundRows, MmrSettings, SearchInput

ALWAYS = MmrSettings(always=True, k=3, pool=6)
ASKED = SearchInput("any text")


def at(degrees):
    return np.array([[np.cos(a), np.sin(a)] for a in np.radians(degrees)], np.float32)


def test_by_hand():
    # Row 7 comes first, row 2 is its copy, row 9 is at right angles to both.
    index = at([0, 0, 0, 0, 0, 0, 0, 0, 0, 90])
    before = FoundRows(np.array([7, 2, 9]), np.array([0.9, 0.8, 0.1]), "cosine", 1.0)
    after = diversify(index.__getitem__, settings=ALWAYS)(ASKED, [before])
    assert after.rows.tolist() == [7, 9, 2]
    # .3 * 1 + .7; .3 * 0 - .7 * 0; .3 * .875 - .7 * 1.
    assert after.scores == pytest.approx([1, 0, 0.2625 - 0.7], abs=1e-7)
    assert (after.kind, after.best) == ("mmr", None)


def test_vectors_are_those_of_the_rows_and_not_of_the_places():
    rng = np.random.default_rng(1)
    index = rng.normal(size=(500, 16)).astype(np.float32)
    asked_for = []

    def vectors(rows):
        asked_for.append(rows.copy())
        return index[rows]

    rows = rng.permutation(500)[:40]
    before = FoundRows(rows, np.linspace(1, 0, 40), "cosine", 1.0)
    settings = MmrSettings(always=True)
    after = diversify(vectors, settings=settings)(ASKED, [before])
    right, _ = mmr(before.scores, index[rows], settings=settings)
    wrong, _ = mmr(before.scores, index[np.arange(40)], settings=settings)
    assert right.tolist() != wrong.tolist()  # a stage that asks by place would be seen
    assert after.rows.tolist() == rows[right].tolist()
    assert [one.tolist() for one in asked_for] == [rows.tolist()]


def test_the_rest_stay_below_in_their_order():
    index = at(np.arange(100))
    rows = np.arange(99, -1, -1)
    after = diversify(index.__getitem__, settings=ALWAYS)(
        ASKED, [FoundRows(rows, np.linspace(1, 0.5, 100), "rrf", 0.2)]
    )
    assert len(set(after.rows.tolist())) == 100
    chosen = set(after.rows[:3].tolist())
    assert after.rows[3:].tolist() == [row for row in rows.tolist() if row not in chosen]
    assert chosen <= set(rows[:6].tolist())  # the pool
    assert (np.diff(after.scores) <= 0).all()
    assert (np.diff(after.scores[2:]) < 0).all()


def test_where_nothing_is_alike_the_list_goes_on_untouched():
    index = np.eye(30, dtype=np.float32)
    before = FoundRows(np.arange(30), np.linspace(1, 0, 30), "cosine", 1.0)
    assert diversify(index.__getitem__, settings=MmrSettings())(ASKED, [before]) is before
    few = FoundRows(np.arange(8), np.linspace(1, 0, 8), "cosine", 1.0)
    same = np.ones((30, 4), np.float32)
    assert diversify(same.__getitem__, settings=MmrSettings())(ASKED, [few]) is few


@pytest.mark.parametrize("settings", [MmrSettings(), ALWAYS])
def test_an_empty_list_stays_empty(settings):
    empty = FoundRows(np.empty(0, np.int64), np.empty(0), "cosine", 1.0)
    index = np.ones((3, 2), np.float32)
    assert diversify(index.__getitem__, settings=settings)(ASKED, [empty]) is empty


def test_one_row_and_a_row_without_a_vector():
    index = np.zeros((3, 2), np.float32)
    index[0] = [1, 0]
    one = FoundRows(np.array([2]), np.array([0.5]), "cosine", 1.0)
    assert diversify(index.__getitem__, settings=ALWAYS)(ASKED, [one]).rows.tolist() == [2]
    two = FoundRows(np.array([0, 2, 1]), np.array([0.5, 0.1, 0.0]), "cosine", 1.0)
    after = diversify(index.__getitem__, settings=ALWAYS)(ASKED, [two])
    assert after.rows.tolist() == [0, 2, 1]
    assert np.isfinite(after.scores).all()


def test_the_pool_of_a_long_list_is_all_that_is_looked_up():
    seen = []

    def vectors(rows):
        seen.append(len(rows))
        return np.ones((len(rows), 4), np.float32)

    long = FoundRows(np.arange(100_000), np.linspace(1, 0, 100_000), "cosine", 1.0)
    after = diversify(vectors, settings=MmrSettings())(ASKED, [long])
    assert seen == [50]
    assert after.rows.tolist() == list(range(100_000))


def test_in_a_search_without_a_vector_of_the_query():
    index = at([0, 1, 2, 90])
    rows, scores = np.array([3, 0, 1, 2]), np.array([4.0, 3, 2, 1])
    lexical = Step("lexical", lambda: "fake words", lambda _asked, _found: FoundRows(rows, scores))
    stages = Pipeline((lexical,), (diversify(index.__getitem__, settings=ALWAYS), cut(2)))
    assert not stages.needs_vector
    searched = search(stages, "any text")
    assert searched.found.rows.tolist() == [3, 0]
    assert [one.stage for one in searched.traced] == ["lexical", "diversify", "cut"]
    assert "diversify" in searched.latency_ms


def test_a_document_that_was_not_there_is_left_out():
    index = at([0, 1, 2, 90])
    step = diversify(index.__getitem__, settings=ALWAYS)
    before = FoundRows(np.array([0, 1]), np.array([1.0, 0.5]))
    assert step.lose(ASKED, [before], step(ASKED, [before]), np.array([3])).rank is None


@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_a_vector_that_is_no_number_is_refused(broken):
    index = at([0, 1, 2, 90])
    index[2, 1] = broken
    step = diversify(index.__getitem__, settings=ALWAYS)
    with pytest.raises(InputError, match="NaN or infinite"):
        step(ASKED, [FoundRows(np.array([0, 2]), np.array([1.0, 0.5]))])


def test_any_setting_changes_the_fingerprint():
    def of(**changes):
        return diversify(lambda rows: rows, settings=MmrSettings(**changes)).fingerprint

    prints = [
        of(),
        of(relevance=0.4),
        of(k=11),
        of(pool=70),
        of(min_k=9),
        of(min_redundancy=0.4),
        of(always=True),
    ]
    assert len(set(prints)) == 7
    assert of() == of()


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"relevance": 1.1}, "relevance"),
        ({"relevance": float("nan")}, "relevance"),
        ({"k": 0}, "k"),
        ({"pool": 9}, "pool"),
        ({"pool": 0}, "pool"),
        ({"min_k": -1}, "min_k"),
        ({"min_redundancy": 2.0}, "min_redundancy"),
        ({"min_redundancy": float("nan")}, "min_redundancy"),
    ],
)
def test_settings_that_make_no_search_are_refused(changes, where):
    with pytest.raises(InputError) as problem:
        diversify(lambda rows: rows, settings=MmrSettings(**changes))
    assert problem.value.where == where
