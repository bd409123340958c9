"""The curve of recall and latency: what its marks tell, and where they stand."""

import re
from dataclasses import replace

import pytest
from tests.benchmarks.analysis.test_approximate import GOOD, SLIGHT, hnsw, report, run

from assay.benchmarks.analysis.approximate import approximate
from assay.reports.charts import draw
from assay.reports.charts.kinds.recall import _RecallAxis
from assay.reports.charts.look import PAGE


def drawn(*runs):
    made = report(*runs)
    made = replace(made, analysis={"approximate": approximate(made, seed=0)})
    return draw.svg(made, "recall")


def test_a_point_says_what_it_is():
    svg = drawn(run("exact", GOOD, ms=8.0), hnsw(SLIGHT, ef=64, recall=0.95, ms=0.4))
    told = "ef_search 64: recall 95.0%, p50 0.4 ms, ndcg@10 0.540"
    assert svg.count(told) >= 3  # in both panels, and in words
    assert "exact search: 8 ms" in svg
    assert "exact search: 0.540" in svg
    assert 'data-run="2"' in svg


def test_lines_are_told_apart_by_what_differs():
    svg = drawn(hnsw(GOOD, m=8, ef=16), hnsw(GOOD, m=16, ef=16), hnsw(GOOD, m=16, ef=32))
    names = re.findall(r">(m [^<]*)</text>", svg)
    assert names == ["m 8 (labels: ef_search)", "m 16 (labels: ef_search)"]


def test_without_times_there_are_scores():
    svg = drawn(run("exact", GOOD, ms=0), hnsw(SLIGHT, ef=64, ms=0))
    assert "ndcg@10" in svg
    assert "p50" not in svg


def test_nothing_is_drawn_of_exact_search():
    assert drawn(run("exact", GOOD)) == ""


def test_the_axis_goes_by_what_is_missed():
    axis = _RecallAxis.of([0.5, 0.9, 0.99, 1.0])
    steps = [axis.at(one) for one in (0.0, 0.9, 0.99)]
    assert steps == [0.0, pytest.approx(1.0), pytest.approx(2.0)]
    assert axis.at(1.0) == pytest.approx(2.30103)  # half of the least that is missed
    across = axis.across("recall", PAGE)
    assert across.names[-1] == "1"
    assert [*across.ticks] == sorted(across.ticks)
    assert len(across.ticks) == len(across.names) > 4
    for alone in ([1.0], [0.0], [0.9999]):
        assert _RecallAxis.of(alone).across("recall", PAGE).names[-1] == "1"


def test_forty_runs_are_drawn():
    runs = [
        hnsw(SLIGHT, m=m, ef=ef, recall=1 - 8 / (ef + m), ms=0.01 * ef)
        for m in (8, 16, 32, 64)
        for ef in range(20, 120, 10)
    ]
    assert drawn(*runs).count("<title>") > 80


def test_the_margin_is_named_where_it_is_drawn():
    far = [score * 0.8 for score in GOOD]
    near = [score * 0.995 for score in GOOD]
    for scores, is_drawn in ((near, False), (far, True)):
        svg = drawn(run("exact", GOOD), hnsw(scores, ef=64, recall=0.95))
        assert ("below exact search" in svg) is ("dotted:" in svg) is is_drawn
        assert "log scale" in svg
