"""With pytest-xdist a benchmark is run by one worker, and all use its report."""

from tests.pytest_plugin.conftest import IDS, UNLUCKY

TESTS = """
import pytest


@pytest.mark.parametrize("number", range(4))
def test_search(assay_benchmark, number):
    assay_benchmark("assay.yaml").gate()
"""


def test_workers_share_one_run(project, tmp_path):
    project.write(search_py=UNLUCKY, test_search_py=TESTS)
    project.environment["TMPDIR"] = str(tmp_path)

    told = project.pytest("-n", "2", "assay.yaml", "test_search.py", "--dist", "each", "-v")

    assert [told.count(f"INCONCLUSIVE {one}") for one in IDS[:2]] == [3, 0]  # 2 and a summary
    assert "6 passed, 10 inconclusive" in told
    assert project.runs == 1
    assert [*tmp_path.glob("assay-search-*")] == []


def test_workers_share_a_failure(project):
    (project.folder / "search.py").unlink()

    told = project.pytest("-n", "2", "--dist", "each", "assay.yaml", expect=1)

    assert "8 errors" in told
    assert told.count('configuration "ours", search.py: file not found\n') == 2  # once per worker
