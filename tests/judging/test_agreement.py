"""Two judges are paired by what they judged, however they point at it."""

import pytest

from assay.records import Dataset, Document, Judgment, Query, Reference
from assay.workflows.audit import audit

PAGES = [Document("1", path="docs/a.md", file_name="a.md"), Document("2", path="docs/b.md")]


def judged(name, *judgments):
    return Dataset(name, (Query("q", "how to begin", judgments),))


def test_by_reference_whatever_the_part_or_the_group():
    first = judged(
        "first",
        Judgment(Reference(path="a.md", symbol="Begin"), 3, "either"),
        Judgment(Reference(path="b.md"), 1),
        Judgment(Reference(path="c.md"), -1),
    )
    second = judged(
        "second", Judgment(Reference(path="a.md"), 2), Judgment(Reference(path="b.md"), 1)
    )
    found = audit(first, judge=second).agreement
    assert (found.pairs, found.equal, found.only_first, found.only_second) == (2, 1, 0, 0)
    assert [(one["first"], one["second"]) for one in found.disagreements] == [(3, 2)]


def test_by_document_where_there_is_a_corpus():
    first = judged("first", Judgment(Reference(path="docs/a.md"), 3))
    second = judged("second", Judgment(Reference(file_name="a.md"), 3))
    assert audit(first, judge=second).agreement.pairs == 0
    assert audit(first, PAGES, judge=second).agreement.pairs == 1


@pytest.mark.parametrize("order", [1, -1])
def test_of_several_grades_the_largest_holds(order):
    twice = [Judgment(Reference(path="a.md"), grade) for grade in (0, 3)[::order]]
    second = judged("second", Judgment(Reference(path="a.md"), 3))
    assert audit(judged("first", *twice), judge=second).agreement.equal == 1
