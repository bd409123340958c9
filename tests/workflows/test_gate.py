"""``assay.gate`` from Python: what it takes, and what it returns."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from tests.benchmarks.gates.made import report, run, timed

import assay
from assay.errors import AssayError, InputError
from assay.reports.runs.json.json import json as report_json

QRELS = {f"q{at}": {"right": 1} for at in range(12)}
RIGHT = {query: {"right": 2.0, "wrong": 1.0} for query in QRELS}
WRONG = {query: {"wrong": 2.0, "right": 1.0} for query in QRELS}
SCORES = [0.9] * 12


@pytest.fixture
def files(tmp_path):
    """Write two reports, the second of which is worse."""
    places = [tmp_path / "old.json", tmp_path / "new.json"]
    for place, drop in zip(places, (0, 0.4), strict=True):
        told = report(timed(run(scores=[one - drop for one in SCORES]), queries=[10] * 12))
        place.write_text(json.dumps(report_json(told)))
    return places


def test_dictionaries_paths_and_reports(files):
    old, new = files
    assert assay.gate(RIGHT, WRONG, qrels=QRELS, allow="mrr@10:5%").results[0].p == 2**-12
    assert assay.gate(old, new, allow={"ndcg@10": "5%"}).exit_code() == 1
    assert assay.gate(str(new), old, allow={"ndcg@10": 0.05}).exit_code(strict=True) == 0
    one = report(run(scores=SCORES))
    assert assay.gate(one, one, min={"ndcg@10": 0.5}).outcome == "pass"


def test_exit_codes():
    few = {query: RIGHT[query] for query in list(QRELS)[:3]}
    judged = {query: QRELS[query] for query in few}
    worse = {query: WRONG[query] for query in few}
    found = assay.gate(few, worse, qrels=judged, allow="mrr@10:5%")
    assert (found.outcome, found.exit_code(), found.exit_code(strict=True)) == (
        "inconclusive",
        0,
        3,
    )
    assert found.results[0].queries_needed == 5


def test_what_it_prints_and_its_frame(files):
    found = assay.gate(*files, allow=["ndcg@10:5%", "latency_p95_ms:25%"])
    assert repr(found).splitlines()[0].startswith("<FAIL: 2 checks")
    assert "ndcg@10" in str(found)
    assert "<table" in found._repr_html_()
    frame = found.frame()
    assert frame["metric"].to_list() == ["ndcg@10", "latency_p95_ms"]
    assert frame["outcome"].to_list() == ["fail", "pass"]


def test_a_hostile_run_is_text_in_a_notebook():
    name = "<script>alert(1)</script>"
    one = report(run(name, scores=SCORES))
    assert "<script>" not in assay.gate(one, one, allow="ndcg@10:5%")._repr_html_()


def test_without_checks_the_primary_metric_may_lose_5_percent(files):
    found = assay.gate(*files)
    assert [str(one.check) for one in found.results] == ["ndcg@10:5%"]
    assert any("no checks given" in note for note in found.notes)


def test_an_old_baseline_is_said(files, tmp_path):
    now = datetime(2026, 6, 1, tzinfo=UTC)
    assay.bless(files[0], baselines=tmp_path / "kept", now=now - timedelta(days=100))
    found = assay.gate(files[1], baselines=tmp_path / "kept", now=now)
    assert (found.outcome, found.about_baseline["age_days"]) == ("fail", 100)
    assert any("100 days old" in note for note in found.notes)


@pytest.mark.parametrize(
    "given",
    [(), (1,), ({}, {}), ("none.json",), ("",), (None, None), (RIGHT,), ("a", "b", "c")],
)
def test_what_is_no_report_is_refused(given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssayError):
        assay.gate(*given, allow="ndcg@10:5%")


def test_run_files_have_no_costs():
    with pytest.raises(AssayError, match="run files have no latency_p95_ms"):
        assay.gate(RIGHT, WRONG, qrels=QRELS, allow=["mrr@10:5%", "latency_p95_ms:5%"])


def test_a_benchmark_that_was_never_blessed_is_refused(files, tmp_path):
    with pytest.raises(InputError, match="no baseline is blessed"):
        assay.gate(files[0], baselines=tmp_path / "nothing")


def test_a_misspelled_baseline_gets_the_name_of_the_nearest(tmp_path):
    one = report(run(scores=[0.5] * 10))
    assay.bless(one, name="help-docs", baselines=tmp_path)
    with pytest.raises(InputError) as caught:
        assay.gate("help-doc", one, baselines=tmp_path)
    assert "help-docs" in caught.value.hint
