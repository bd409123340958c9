import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.datasets.load_judgments import load_judgments
from assay.judging.grades import graded, with_grades
from assay.records import Judgments, decode

NAMES = st.sampled_from(["a", "b", "a rather long name", "日本"])
GRADES = st.dictionaries(NAMES, st.integers(-1, 3), min_size=1, max_size=4)


def test_by_hand():
    judgments = load_judgments({"q1": {"a": 2, "b": -1}, "q2": {"a": 0}}, scale=3)
    given_ = {("q1", "b"): 3, ("q2", "a longer name"): 1}
    found = with_grades(judgments, given_)
    assert graded(found) == {
        ("q1", "a"): 2, ("q1", "b"): 3, ("q2", "a"): 0, ("q2", "a longer name"): 1,
    }  # fmt: skip
    assert found.offsets.tolist() == [0, 2, 4]  # what was pooled is judged, and not there twice
    assert graded(judgments) == {("q1", "a"): 2, ("q2", "a"): 0}


def test_items_get_an_item_more():
    judgments = Judgments.of_items({"q": [({"a": 1.0, "b": 1.0}, 2), ({"c": 0.5}, 1)]})
    found = with_grades(judgments, {("q", "new"): 3})
    assert found.items is not None
    assert len(set(found.items.tolist())) == 3
    assert decode(found.documents)[-1] == "new"
    assert found.weights is not None
    assert found.weights[-1] == 1.0


@given(st.dictionaries(st.sampled_from(["q1", "q2"]), GRADES, min_size=2), st.data())
def test_it_is_as_if_all_had_been_there(qrels, data):
    judgments = load_judgments(qrels, scale=3)
    known = graded(judgments)
    pairs = st.tuples(st.sampled_from(sorted(qrels)), NAMES).filter(lambda pair: pair not in known)
    added = data.draw(st.dictionaries(pairs, st.integers(0, 3), max_size=3))
    found = with_grades(judgments, added)
    assert graded(found) == known | added
    assert int(found.offsets[-1]) == len(found.grades) == len(found.documents)
    assert (np.diff(found.offsets) >= np.diff(judgments.offsets)).all()
