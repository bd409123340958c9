import pytest

import assay
from assay.errors import InputError


def of(*items):
    return assay.Judgments.of_items({"q": list(items)})


def test_each_member_of_an_item_is_a_row():
    judgments = assay.Judgments.of_items(
        {"q1": [({"a": 1.0, "b": 0.7}, 3), ({}, 2)], "q2": [], "q3": [({"a": 1.0}, 1)]}
    )
    assert judgments.queries == ("q1", "q2", "q3")
    assert judgments.offsets.tolist() == [0, 3, 3, 4]
    assert judgments.query.tolist() == [0, 0, 0, 2]
    assert judgments.documents.tolist() == [b"a", b"b", b"", b"a"]
    assert judgments.grades.tolist() == [3, 3, 2, 1]
    assert judgments.items.tolist() == [0, 0, 1, 2]
    assert judgments.weights.tolist() == [1.0, 0.7, 1.0, 1.0]


def test_the_scale_reaches_the_largest_grade():
    assert of(({"a": 1.0}, 1)).scale == 3
    assert of(({"a": 1.0}, 5)).scale == 5
    assert assay.Judgments.of_items({"q": [({"a": 1.0}, 1)]}, scale=1).scale == 1


@pytest.mark.parametrize(
    ("item", "fact"),
    [
        (({"a": 1.0}, 0.5), "0.5"),
        (({"a": 1.0}, float("nan")), "nan"),
        (({"a": 2.0}, 1), '2.0 of document "a"'),
        (({"a": float("nan")}, 1), 'nan of document "a"'),
        (({"": 1.0}, 1), "document"),
    ],
    ids=str,
)
def test_odd_items_are_refused_with_their_query(item, fact, snapshot):
    with pytest.raises(InputError, match=fact) as caught:
        of(item)
    assert caught.value.where == 'query "q"'
    assert caught.value.hint
    snapshot(caught.value)
