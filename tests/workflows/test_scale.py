"""The judges' scale: the largest grade that somebody could have given."""

import pytest

import assay
from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError

QRELS = {"q": {"a": 1}}
RUN = {"q": {"a": 2.0, "b": 1.0}}


def test_a_larger_scale_lowers_err_and_widens_bounds():
    # ERR of one document of grade 1 at rank 1: (2^1 - 1) / 2^scale.
    assert assay.evaluate(QRELS, RUN, "err@1").scores["err@1"] == pytest.approx(1 / 2)
    assert assay.evaluate(QRELS, RUN, "err@1", scale=3).scores["err@1"] == pytest.approx(1 / 8)

    narrow, wide = (
        assay.evaluate(QRELS, RUN, "ndcg@2", unjudged="bounds", scale=scale).bounds["ndcg@2"]
        for scale in (1, 3)
    )
    assert wide[0] < narrow[0]


def test_the_scale_holds_for_judgments_that_were_read_before():
    read = load_judgments(QRELS)

    assert assay.evaluate(read, RUN, "err@1", scale=3).scores["err@1"] == pytest.approx(1 / 8)


def test_a_scale_below_a_grade_is_refused():
    with pytest.raises(InputError, match=r"scale.* 2"):
        assay.evaluate({"q": {"a": 2}}, RUN, scale=1)
