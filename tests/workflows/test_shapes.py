"""Reports in the shapes of others measure what they ask for, also where items are symbols."""

import json
import re

import pytest
import yaml

import assay
from assay.reports.ancestors.consciousdb import consciousdb
from assay.reports.ancestors.markdown.consciousdb import page
from assay.workflows.report_files.content import content
from assay.workflows.report_files.fill_scores import fill_scores

WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Search ten files for the symbol that each defines; the first query expects a second file."""
    place = tmp_path_factory.mktemp("shapes")
    (place / "src").mkdir()
    for at, word in enumerate(WORDS):
        text = f"def open_{word}(name):\n    '''Open the {word} of {WORDS[at - 1]}.'''\n"
        (place / "src" / f"{word}.py").write_text(text)
    queries = [
        {
            "id": word,
            "query": f"open the {word}",
            "category": "open",
            "expected_symbols": [f"open_{word}"],
        }
        for word in WORDS
    ]
    queries[0]["expected_files"] = ["beta.py"]
    (place / "queries.yaml").write_text(yaml.safe_dump({"queries": queries}))
    given = {
        "dataset": str(place / "queries.yaml"),
        "corpus": {"path": str(place / "src")},
        "metrics": ["recall@5"],
        "configurations": [
            {"name": "words", "search": "lexical"},
            {"name": "near", "search": "dense", "model": "static", "coherence": True},
        ],
    }
    return assay.run(given, workspace=place / "workspace", asks=1)


def shaped(report, name, **options):
    return json.loads(content(report, f"x.{name}.json", **options))


def test_mrr_its_interval_scores_and_symbols_are_there_where_items_are_symbols(report):
    assert "mrr@10" not in report.runs[0].scores
    told = shaped(report, "akashic")["reports"][0]
    per_query = [one["mrr@10"] for one in report.runs[0].others.values()]
    assert told["summary"]["avg_mrr"] == pytest.approx(sum(per_query) / 10)
    low, high = told["summary"]["avg_mrr_ci"]
    assert low <= told["summary"]["avg_mrr"] <= high
    assert told["category_metrics"]["open"]["avg_mrr"] == pytest.approx(sum(per_query) / 10)
    first = told["query_results"][0]
    assert first["expected_symbols"] == ["open_alpha"]
    assert first["mrr"] is not None
    scores = [one["score"] for one in first["results"]]
    assert len(scores) >= 2
    assert all(isinstance(one, float) for one in scores)
    assert scores == sorted(scores, reverse=True)
    assert shaped(report, "exocortex")["reports"][0]["results"]["retrieval"]["mrr10"] is not None


def test_a_file_of_the_report_tells_the_same(report, tmp_path):
    path = tmp_path / "r.json"
    path.write_bytes(content(report, str(path)))
    again = assay.load_report(path) if hasattr(assay, "load_report") else None
    if again is None:
        from assay.benchmarks.open_report import open_report

        again = open_report(str(path), workspace=None)
    one, other = (shaped(each, "akashic")["reports"] for each in (report, again))
    assert [each["summary"] for each in one] == [each["summary"] for each in other]
    assert one[0]["query_results"] == other[0]["query_results"]


def test_consciousdbs_page_has_a_dash_only_with_a_reason(report, snapshot):
    told = consciousdb(fill_scores(report), date="2026-01-30T12:00:00")
    rows = {one["method"]: one for one in told["methods"]}
    for name in ("Cosine", "ConsciousDB", "words"):
        assert None not in [rows[name][key] for key in ("ndcg@10", "mrr@10", "p95_latency_ms")]
    assert 0 < rows["Cosine"]["p95_latency_ms"] <= rows["ConsciousDB"]["p95_latency_ms"]
    assert None not in told["ndcg"]["@5"].values()
    text = page(told).decode()
    lines = [line for line in text.splitlines() if re.search(r": (- / )?-( |$)", line)]
    assert [line.split(":")[0] for line in lines] == [
        "Edge Overlap (median)",
        "Suggested Alpha (median)",
    ]
    snapshot(told["notes"][name] for name in ("suggested_alpha", "edge_overlap"))


def test_a_search_of_few_results_has_the_true_reason(report, snapshot):
    from dataclasses import replace

    run = replace(report.runs[0], configuration={"top_k": 5}, others={}, rankings={})
    told = shaped(replace(report, runs=(run,), queries={}), "akashic")
    assert told["summary"]["avg_mrr"] is None
    assert " 5 " in told["notes"]["summary.avg_mrr"]
    snapshot(told["notes"]["summary.avg_mrr"])
