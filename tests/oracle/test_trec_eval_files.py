"""Agreement with trec_eval 9.0.8, to the four decimals that it prints.

``cases`` holds a small collection of ours (ties, grades -1 to 3, files out of order) and what
trec_eval printed for it: ``-q -m all_trec``, ``-c`` with two queries missing, ``-l2``. Its own,
much larger test files are compared as well where they are present.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import assay
from assay.metrics import parse

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("ASSAY_ORACLE", ROOT.parent / "shared" / "oracle" / "trec_eval"))
CASES = Path(__file__).parent / "cases"

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


def read(path):
    """Return {query: {our metric: printed text}} of an output of trec_eval."""
    table = {}
    for line in path.read_text().splitlines():
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


@dataclass(frozen=True)
class Collection:
    """Judgments, a run, and what trec_eval printed for them."""

    folder: Path
    qrels: str
    graded: str
    run: str
    truncated: str
    printed: dict[str, str]
    missing: int

    def read(self, which):
        return read(self.folder / self.printed[which])

    def evaluate(self, qrels, run, metrics, **options):
        return assay.evaluate(self.folder / qrels, self.folder / run, metrics, **options)


OURS = Collection(
    folder=CASES,
    qrels="qrels.txt",
    graded="qrels.txt",
    run="run.txt",
    truncated="run_two_missing.txt",
    printed={
        "all": "trec_eval_all.txt",
        "missing": "trec_eval_missing.txt",
        "level 2": "trec_eval_level_2.txt",
    },
    missing=2,
)
THEIRS = Collection(
    folder=FOLDER,
    qrels="qrels.test",
    graded="qrels.rel_level",
    run="results.test",
    truncated="results.trunc",
    printed={"all": "out.test.aq", "missing": "out.test.aqc", "level 2": "out.test.aql"},
    missing=1,
)
COLLECTIONS = {"ours": OURS} | ({"trec_eval's own": THEIRS} if FOLDER.is_dir() else {})
both = pytest.mark.parametrize("collection", COLLECTIONS.values(), ids=COLLECTIONS)


@both
def test_all_measures(collection):
    printed = collection.read("all")
    result = collection.evaluate(collection.qrels, collection.run, list(printed["all"]))
    assert set(printed) == {*result.queries, "all"}
    assert assert_agrees(printed, result) >= 150


@both
def test_missing_queries_counted_as_zero(collection):
    # trec_eval -c: the means are over the queries of the judgments, not over those of the run.
    printed = collection.read("missing")
    result = collection.evaluate(collection.qrels, collection.truncated, list(printed["all"]))
    assert result.missing_queries == collection.missing
    assert assert_agrees(printed, result) > 100


@both
def test_missing_queries_left_out(collection):
    printed = collection.read("missing")
    result = collection.evaluate(
        collection.qrels, collection.truncated, list(printed["all"]), missing="skip"
    )
    answered = len(result.queries)
    share = answered / (answered + collection.missing)
    assert set(result.queries) == set(printed) - {"all"}
    for metric, text in printed["all"].items():
        assert result.scores[metric] * share == pytest.approx(float(text), abs=0.5001e-4), metric


@both
def test_relevance_level_two(collection):
    # trec_eval -l2 moves the level of the binary measures; nDCG goes on using the grades.
    printed = collection.read("level 2")
    at_level = {}
    for query, values in printed.items():
        at_level[query] = {
            metric if metric.startswith("ndcg") else levelled(metric): text
            for metric, text in values.items()
        }
    result = collection.evaluate(collection.graded, collection.run, list(at_level["all"]))
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
