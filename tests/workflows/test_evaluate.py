import math
import re

import pandas as pd
import polars as pl
import pytest

import assay
from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError, UsageError
from assay.rankings.load import load

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}, "q3": {"d": 0}}
RUN = {"q1": {"b": 3.0, "a": 2.0}, "q3": {"d": 1.0, "u": 0.5}, "q9": {"a": 1.0}}


def test_missing_queries_score_zero_and_are_counted():
    # q1 .5, q2 missing 0, q3 nothing relevant 0; q9 is not judged.
    result = assay.evaluate(QRELS, RUN, "mrr", name="mine")
    assert result.run == "mine"
    assert result.queries == ("q1", "q2", "q3")
    assert result.per_query["mrr"].tolist() == [0.5, 0.0, 0.0]
    assert result.scores == {"mrr": pytest.approx(1 / 6)}
    assert (result.missing_queries, result.unknown_queries, result.without_relevant) == (1, 1, 1)


def test_missing_queries_and_those_without_relevant_can_be_left_out():
    skipped = assay.evaluate(QRELS, RUN, "mrr", missing="skip")
    assert skipped.queries == ("q1", "q3")
    assert skipped.scores == {"mrr": 0.25}
    assert skipped.missing_queries == 1  # still said
    both = assay.evaluate(QRELS, RUN, "mrr", missing="skip", no_relevant="skip")
    assert both.queries == ("q1",)
    assert (both.missing_queries, both.without_relevant) == (1, 1)


def test_unjudged_shares_at_each_cutoff():
    # Shown at 1: b, d; both judged. At 2: b, a, d, u; one of four is not.
    result = assay.evaluate(QRELS, RUN, "precision@1,ndcg@2")
    assert result.unjudged == {1: 0.0, 2: 0.25}
    assert assay.evaluate(QRELS, RUN, "mrr").unjudged == {10: 0.25}


def test_a_pooled_document_is_unjudged():
    result = assay.evaluate({"q": {"a": -1, "b": 1}}, {"q": {"a": 2, "b": 1}}, "precision@2")
    assert result.unjudged == {2: 0.5}


def test_condensing_still_tells_what_was_unjudged():
    result = assay.evaluate(QRELS, {"q1": {"u": 9.0, "a": 1.0}}, "mrr", unjudged="condense")
    assert result.per_query["mrr"].tolist() == [1.0, 0.0, 0.0]
    assert result.unjudged == {10: 0.5}


def test_a_run_of_unknown_queries_is_a_mistake_not_a_score(snapshot):
    with pytest.raises(InputError) as caught:
        assay.evaluate(QRELS, {"Q1": {"a": 1.0}}, "mrr")
    assert '"Q1"' in caught.value.problem
    assert '"q1"' in caught.value.problem
    snapshot(caught.value)


def test_skipping_everything_is_a_mistake_not_a_mean(snapshot):
    with pytest.raises(InputError) as caught:
        assay.evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, "mrr", no_relevant="skip")
    snapshot(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [("ties", "docId"), ("missing", "Zero"), ("unjudged", "drop"), ("no_relevant", "")],
)
def test_a_choice_that_does_not_exist_is_refused(option, value, snapshot):
    with pytest.raises(UsageError, match=f'{option}: .*"{value}"') as caught:
        assay.evaluate(QRELS, RUN, "mrr", **{option: value})
    snapshot(caught.value)


def test_an_unknown_metric_is_refused_before_anything_is_read():
    with pytest.raises(InputError, match='"ndcg@10"'):
        assay.evaluate("no/such/file", "nor/this", "ndgc@10")


def frame_of(table, value):
    rows = [(q, d, number) for q, row in table.items() for d, number in row.items()]
    return dict(zip(("query_id", "doc_id", value), map(list, zip(*rows, strict=True)), strict=True))


def trec(tmp_path, name, table, line):
    path = tmp_path / name
    rows = ((q, d, n) for q, row in table.items() for d, n in row.items())
    path.write_text("".join(line.format(*row) + "\n" for row in rows))
    return path


def test_all_inputs_give_the_same(tmp_path):
    expected = assay.evaluate(QRELS, RUN)
    inputs = [
        (load_judgments(QRELS), load(RUN)),
        (pl.DataFrame(frame_of(QRELS, "relevance")), pl.DataFrame(frame_of(RUN, "score"))),
        (pd.DataFrame(frame_of(QRELS, "relevance")), pd.DataFrame(frame_of(RUN, "score"))),
        (
            trec(tmp_path, "x.qrels", QRELS, "{} 0 {} {}"),
            trec(tmp_path, "x.run", RUN, "{0} Q0 {1} 1 {2} tag"),
        ),
    ]
    for qrels, run in inputs:
        got = assay.evaluate(qrels, run)
        assert got.scores == expected.scores
        assert got.queries == expected.queries
        assert got.unjudged == expected.unjudged
        assert (got.missing_queries, got.unknown_queries, got.without_relevant) == (1, 1, 1)
        assert all((got.per_query[m] == expected.per_query[m]).all() for m in expected.per_query)


def test_numbers_as_ids_are_their_text():
    result = assay.evaluate({1: {10: 1}}, {"1": {"10": 0.5}}, "mrr")
    assert result.queries == ("1",)
    assert result.scores == {"mrr": 1.0}


def test_the_defaults_when_no_metric_is_named():
    assert list(assay.evaluate(QRELS, RUN).scores) == [
        "precision@5", "precision@10", "precision@20", "recall@5", "recall@10", "recall@20",
        "ndcg@5", "ndcg@10", "ndcg@20", "mrr", "ap",
    ]  # fmt: skip


def test_the_mean_is_that_of_the_frame():
    result = assay.evaluate(QRELS, RUN, ["ndcg@10", "P(rel=2)@5"])
    frame = result.frame()
    assert frame.columns == ["query", "ndcg@10", "precision(rel=2)@5"]
    assert frame["query"].to_list() == list(result.queries)
    for name, score in result.scores.items():
        assert math.isclose(frame[name].mean(), score)


def test_its_text_names_run_queries_and_scores():
    text = str(assay.evaluate(QRELS, RUN, "mrr,hit@1", name="mine"))
    assert re.fullmatch(r"mine \(3 .*\): mrr 0\.1667 +hit@1 0\.0000", text)


def test_bounds_only_where_asked_for():
    assert assay.evaluate(QRELS, RUN, "mrr").bounds is None
    low, high = assay.evaluate(QRELS, RUN, "precision@2", unjudged="bounds").bounds["precision@2"]
    # q1 .5; q3 shows u: 0 or .5
    assert (low, high) == pytest.approx((0.5 / 3, 1.0 / 3))


def test_twenty_of_twenty_hits_are_not_certain():
    judged = {f"q{at}": {"a": 1} for at in range(20)}
    found = assay.evaluate(judged, {key: {"a": 1.0} for key in judged}, "hit@5", intervals=True)
    interval = found.intervals["hit@5"]
    assert (interval.low, interval.high) == (pytest.approx(0.8389, abs=1e-4), 1.0)
    assert interval.note == "all values equal"
