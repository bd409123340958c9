"""The fixture: an ordinary test runs a benchmark and asserts a gate."""

from tests.pytest_plugin.conftest import UNLUCKY, WORSE


def test_an_unchanged_search_passes_and_is_run_once(project):
    project.write(
        test_search_py="""
import pytest


@pytest.fixture(scope="module")
def result(assay_benchmark):
    return assay_benchmark("assay.yaml")


def test_scores(result):
    scores = {run.name: run.scores["ndcg@10"] for run in result.report.runs}
    assert scores == {"ours": 1.0, "plain": 1.0}


def test_gate(result):
    assert result.gate(allow={"ndcg@10": "5%"}, min="mrr@10:0.9").outcome == "pass"


def test_again(assay_benchmark, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    found = assay_benchmark("assay.yaml").gate(run="plain")
    assert [one.name for one in found.results] == [
        "plain: ndcg@10 allow 1%", "plain: mrr@10 min 0.4"
    ]
"""
    )

    assert "3 passed" in project.pytest("test_search.py")
    assert project.runs == 1


def test_a_loss_fails_at_the_line_of_the_test(project):
    project.write(
        search_py=WORSE,
        test_search_py="""
def test_search(assay_benchmark):
    assay_benchmark("assay.yaml").gate(allow={"ndcg@10": "5%"})


def test_report(assay_benchmark):
    assay_benchmark("assay.yaml").gate(baseline="report.json", allow="mrr@10:5%", run="ours")
""",
    )

    told = project.pytest("test_search.py", expect=1)

    assert "2 failed" in told
    assert '>       assay_benchmark("assay.yaml").gate(allow={"ndcg@10": "5%"})' in told
    assert "E       AssertionError: ours: ndcg@10 allow 5%: fell by 0.3691 (-36.9%)" in told
    assert "E         question-0  1.0000 -> 0.6309  page 0" in told
    assert "against report.json" in told
    assert "benchmark_fixture.py" not in told


def test_an_inconclusive_gate_passes_with_a_note_unless_strict(project):
    project.write(
        search_py=UNLUCKY,
        test_search_py="""
def test_search(assay_benchmark):
    assert assay_benchmark("assay.yaml").gate().outcome == "inconclusive"


def test_strict(assay_benchmark):
    assay_benchmark("assay.yaml").gate(strict=True)
""",
    )

    told = project.pytest("test_search.py", expect=1)

    assert "1 failed, 1 inconclusive" in told
    assert "INCONCLUSIVE test_search.py::test_search: ours: ndcg@10 allow 1%: fell by" in told
    assert "AssertionError: ours: ndcg@10 allow 1%: inconclusive: fell by" in told


def test_options_of_a_run_and_mistakes_in_them(project):
    project.write(
        test_search_py="""
def test_sample(assay_benchmark):
    result = assay_benchmark("assay.yaml", sample=5, untimed=True, fresh=False, suite=None)
    assert {len(run.per_query) for run in result.report.runs} == {5}


def test_option(assay_benchmark):
    assay_benchmark("assay.yaml", smaple=5)


def test_value(assay_benchmark):
    assay_benchmark("assay.yaml", sample=[5])


def test_file(assay_benchmark):
    assay_benchmark("nothing.yaml")


def test_check(assay_benchmark):
    assay_benchmark("assay.yaml", sample=5, untimed=True).gate(max="latency_p95_ms:5")
"""
    )

    told = project.pytest("test_search.py", expect=1)

    assert "4 failed, 1 passed" in told
    assert 'did you mean "--sample"?' in told
    assert "sample: invalid value [5]" in told
    assert "nothing.yaml: no such file" in told
    assert "latency_p95_ms was not measured in any run" in told
    assert "Error" not in told
    assert "benchmark_fixture.py" not in told


def test_a_report_that_is_given_takes_the_place_of_a_run(project):
    project.write(
        test_search_py="def test_it(assay_benchmark): assay_benchmark('assay.yaml').gate()\n"
    )

    told = project.pytest("test_search.py", "--assay-search-report", "report.json")

    assert "1 passed" in told
    assert project.runs == 0
