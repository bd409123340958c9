"""When the plugin takes part in a session, and that it costs nothing where it does not."""

import subprocess
import sys

from tests.pytest_plugin.conftest import IDS

OTHER = "def test_other(): pass\n"


def test_folders_are_searched_for_benchmarks_only_if_asked(project):
    project.write(test_other_py=OTHER)
    other = "test_other.py::test_other"

    assert project.ids() == [other]
    assert project.ids("--assay-search-benchmarks") == [*IDS, other]
    project.write(pytest_ini="[pytest]\nassay_search_benchmarks = b*.yaml\n")
    assert project.ids() == [other]
    (project.folder / "assay.yaml").rename(project.folder / "best.yaml")
    assert project.ids() == [*(one.replace("assay", "best") for one in IDS), other]


def test_a_benchmark_in_the_paths_of_tests_is_collected(project):
    project.write(test_other_py=OTHER)
    project.write(pytest_ini="[pytest]\ntestpaths = test_other.py assay.yaml\n")

    assert project.ids() == ["test_other.py::test_other", *IDS]


def test_a_file_of_another_plugin_is_left_alone(project):
    project.write(stages_yaml="stages: [one, two]\n")

    assert "not found" in project.pytest("stages.yaml", expect=4)


def test_it_can_be_switched_off(project):
    told = project.pytest("assay.yaml", "-p", "no:assay_search", expect=4)

    assert "assay-search: " not in told
    assert "--assay-search" not in project.pytest("-p", "no:assay_search", "--help")


def test_a_session_without_benchmarks_is_as_it_was(project):
    report = "import sys\ndef pytest_unconfigure(): print(*(n for n in sys.modules if {}))\n"
    ours = "n.partition('.')[0] in ('assay', 'numpy', 'yaml', 'scipy')"
    project.write(test_other_py=OTHER, conftest_py=report.format(ours))

    told = project.pytest("test_other.py")

    assert told.splitlines()[-1].split() == [
        "assay",
        "assay.pytest_plugin",
        "assay.pytest_plugin.options",
        "assay.pytest_plugin.plugin",
    ]
    assert "assay-search: " not in told


def test_assay_does_not_need_pytest():
    code = "import sys, assay; assay.gate, assay.run; assert 'pytest' not in sys.modules"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_folder_of_benchmarks_that_is_misspelled_is_an_error(project):
    project.write(pytest_ini="[pytest]\nassay_search_benchmarks = serch/*.yaml\n")
    told = project.pytest("--collect-only", "-q", expect=4)
    assert "no file matches serch/*.yaml" in told
