import pytest

from assay.metrics.between.overlap import overlap
from assay.rankings.load import load


def test_two_of_four_documents_are_shared():
    left = load({"q": {"a": 3.0, "b": 2.0, "c": 1.0}})
    right = load({"q": {"b": 3.0, "a": 2.0, "d": 1.0}})

    assert overlap(left, right, 3)[0] == pytest.approx(2 / 4)
    assert overlap(left, right, 1)[0] == 0


def test_ids_that_begin_alike_are_different_documents():
    left = load({"q": {"document-1": 1.0, "document-10": 0.5}})
    right = load({"q": {"document-1": 1.0, "document-100": 0.5}})

    assert overlap(left, right, 2)[0] == pytest.approx(1 / 3)
