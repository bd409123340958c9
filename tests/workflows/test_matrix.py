"""A cell of a matrix is the same run in it and alone."""

from pathlib import Path

import pytest

import assay
from assay.benchmarks.file.read_benchmark import read_benchmark

HANDBOOK = Path(__file__).parents[2] / "examples" / "handbook"
MATRIX = {
    "primary_k": 10,
    "k_values_for_metrics": [5, 10, 20],
    "top_k_values": [100, 200],
    "search_modes": ["dense", "hybrid"],
    "use_reranker": [False, True],
    "rrf_k_values": [60],
    "score_thresholds": [None, 0.5],
}


@pytest.mark.long
def test_each_of_the_16_cells_scores_as_it_does_alone(tmp_path):
    """The matrix that Semantik's document gives as its example."""
    given = {"dataset": str(HANDBOOK / "questions.yaml"), "corpus": str(HANDBOOK / "pages")}
    whole = given | {"config_matrix": MATRIX}
    assert read_benchmark(whole).cells == 16
    report = assay.run(whole, workspace=tmp_path / "whole", asks=1)
    assert len(report.runs) + sum(len(run.aliases) for run in report.runs) == 16
    assert report.plan["searches"] < report.plan["searches_alone"] / 2
    for at, run in enumerate(report.runs):
        chosen = run.configuration
        cell = MATRIX | {
            "top_k_values": [chosen["depth"]],
            "search_modes": [chosen["search"]],
            "use_reranker": ["rerank" in chosen],
            "score_thresholds": [chosen.get("threshold")],
        }
        place = tmp_path / str(at)
        (alone,) = assay.run(given | {"config_matrix": cell}, workspace=place, asks=1).runs
        assert alone.per_query == run.per_query, run.name
        assert alone.rankings == run.rankings, run.name
        assert alone.fingerprint == run.fingerprint, run.name
        assert alone.configuration == run.configuration, run.name
