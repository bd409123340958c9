"""A benchmark file as tests: what passes, what fails and why, and what cannot be run."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.pytest_plugin.conftest import IDS, SEARCH, UNLUCKY, WORSE


def test_unchanged_quality_passes(project):
    told = project.pytest("-v", "assay.yaml")

    assert "checks of the blessed baselines" in told
    assert [told.count(f"{one} PASSED") for one in IDS] == [1, 1, 1, 1]
    assert "4 passed" in told
    assert project.runs == 1


def test_a_loss_fails_its_check_and_names_queries(project):
    project.write(search_py=WORSE)

    told = project.pytest("assay.yaml", "--junitxml=junit.xml", expect=1)

    assert "1 failed, 3 passed" in told
    assert "Traceback" not in told
    assert "benchmark_file.py" not in told
    assert f"FAILED {IDS[0]} - Failed: fell by 0.3691 (-36.9%)" in told
    assert "question-0  1.0000 -> 0.6309  page 0" in told
    cases = project.cases()
    assert [*cases] == [one.partition("::")[2] for one in IDS]
    assert [bool(one) for one in cases.values()] == [True, False, False, False]
    assert cases["ours: ndcg@10 allow 1%"][0] == "failure"


def test_an_inconclusive_check_passes_with_a_note(project):
    project.write(search_py=UNLUCKY)

    told = project.pytest("assay.yaml", "-W", "error", "--junitxml=junit.xml")

    assert "3 passed, 1 inconclusive" in told
    assert f"INCONCLUSIVE {IDS[0]}: fell by 0.0308 (-3.1%); 1% is allowed; not significant" in told
    assert 'value="inconclusive"' in (project.folder / "junit.xml").read_text()


@pytest.mark.parametrize("way", ["option", "file"])
def test_an_inconclusive_check_fails_if_strict(project, way):
    project.write(search_py=UNLUCKY)
    if way == "file":
        project.write(pytest_ini="[pytest]\nassay_search_strict = true\n")

    words = ["--assay-search-strict"] if way == "option" else []
    told = project.pytest("assay.yaml", *words, expect=1)

    assert "; strict" in told
    assert "1 failed, 3 passed" in told
    assert f"FAILED {IDS[0]} - Failed: inconclusive: fell by 0.0308" in told


def test_a_benchmark_is_run_in_a_process_of_its_own(project):
    """Neither coverage nor a file of the project that is called assay.py takes part in it."""
    guard = "import os, sys\nassert 'pytest' not in sys.modules\n"
    guard += "assert not any(name.startswith('COV') for name in os.environ)\n"
    project.write(search_py=guard + SEARCH, assay_py="raise SystemExit('this is not Assay')\n")
    project.environment |= {"COVERAGE_PROCESS_START": "settings", "COV_CORE_SOURCE": "src"}

    done = subprocess.run(
        [Path(sys.executable).parent / "pytest", "-p", "no:cacheprovider", "assay.yaml"],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        check=False,
    )

    assert b"4 passed" in done.stdout, done.stdout


def test_ids_are_known_without_a_run(project):
    def reorder(benchmark):
        benchmark["configurations"].reverse()

    assert project.ids("assay.yaml") == IDS
    project.configure(reorder)
    assert project.ids("assay.yaml") == IDS[2:] + IDS[:2]
    assert project.ids("assay.yaml", "-k", "ours and mrr") == IDS[1:2]
    assert project.runs == 0


def test_one_check_is_selected_by_its_id(project):
    assert "1 passed" in project.pytest(IDS[3])


def test_checks_of_the_session_replace_those_of_the_baseline(project):
    words = ["--assay-search-max", "errors:0", "--assay-search-preset", "regression=3%"]

    assert project.ids("assay.yaml", *words)[:4] == [
        "assay.yaml::ours: errors max 0",
        "assay.yaml::ours: mrr@10 allow (regression)",
        "assay.yaml::ours: recall@10 allow (regression)",
        "assay.yaml::ours: latency_p95_ms allow (regression)",
    ]


def test_without_a_baseline_nothing_is_run_and_limits_can_be_checked(project):
    shutil.rmtree(project.folder / "assay-baselines")

    told = project.pytest("assay.yaml", "-v", expect=1)

    assert "2 errors" in told
    assert told.count('no baseline is blessed for the benchmark "pages"\n  hint: ') == 1
    assert "assay baseline bless report.json" in told
    assert "see assay.yaml::ours: ndcg@10 allow 5%" in told
    assert project.runs == 0
    limit = ["--assay-search-min", "mrr@10:0.4"]
    assert "2 passed" in project.pytest("assay.yaml", *limit)


def test_baselines_are_found_beside_the_file_or_named(project):
    inner = project.folder / "bench"
    inner.mkdir()
    for name in ("assay.yaml", "search.py", "questions.yaml", "pages", "assay-baselines"):
        shutil.move(project.folder / name, inner / name)
    beside = [one.replace("assay.yaml", "bench/assay.yaml") for one in IDS]

    assert project.ids("bench/assay.yaml") == beside
    shutil.move(inner / "assay-baselines", project.folder / "blessed")
    assert project.ids("bench/assay.yaml") != beside
    assert project.ids("bench/assay.yaml", "--assay-search-baselines", "blessed") == beside
    project.write(pytest_ini="[pytest]\nassay_search_baselines = blessed\n")
    assert project.ids("bench/assay.yaml") == beside


def test_a_file_that_cannot_be_read_is_one_error(project):
    def misspell(benchmark):
        benchmark["datset"] = benchmark.pop("dataset")

    project.configure(misspell)

    told = project.pytest("assay.yaml", expect=2)

    assert "ERROR collecting assay.yaml" in told
    assert 'did you mean "dataset"' in told
    assert "Traceback" not in told
    assert ".py:" not in told


def test_a_check_that_cannot_be_read_is_an_error(project):
    told = project.pytest("assay.yaml", "--assay-search-allow", "ndgc@10:5%", expect=2)

    assert 'did you mean "ndcg@10"' in told
    assert ".py:" not in told


def test_a_benchmark_that_fails_is_told_once(project):
    (project.folder / "search.py").unlink()

    told = project.pytest("assay.yaml", expect=1)

    assert "4 errors" in told
    assert told.count('configuration "ours", search.py: file not found\n') == 1
    assert told.count(f"\nassay.yaml could not be checked, see {IDS[0]}\n") == 3
    assert "benchmark_file.py" not in told


def test_a_new_run_is_skipped_where_it_has_nothing_to_be_compared_with(project):
    def add(benchmark):
        new = {"kind": "callable", "function": "search.py:right"}
        benchmark["configurations"].append({"name": "new", "system": new})

    project.write(search_py=SEARCH_WITH_TOP)
    project.configure(add)

    told = project.pytest("assay.yaml", "-rs")

    assert "5 passed, 1 skipped" in told
    assert 'the baseline has no run "new"' in told


SEARCH_WITH_TOP = """
def right(query, top):
    return [(f"page{query.split()[1]}.md", 2.0), ("other.md", 1.0)]


def ours(query, top):
    return right(query, top)


def plain(query, top):
    return right(query, top)
"""


def test_a_report_takes_the_place_of_a_run(project):
    told = project.pytest("assay.yaml", "--assay-search-report", "report.json")

    assert "reports report.json" in told
    assert "4 passed" in told
    assert project.runs == 0


def test_a_report_of_another_benchmark_is_refused(project):
    def rename(benchmark):
        benchmark["name"] = "books"

    project.configure(rename)
    limit = ["--assay-search-min", "mrr@10:0.4"]

    told = project.pytest("assay.yaml", *limit, "--assay-search-report=report.json", expect=1)

    assert 'no report of the benchmark "books"' in told
    assert "given: pages" in told


def test_a_run_that_a_report_does_not_have_fails(project):
    def rename(benchmark):
        benchmark["configurations"][0]["name"] = "theirs"

    project.configure(rename)

    told = project.pytest("assay.yaml", "--assay-search-report", "report.json", expect=1)

    assert "2 failed, 2 passed" in told
    assert 'the report has no run "theirs"' in told
