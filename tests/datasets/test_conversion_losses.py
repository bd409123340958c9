import time

import pytest

from assay import catalogue
from assay.datasets import formats
from assay.datasets._conversion_losses import losses, pair_judgments
from assay.records import Dataset, Judgment, Query, Reference


def judgment(name, grade=1):
    return Judgment(Reference(document_id=name), grade)


def test_queries_that_are_gone_do_not_make_others_differ(snapshot):
    before = Dataset("d", (Query("a", "x"), Query("b", "y", (judgment("d1", 2),))))
    after = Dataset("d", (Query("b", "y", (judgment("d1", 1),)),))
    snapshot(losses(before, after))


def test_an_order_that_changes_is_no_other_reference(snapshot):
    before = Dataset("d", (Query("a", "x", (judgment("d1"), judgment("d2"))),))
    after = Dataset("d", (Query("a", "x", (judgment("d2"), judgment("d1"))),))
    (lost,) = losses(before, after)
    snapshot(lost)


def reduced(name, *judgments):
    before = Dataset("d", (Query("a", "x", judgments),))
    return losses(before, catalogue.find(formats, name).reduce(before))


@pytest.mark.parametrize(("name", "grades"), [("exocortex", 1), ("beir", 0), ("csv", 0)])
def test_a_judgment_that_is_gone_hides_no_other_loss(name, grades, snapshot):
    """The first of Exocortex has grade 3 and the second grade 2, whatever they were."""
    three = [Judgment(Reference.named(one), 3, "g") for one in "ab"]
    told = reduced(name, *three, Judgment(Reference.named("c"), 0))
    assert [f" {grades} " in one for one in told if "grade" in one] == [True] * grades
    assert (told == []) == (name == "csv")
    snapshot(told)


def test_a_changed_order_hides_no_other_loss(snapshot):
    reason = Judgment(Reference(path="a"), 1, "g")
    told = reduced("exocortex", reason, Judgment(Reference(path="b"), 3))
    assert len(told) == 4
    snapshot(told)


def test_a_query_that_is_gone_hides_no_other_loss(snapshot):
    before = Dataset("d", (Query("a", "x"), Query("b", "y", category="c")))
    snapshot(losses(before, Dataset("d", (Query("b", "y"),))))


def test_one_that_could_be_either_leaves_the_other_its_partner():
    """The first may be p or d, the second only p: both are found, whatever is tried first."""
    before = [Judgment(Reference(path="p", uri="d"), 2), Judgment(Reference(file_name="p"), 1)]
    after = [Judgment(Reference(path="d"), 1), Judgment(Reference(path="p"), 1)]
    assert pair_judgments(before, after) == [(0, 0), (1, 1)]
    chain = [
        Judgment(Reference(document_id=f"{at}", uri=f"{at + 1}"), 3000 - at) for at in range(3000)
    ]
    names = [Judgment(Reference(path=f"{at}"), 1) for at in range(3000)]
    assert (
        pair_judgments([*chain, Judgment(Reference(uri="0"), 0)], [*names, names[0]])[-1][0] == 3000
    )


def test_a_dropped_grade_is_not_taken_for_the_one_that_stayed():
    before = [Judgment(Reference(path="a"), 0), Judgment(Reference(document_id="a"), 3)]
    assert pair_judgments(before, [Judgment(Reference(path="a"), 1)]) == [(1, 0)]


def test_many_judgments_are_paired_quickly():
    before = [judgment(f"d{at}", at % 3) for at in range(50_000)]
    after = [Judgment(Reference(path=f"d{at}"), 1) for at in range(50_000) if at % 3]
    start = time.process_time()
    assert len(pair_judgments(before, after)) == len(after)
    assert time.process_time() - start < 3
