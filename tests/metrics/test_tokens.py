"""Cut-offs in tokens: what fits into a context window."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.metrics import parse
from assay.rankings.judge import judge
from assay.rankings.load import load
from assay.records import Judgments

JUDGED = Judgments.of_items({"q": [({"a": 1.0}, 3), ({"b": 1.0}, 1)], "r": [({"a": 1.0}, 2)]})


def scored(name, lengths, judgments=JUDGED, run=None):
    run = run or {"q": {"x": 9, "a": 8, "b": 7}, "r": {"a": 5, "x": 1}}
    rankings = load(run)
    rankings = replace(rankings, tokens=np.array(lengths, np.int64))
    return parse(name).score(judge(judgments, rankings)).tolist()


def test_by_hand():
    lengths = [100, 50, 50, 200, 1]
    assert scored("recall@99tokens", lengths) == [0.0, 0.0]
    assert scored("recall@150tokens", lengths) == [0.5, 0.0]  # x and a; of r not even the first
    assert scored("recall@200tokens", lengths) == [1.0, 1.0]
    assert scored("hit@150tokens", lengths) == [1.0, 0.0]
    assert scored("mrr@150tokens", lengths) == [0.5, 0.0]
    ideal = 3 + 1 / np.log2(3)
    assert scored("ndcg@150tokens", lengths) == [pytest.approx(3 / np.log2(3) / ideal), 0.0]


@pytest.mark.parametrize("name", ["recall@4000tokens", "recall(rel=2)@50tokens", "ndcg@1tokens"])
def test_a_name_reads_back(name):
    assert str(parse(name)) == name
    assert parse(name).k is None


@given(
    st.integers(1, 6), st.permutations("abxyz"), st.sampled_from(["recall", "hit", "mrr", "ndcg"])
)
def test_with_one_token_each_it_is_the_cut_off_in_results(most, order, name):
    run = {"q": {document: -rank for rank, document in enumerate(order)}}
    judged = JUDGED.only(["q"])
    plain = parse(f"{name}@{most}").score(judge(judged, load(run))).tolist()
    if name == "ndcg":  # the ideal is over all judged documents: no window is filled by it
        plain = parse("ndcg").score(judge(judged, cut(load(run), most))).tolist()
    assert scored(f"{name}@{most}tokens", [1] * 5, judged, run) == pytest.approx(plain)


def cut(rankings, most):
    return replace(
        rankings,
        offsets=np.array([0, min(most, 5)]),
        documents=rankings.documents[:most],
        scores=rankings.scores[:most],
    )


def test_without_texts_it_is_refused():
    with pytest.raises(InputError, match="texts"):
        parse("recall@10tokens").score(judge(JUDGED, load({"q": {"a": 1.0}})))


@pytest.mark.parametrize(
    "name", ["precision@10tokens", "ap@5tokens", "f1@3tokens", "bpref@3tokens"]
)
def test_other_metrics_have_none(name):
    with pytest.raises(InputError):
        parse(name)


@pytest.mark.parametrize(
    "name", ["recall@0tokens", "recall@tokens", "recall@5token", "recall@5 tokens"]
)
def test_odd_names_are_refused(name):
    with pytest.raises(InputError):
        parse(name)
