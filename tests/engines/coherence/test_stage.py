"""Coherence as a stage of a search."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from assay.engines.dense.exact import exact
from assay.engines.search import Pipeline, search
from assay.engines.stages.coherence import coherence
from assay.engines.stages.cut import cut
from assay.engines.stages.dense import dense
from assay.errors import InputError
from assay.records import CoherenceSettings, FoundRows, SearchInput

# As in test_solve; the rows of the index are not the places of the candidates.
VECTORS = np.array([[0.6, -0.8], [0.8, 0.6], [0.6, 0.8]], np.float32)
ROWS = np.array([30, 10, 20])
AT = {30: 0, 10: 1, 20: 2}
ASKED = SearchInput("any", np.array([2.0, 0.0], np.float32))
FOUND = FoundRows(np.array([10, 20, 30]), np.array([0.8, 0.6, 0.6]), "cosine", 1.0)
OPEN = CoherenceSettings(gap_margin=1.0, tolerance=1e-12, max_iterations=99)
PARTS = ["coherence_build", "coherence_solve", "coherence_rank"]


def look_up(rows):
    return VECTORS[[AT[row] for row in rows.tolist()]]


def names(rows):
    return [f"d{row}" for row in rows.tolist()]


def test_candidates_are_ranked_by_the_vectors_of_their_rows():
    found = coherence(look_up, settings=OPEN)(ASKED, [FOUND])
    assert found.rows.tolist() == [20, 30, 10]  # b, c, a of test_rank
    assert found.kind == "coherence"
    assert (np.diff(found.scores) <= 0).all()
    assert found.best is None
    assert list(found.took) == PARTS


@pytest.mark.parametrize(
    "chosen",
    [
        CoherenceSettings(),  # easy: .8 - .6
        replace(OPEN, min_drop=100.0),
        replace(OPEN, max_iterations=1),
        replace(OPEN, force_fallback=True),
    ],
)
def test_what_is_gated_or_falls_back_goes_on_untouched(chosen):
    found = coherence(look_up, settings=chosen)(ASKED, [FOUND])
    assert (found.rows.tolist(), found.scores.tolist()) == ([10, 20, 30], [0.8, 0.6, 0.6])
    assert (found.kind, found.best, list(found.took)) == ("cosine", 1.0, PARTS)


def test_no_vector_is_looked_up_for_an_easy_query():
    def refuse(rows):
        raise AssertionError(f"vectors of {rows} were looked up")

    found = coherence(refuse, settings=CoherenceSettings())(ASKED, [FOUND])
    assert (found.took["coherence_build"], found.took["coherence_solve"]) == (0.0, 0.0)
    backwards = replace(FOUND, scores=-FOUND.scores[::-1])
    assert coherence(refuse, settings=OPEN)(ASKED, [backwards]).kind == "cosine"


def test_the_time_of_each_part_is_told():
    ticks = itertools.count(step=1_000_000)  # each look at this clock takes a millisecond
    step = coherence(look_up, settings=OPEN, clock=lambda: next(ticks))
    # began, built, solving from, solving to, done: 1 ms to build, 1 to solve, and 2 of the other 3
    assert step(ASKED, [FOUND]).took == {
        "coherence_build": 1.0,
        "coherence_solve": 1.0,
        "coherence_rank": 2.0,
    }


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_and_one_go_through(count):
    some = replace(FOUND, rows=FOUND.rows[:count], scores=FOUND.scores[:count])
    found = coherence(look_up, settings=replace(OPEN, min_drop=0.0), names=names)(ASKED, [some])
    assert found.rows.tolist() == [10][:count]
    assert np.isfinite(found.scores).all()


def test_rows_without_a_vector_are_ranked_too():
    step = coherence(lambda rows: look_up(rows) * [[1.0], [0.0], [1.0]], settings=OPEN)
    found = step(ASKED, [replace(FOUND, scores=np.array([0.8, 0.0, 0.0]))])
    assert sorted(found.rows.tolist()) == [10, 20, 30]
    assert np.isfinite(found.scores).all()


def test_the_account_is_of_what_the_stage_does():
    step = coherence(look_up, settings=OPEN, names=names)
    told, found = step.study(ASKED, [FOUND]), step(ASKED, [FOUND])
    assert told.orders["coherence"] == tuple(names(found.rows))
    assert [item.score for item in told.receipt.items] == pytest.approx(found.scores.tolist())
    assert [item.cosine for item in told.receipt.items] == [0.6, 0.6, 0.8]
    assert coherence(look_up).study is None


def test_other_scores_than_cosines_are_refused():
    with pytest.raises(InputError, match='got "rrf"'):
        coherence(look_up)(ASKED, [replace(FOUND, kind="rrf")])


def test_a_query_without_a_vector_is_refused(snapshot):
    step = coherence(look_up, settings=OPEN, names=names)
    assert step.needs_vector
    for work in (step, step.study):
        with pytest.raises(InputError) as caught:
            work(SearchInput("any"), [FOUND])
        snapshot(caught.value)


def test_a_query_of_another_model_is_refused():
    with pytest.raises(InputError, match=r"5 dimensions.* 2\b"):
        coherence(look_up, settings=OPEN)(SearchInput("any", np.ones(5, np.float32)), [FOUND])


def test_settings_are_checked_before_the_first_search():
    with pytest.raises(InputError, match=r"alpha: .*2"):
        coherence(look_up, settings=CoherenceSettings(alpha=2))


def test_another_setting_is_another_stage():
    prints = {
        coherence(look_up, settings=one).fingerprint
        for one in (OPEN, CoherenceSettings(), replace(OPEN, alpha=0.2), replace(OPEN))
    }
    assert len(prints) == 3


def test_a_search_runs_through_it():
    index = exact(VECTORS, ROWS, precision="float32")
    stages = Pipeline(
        (dense(index, depth=3),), (coherence(look_up, settings=OPEN, names=names), cut(2))
    )
    answer = search(stages, "any", embed=lambda _text: np.array([[1.0, 0.0]], np.float32))
    assert answer.found.rows.tolist() == [20, 30]
    assert [one.stage for one in answer.traced] == ["dense", "coherence", "cut"]
    assert set(PARTS) < set(answer.latency_ms)
    assert "coherence" not in answer.latency_ms
