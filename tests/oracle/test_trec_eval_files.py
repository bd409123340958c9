"""Agreement with trec_eval's own test files, to the four decimals that it prints."""

import os
import re
from pathlib import Path

import pytest

import assay
from assay.metrics import parse

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("ASSAY_ORACLE", ROOT.parent / "shared" / "oracle" / "trec_eval"))
needs_files = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"trec_eval's test files are not in {FOLDER} (set ASSAY_ORACLE to their folder)",
)

WHOLE = {
    "map": "ap",
    "Rprec": "r_precision",
    "bpref": "bpref",
    "recip_rank": "mrr",
    "infAP": "infap",
    "ndcg": "ndcg",
    "set_recall": "recall",
}
CUT = re.compile(r"(P|recall|ndcg_cut|map_cut|success)_(\d+)")


def ours(measure):
    """Return our name of a trec_eval measure; None where it has no counterpart here."""
    return str(parse(measure)) if CUT.fullmatch(measure) else WHOLE.get(measure)


def read(name):
    """Return {query: {our metric: printed text}} of an output of trec_eval."""
    table = {}
    for line in (FOLDER / name).read_text().splitlines():
        measure, query, value = line.split()
        if metric := ours(measure):
            table.setdefault(query, {})[metric] = value
    return table


def assert_agrees(printed, result):
    assert set(printed) - {"all"} <= set(result.queries)
    compared = 0
    for query, values in printed.items():
        for metric, text in values.items():
            if query == "all":
                score = result.scores[metric]
            else:
                score = result.per_query[metric][result.queries.index(query)]
            # Half a unit of the last printed place, and a little for a score on its edge.
            assert score == pytest.approx(float(text), abs=0.5001e-4), (query, metric)
            compared += 1
    return compared


@needs_files
@pytest.mark.parametrize(("name", "least"), [("out.test.aq", 150), ("out.test.a", 40)])
def test_all_measures(name, least):
    printed = read(name)
    result = assay.evaluate(FOLDER / "qrels.test", FOLDER / "results.test", list(printed["all"]))
    assert len(result.queries) == 3
    assert assert_agrees(printed, result) >= least


@needs_files
def test_the_usual_measures():
    printed = read("out.test")
    assert len(printed["all"]) == 13
    result = assay.evaluate(FOLDER / "qrels.test", FOLDER / "results.test", list(printed["all"]))
    assert_agrees(printed, result)


@needs_files
def test_missing_queries_counted_as_zero():
    # trec_eval -c: the means are over the queries of the judgments, not over those of the run.
    printed = read("out.test.aqc")
    result = assay.evaluate(FOLDER / "qrels.test", FOLDER / "results.trunc", list(printed["all"]))
    assert result.missing_queries == 1
    assert assert_agrees(printed, result) > 100


@needs_files
def test_missing_queries_left_out():
    printed = read("out.test.aqc")
    result = assay.evaluate(
        FOLDER / "qrels.test", FOLDER / "results.trunc", list(printed["all"]), missing="skip"
    )
    assert result.queries == ("301", "303")
    for metric, text in printed["all"].items():
        assert result.scores[metric] * 2 / 3 == pytest.approx(float(text), abs=0.5001e-4), metric


@needs_files
def test_relevance_level_two():
    # trec_eval -l2 moves the level of the binary measures; nDCG goes on using the grades.
    printed = read("out.test.aql")
    at_level = {}
    for query, values in printed.items():
        at_level[query] = {
            metric if metric.startswith("ndcg") else levelled(metric): text
            for metric, text in values.items()
        }
    result = assay.evaluate(
        FOLDER / "qrels.rel_level", FOLDER / "results.test", list(at_level["all"])
    )
    assert assert_agrees(at_level, result) >= 150


def levelled(metric):
    name, at, k = metric.partition("@")
    return f"{name}(rel=2){at}{k}"


# A case small enough to check by hand, with what trec_eval 9.0.8 prints for it.
QRELS = {"1": {"a": 1, "b": 0, "c": 2, "d": -1, "e": 1}, "2": {"a": 1, "b": 1}}
RUN = {"1": {"b": 3.0, "a": 2.0, "d": 2.0, "c": 1.0, "x": 0.5}, "2": {"b": 1.0, "z": 1.0}}
BY_HAND = {
    # query 1 in order: b, d, a, c, x (d before a: the later id first); query 2: z, b
    "map": ((1 / 3 + 2 / 4) / 3, (1 / 2) / 2),
    "Rprec": (1 / 3, 1 / 2),
    "recip_rank": (1 / 3, 1 / 2),
    "P_5": (2 / 5, 1 / 5),
    "recall_3": (1 / 3, 1 / 2),
    "success_1": (0, 0),
    # one judged non-relevant document exists, and stands above both; none at all: 1 each
    "bpref": (0, 1 / 2),
    # gains 0 0 1 2: 1/2 + 2/2.3219; ideal 2 1 1: 2 + 1/1.5850 + 1/2
    "ndcg": ((0.5 + 2 / 2.321928) / (2.5 + 1 / 1.584963), 1 / 1.584963 / (1 + 1 / 1.584963)),
    # rank 3: one non-relevant and one pooled above: (1 + 2 x e/(1 + 2e)) / 3;
    # rank 4: one each of relevant, non-relevant, pooled: (1 + 3/2) / 4; rank 2 of the second: 1/2
    "infAP": ((1 / 3 + 2.5 / 4) / 3, (1 / 2) / 2),
}


@pytest.mark.parametrize("measure", BY_HAND)
def test_by_hand(measure):
    metric = ours(measure) or str(parse(measure))
    values = assay.evaluate(QRELS, RUN, metric).per_query[metric]
    assert values.tolist() == pytest.approx(list(BY_HAND[measure]), abs=1e-5)
