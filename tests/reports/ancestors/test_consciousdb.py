"""ConsciousDB's table and template, each field as its documents show it and worked by hand."""

import json
import re

import pytest

from assay.reports.ancestors.consciousdb import consciousdb
from assay.reports.ancestors.markdown.consciousdb import page

DATE = "2026-01-30T12:00:00"
CONFIGURATION = {"search": "dense", "depth": 400, "coherence": {"alpha": 0.1}}
STAGES = {"embed": {"p95": 2.0}, "coherence_solve": {"p95": 1.0}, "cut": {"p95": 0.1}}
# The titles of the table -> the row of ConsciousDB.
ROW = {
    "method": "ConsciousDB",
    "ndcg@10": 0.5,
    "mrr@10": 0.6,
    "p95_latency_ms": 8.0,  # of the run, which returns this order
    "avg_deltaH": 2.5,
    "explainability": "receipt",
    "ndcg_uplift_percent": pytest.approx(25.0),
    "mrr_uplift_percent": pytest.approx(-25.0),
    "ndcg_difference_ci": pytest.approx([0.0, 0.2]),
    "mrr_difference_ci": pytest.approx([-0.3, -0.1]),
}
# The lines of the template, and the metrics of the method -> what the small report has.
FIELDS = {
    "date": "2026-01-30",
    "corpus": "c",
    "queries": 2,
    "m": 400,
    "k": [10],
    "alpha": 0.1,
    "ndcg.@10.vector": 0.4,
    "ndcg.@10.conscious": 0.5,
    "ndcg.@5.vector": None,
    "latency_ms.p50": 5.0,
    "latency_ms.p95": 8.0,
    "fallback_rate": 0.25,
    "easy_gate_rate": 0.5,
    "edge_overlap": None,  # the graph is exact
    "redundancy": 0.375,  # before MMR
    "suggested_alpha": 0.125,
    "deltaH_total.mean": 2.5,
    "deltaH_total.p95": 2.9,
    "deltaH_total.histogram": {"edges": [2.0, 3.0], "counts": [2]},
    "coherence_fraction": None,
    "solver_efficiency": None,
    "condition_bound": None,
    "latency_stages_ms": {"embed": {"p95": 2.0}, "solve": {"p95": 1.0}},
}
# The ancestor's own titles and lines, which stay as they are.
TITLES = ["Method", "nDCG@10", "MRR@10", "P95 Lat (ms)", "Avg ΔH", "Explainability"]
TITLES += ["nDCG Uplift %", "MRR Uplift %"]
LINES = ["Date", "Corpus", "Queries", "M", "Alpha", "nDCG@5 (vector, conscious)"]
LINES += ["nDCG@10 (vector, conscious)", "Latency P50/P95 (ms)", "Fallback Rate", "Easy Gate Rate"]
LINES += ["Edge Overlap (median)", "Redundancy (mean top-10 pre-MMR)", "Suggested Alpha (median)"]


@pytest.fixture
def studied(made):
    def make(name="c*h", **options):
        times = {"p50": 5.0, "p95": 8.0, "stages": STAGES}
        chosen = {"configuration": CONFIGURATION, "latency_ms": times}
        return made.run(name, structure=made.structure(), **chosen, **options)

    return make


def at(value, path):
    for step in path.split("."):
        value = value[step]
    return value


@pytest.mark.parametrize("path", FIELDS)
def test_each_field_of_the_template(made, studied, path):
    told = consciousdb(made.report(studied(), made.run()), date=DATE)
    assert at(told, path) == FIELDS[path]
    if FIELDS[path] is None:
        assert told["notes"][path.removesuffix(".vector")]


def test_the_row_of_a_method(made, studied):
    told = consciousdb(made.report(studied(), made.run()), date=DATE)
    assert told["methods"][1] == ROW
    assert told["notes"]["methods.Cosine.p95_latency_ms"]
    assert told["ndcg"]["@10"]["delta_relative"] == pytest.approx(0.25)
    assert "12 to 14" in told["notes"]["deltaH_total"]


def test_the_page_is_the_table_and_the_template(made, studied, snapshot):
    text = page(consciousdb(made.report(studied(), made.run()), date=DATE)).decode()
    snapshot(text)
    table = [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("| ")]
    assert table[0] == TITLES
    assert [row[1] for row in table[2:]] == [
        *("0.4000", "0.5000", "0.4500", "0.4400", "0.4200", "0.6250"),
    ]
    (template,) = re.findall(r"```\n(.*?)```", text, re.S)
    told = dict(line.split(": ", 1) for line in template.splitlines() if line)
    assert [*told] == LINES
    assert (told["M"], told["Alpha"], told["Easy Gate Rate"]) == ("400  K: 10", "0.1", "50%")
    assert told[LINES[6]].split() == ["0.400", "/", "0.500", "(+25.0%)"]


def test_without_structure_runs_stand_beside_the_baseline(made, snapshot):
    told = consciousdb(made.report(made.run("a"), made.run("b|<")), date=DATE)
    assert [one["method"] for one in told["methods"]] == [
        "Reranker-maxsim (a)",
        "Reranker-maxsim (b|<)",
    ]
    assert told["methods"][0]["ndcg_uplift_percent"] == 0.0
    assert told["methods"][1]["ndcg_uplift_percent"] == 0.0
    assert told["fallback_rate"] is None
    assert told["notes"]["fallback_rate"]
    text = page(told).decode()
    snapshot(text)
    assert "b\\|<" in text
    assert f"\n\n## {told['benchmark']}\n\n| Method " in text


def test_an_energy_that_nobody_measured_is_null(made, studied):
    told = consciousdb(made.report(made.run("a"), made.run("b")), date=DATE)
    assert [one["avg_deltaH"] for one in told["methods"]] == [None, None]
    assert told["notes"]["methods.avg_deltaH"]
    told = consciousdb(made.report(studied(), made.run()), date=DATE)
    known = {one["method"]: one["avg_deltaH"] for one in told["methods"]}
    assert [name for name, fall in known.items() if fall is not None] == [
        "Cosine",
        "ConsciousDB",
        "ConsciousDB+MMR",
    ]


def test_several_by_structure_one_of_them_and_none(made, studied):
    both = made.report(studied("x"), studied("y"))
    told = consciousdb(both, date=DATE)
    assert [one["run"] for one in told["reports"]] == ["x", "y"]
    assert consciousdb(both, date=DATE, run="y") == told["reports"][1]
    assert page(told).decode().count("| Cosine |") == 2
    nothing = consciousdb(made.report(), date=DATE)
    assert nothing["methods"] == []
    assert b"Queries: 2" in page(nothing)


def test_a_failed_run(made):
    lost = made.run("x", status="failed", error="no `model`", scores={}, latency_ms={})
    told = consciousdb(made.report(lost), date=DATE)
    json.dumps(told, allow_nan=False)
    assert told["methods"] == []
    assert "no \\`model\\`" in page(told).decode()
