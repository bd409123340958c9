"""ConsciousDB's table and template, each field as its documents show it and worked by hand."""

import json

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
PAGE = """\
# Benchmark report

## c\\*h

| Method | nDCG@10 | MRR@10 | P95 Lat (ms) | Avg ΔH | Explainability | nDCG Uplift % | \
MRR Uplift % |
| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |
| Cosine | 0.4000 | 0.8000 | - | 0.0000 | none | 0.00 | 0.00 |
| ConsciousDB | 0.5000 | 0.6000 | 8.0 | 2.5000 | receipt | 25.00 | -25.00 |
| ConsciousDB+MMR | 0.4500 | 0.6000 | - | 2.5000 | receipt | 25.00 | - |
| Neighbour average (control) | 0.4400 | 0.7000 | - | - | none | 25.00 | - |
| Shuffled graph (control) | 0.4200 | 0.7000 | - | - | none | 25.00 | - |
| Reranker-maxsim (hybrid) | 0.6250 | 0.7500 | 8.0 | - | none | 56.25 | -6.25 |

```
Date: 2026-01-30
Corpus: c
Queries: 2
M: 400  K: 10
Alpha: 0.1

nDCG@5 (vector, conscious): - / -
nDCG@10 (vector, conscious): 0.400 / 0.500 (+25.0%)
Latency P50/P95 (ms): 5.0 / 8.0
Fallback Rate: 25.0% (forced excluded)
Easy Gate Rate: 50%
Edge Overlap (median): -
Redundancy (mean top-10 pre-MMR): 0.38
Suggested Alpha (median): 0.12
```

### Interpreting ΔH vs Uplift

- It tells nothing.

### Notes
"""


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
    assert told["notes"]["methods.Cosine.p95_latency_ms"].endswith("not timed by itself")
    assert told["ndcg"]["@10"]["delta_relative"] == pytest.approx(0.25)
    assert "12 to 14 times" in told["notes"]["deltaH_total"]


def test_the_page_is_the_table_and_the_template(made, studied):
    text = page(consciousdb(made.report(studied(), made.run()), date=DATE)).decode()
    assert text.startswith(PAGE)
    assert "- edge_overlap: the graph is exact" in text


def test_without_structure_runs_stand_beside_the_baseline(made):
    told = consciousdb(made.report(made.run("a"), made.run("b|<")), date=DATE)
    assert [one["method"] for one in told["methods"]] == [
        "Reranker-maxsim (a)",
        "Reranker-maxsim (b|<)",
    ]
    assert told["methods"][0]["ndcg_uplift_percent"] == 0.0
    assert told["methods"][1]["ndcg_uplift_percent"] == 0.0
    assert told["fallback_rate"] is None
    assert told["notes"]["fallback_rate"] == "no ranking by structure in this run"
    text = page(told).decode()
    assert "b\\|<" in text
    assert text.startswith(f"# Benchmark report\n\n## {told['benchmark']}\n\n| Method ")
    assert "\n\nOf the run a:\n\n```\nDate: " in text


def test_an_energy_that_nobody_measured_is_null(made, studied):
    told = consciousdb(made.report(made.run("a"), made.run("b")), date=DATE)
    assert [one["avg_deltaH"] for one in told["methods"]] == [None, None]
    assert "no energy is measured" in told["notes"]["methods.avg_deltaH"]
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
