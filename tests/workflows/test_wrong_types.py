"""From Python, too, a mistake gets one message and not a traceback of ours."""

import pytest

import assay
from assay.errors import AssayError
from assay.metrics import parse
from assay.records import Configuration

QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1.0}}


@pytest.mark.parametrize("metrics", [None, 5, [5], [None], "", [""], [["ndcg@10"]], ","])
def test_what_is_no_metric_is_refused(metrics, snapshot):
    with pytest.raises(AssayError, match="metric") as caught:
        assay.evaluate(QRELS, RUN, metrics)
    snapshot(caught.value)


def test_a_metric_that_was_read_before_is_taken():
    assert assay.evaluate(QRELS, RUN, [parse("mrr"), "ap"]).scores == {"mrr": 1.0, "ap": 1.0}


@pytest.mark.parametrize("scale", [2.5, "3", float("nan"), 10**20, 1001])
def test_a_scale_is_a_small_whole_number(scale):
    with pytest.raises(AssayError, match="scale"):
        assay.evaluate(QRELS, RUN, "err@10", scale=scale)


@pytest.mark.parametrize("primary", [3, "", "nonsense@10"])
def test_a_wrong_primary_is_refused(primary):
    with pytest.raises(AssayError):
        assay.compare(RUN, RUN, qrels=QRELS, metrics="mrr", primary=primary)


@pytest.mark.parametrize("run", [None, 5, [], [RUN], object()])
def test_what_is_no_run_is_refused(run):
    with pytest.raises(AssayError, match=rf"\b{type(run).__name__}\b"):
        assay.evaluate(QRELS, run)


@pytest.mark.parametrize(
    "items",
    [
        {"q": [({"a": "1"}, 1)]},
        {"q": [({"a": 1.0}, "1")]},
        {"q": [(["a"], 1)]},
        {"q": [({"a": 1.0}, None)]},
    ],
)
def test_odd_expected_items_are_refused(items):
    with pytest.raises(AssayError, match='query "q"'):
        assay.Judgments.of_items(items)


@pytest.mark.parametrize(
    "configuration",
    [
        7,
        "lexical",
        ["search"],
        Configuration(search="x"),
        Configuration(depth="9"),
        Configuration(search="lexical", threshold=2.0),
        Configuration(chunker="unknown"),
    ],
)
def test_what_is_no_configuration_is_refused(configuration, tmp_path):
    with pytest.raises(AssayError):
        assay.search(tmp_path, "query", configuration=configuration, workspace=tmp_path / "ws")


@pytest.mark.parametrize("query", [None, 5, b"bytes", ["list"]])
def test_what_is_no_query_is_refused(query, tmp_path):
    lexical = {"search": "lexical"}
    with pytest.raises(AssayError, match=rf"query .*\b{type(query).__name__}\b"):
        assay.search(tmp_path, query, configuration=lexical, workspace=tmp_path / "ws")
