"""What is said of approximate indexes: which setting is enough, or why none is named."""

from dataclasses import replace

import pytest
from tests.benchmarks.analysis.test_approximate import GOOD, POOR, SLIGHT, hnsw, report, run

from assay.benchmarks.analysis.approximate import approximate as analysed
from assay.reports.analysis.approximate import approximate
from assay.reports.text import text


def table(*runs):
    made = report(*runs)
    return approximate(replace(made, analysis={"approximate": analysed(made, seed=0)}))


def test_the_cheapest_is_named(snapshot):
    runs = [run("exact", GOOD, ms=8.0), hnsw(POOR, ef=16, ms=0.1), hnsw(SLIGHT, ef=64, ms=0.4)]
    made = table(*runs)
    assert made.titles == (
        *("run", "recall@10", "worst", "dense p50", "p95", "ndcg@10", "vs exact"),
    )
    assert [row[0] for row in made.rows] == [one.name for one in runs]
    assert [text(made, 2, at) for at in (1, 2, 3, 4)] == ["90.0%", "80%", "0.40", "0.80"]
    assert text(made, 2, 6).startswith("-0.0002 [")
    for fact in (runs[2].name, "2%", "90.0%", "0.4 ms", "8 ms"):
        assert fact in made.caption
    snapshot(made.caption)


CASES = {
    "slower than exact": [run("exact", GOOD, ms=0.2), hnsw(GOOD, ef=64, ms=0.4)],
    "none is enough": [run("exact", GOOD), hnsw(POOR, ef=16), hnsw(POOR, ef=64)],
    "no exact run": [hnsw(POOR, ef=16)],
    "untimed": [run("exact", GOOD, ms=0), hnsw(GOOD, ef=64, ms=0), hnsw(POOR, ef=16, ms=0)],
}


@pytest.mark.parametrize("case", CASES)
def test_why_none_is_named(case, snapshot):
    said = table(*CASES[case]).caption
    assert "fastest" not in said
    snapshot(said)


def test_nothing_is_said_of_exact_search():
    assert table(run("exact", GOOD)) is None


def test_many_rows_are_counted():
    made = table(run("exact", GOOD), *(hnsw(GOOD, ef=ef) for ef in range(10, 60)))
    assert len(made.rows) == 40
    assert made.footer[0][0] == "11 more"
