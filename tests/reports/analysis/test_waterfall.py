"""The sentence of the waterfall: whose loss it tells, and of which metric."""

from dataclasses import replace

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.runs.waterfall import waterfall_metric
from assay.records import Report, Run
from assay.reports.analysis.waterfall import _lost_metric, waterfall


def report(metrics=("ndcg@10",), primary=""):
    losses = {"words": {"lexical": 0.1, "order": 0.7}, "both": {"fuse": 0.4, "order": 0.3}}
    runs = [
        Run(name=name, fingerprint=name, configuration={}, waterfall=one)
        for name, one in losses.items()
    ]
    about = {"metrics": [*metrics], "primary": primary or metrics[0]}
    return Report(benchmark=about, dataset={}, corpus={}, environment={}, runs=tuple(runs))


@pytest.mark.parametrize(
    ("metrics", "primary", "lost"),
    [
        (["ndcg@10"], "", "ndcg@10"),
        (["mrr@10"], "", "ndcg@10"),
        (["mrr@20", "recall@5"], "", "ndcg@20"),
        (["mrr", "recall@5"], "", "ndcg@10"),
        (["recall@5", "ndcg_exp@5", "ndcg@3"], "", "ndcg_exp@5"),
        (["ndcg@3", "ndcg@7", "mrr"], "ndcg@7", "ndcg@7"),
        (["recall@5", "alpha_ndcg@5"], "", "ndcg@5"),
        (["ndcg", "recall@5"], "recall@5", "ndcg"),
        (["ndcg@60tokens", "ndcg@5"], "", "ndcg@5"),
        (["recall@60tokens", "recall@5"], "", "ndcg@10"),
    ],
)
def test_the_metric_is_the_one_that_was_measured(metrics, primary, lost):
    given = {"dataset": "stdlib", "metrics": metrics, "configurations": [{"name": "a"}]}
    benchmark = read_benchmark(given | {"primary": primary or metrics[0]})
    made = report(benchmark.metrics, benchmark.primary)
    assert _lost_metric(made) == str(waterfall_metric(benchmark)) == lost


def test_the_run_is_the_best_by_the_primary_metric(snapshot):
    made = report(["mrr@10"])
    best = replace(made, recommendations={"best_quality": {"run": "words"}})
    said = [waterfall(one).caption for one in (made, best)]
    snapshot(said)
    assert all("ndcg@10" in one for one in said)
    assert '0.40 of the 0.70 ndcg@10 lost by "both"' in said[0]
    assert '0.70 of the 0.80 ndcg@10 lost by "words"' in said[1]
    gone = replace(made, recommendations={"best_quality": {"run": "another"}})
    assert waterfall(gone).caption == waterfall(made).caption
    assert waterfall(replace(made, recommendations={"best_quality": None})).caption


def test_nothing_lost_names_its_metric(snapshot):
    made = report()
    none = replace(made, runs=(replace(made.runs[0], waterfall={"order": 0.0}),))
    snapshot(waterfall(none).caption)
    assert "ndcg@10" in waterfall(none).caption


@pytest.mark.parametrize(
    ("stage", "cause", "advice"),
    [
        ("judgments", "Expected items that share a result", "try smaller chunks"),
        ("corpus", "Lines and symbols missing from the corpus", "check the judgments"),
    ],
)
def test_losses_inside_documents_have_their_own_words(stage, cause, advice):
    made = report()
    runs = [replace(run, waterfall={stage: 0.5}) for run in made.runs]
    told = waterfall(replace(made, benchmark={**made.benchmark, "unit": "chunk"}, runs=runs))
    assert told.caption.startswith(cause)
    assert advice in told.caption
