"""The hooks: pre-commit runs them at real commits and pushes of a repository."""

import shutil

import pytest
import yaml
from tests.github.conftest import WORSE
from tests.github.stand_in_runner import ROOT

EXAMPLE = ROOT / "examples" / "github" / ".pre-commit-config.yaml"
PACKAGED = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")


def commit_all(call, folder, message, **options):
    call(folder, "git", "add", "-A")
    return call(folder, "git", "commit", "-qm", message, **options)


@pytest.fixture
def hooks(tmp_path, call):
    """Return a repository that holds the hooks, as the one of Assay does."""
    folder = tmp_path / "assay"
    folder.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", folder)
    call(folder, "git", "init", "-q")
    commit_all(call, folder, "Hooks")
    return folder


@pytest.fixture
def install(repository, tmp_path, call):
    """Install the hooks of the example configuration, and return a function for git."""
    own = {"PRE_COMMIT_HOME": str(tmp_path / "pre-commit"), "COLUMNS": "100"}

    def git(*words, **options):
        return call(repository, "git", *words, **options, **own)

    def installed(hooks, *, system):
        config = yaml.safe_load(EXAMPLE.read_text())
        (repo,) = config["repos"]
        repo |= {"repo": str(hooks), "rev": call(hooks, "git", "rev-parse", "HEAD").strip()}
        for hook in repo["hooks"]:
            # The environment of the tests has Assay already: nothing need be installed.
            hook |= {"language": "system", "additional_dependencies": []} if system else {}
            hook |= {} if system else {"additional_dependencies": []}
        (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
        types = ("--hook-type", "pre-commit", "--hook-type", "pre-push")
        call(repository, "pre-commit", "install", *types, **own)
        call(repository, "git", "init", "-q", "--bare", str(tmp_path / "remote"))
        git("remote", "add", "origin", str(tmp_path / "remote"))
        return git

    return installed


def test_push_of_a_worse_search_is_refused(hooks, install, repository, call):
    git = install(hooks, system=True)
    git("add", "-A")
    git("commit", "-qm", "Hooks")
    first = git("push", "origin", "main")
    assert "assay run" in first
    assert "no worse than the baseline" in first

    (repository / "assay.yaml").write_text(WORSE)
    assert "assay run" not in git("commit", "-qam", "No stemming")
    told = git("push", "origin", "main", expect=1)

    assert "FAIL: 1 of 2 checks failed" in told
    assert "resetting passwords" in told
    remote = git("ls-remote", "origin", "main").split()[0]
    assert remote == git("rev-parse", "HEAD~1").strip()


def test_push_that_does_not_touch_the_search_measures_nothing(hooks, install, repository):
    git = install(hooks, system=True)
    git("add", "-A")
    git("commit", "-qm", "Hooks")
    git("push", "origin", "main")
    (repository / "report.json").unlink()
    (repository / "notes.txt").write_text("notes\n")
    git("add", "-A")
    git("commit", "-qm", "Notes")

    assert git("push", "origin", "main").count("Skipped") == 2
    assert not (repository / "report.json").exists()


def test_commit_of_a_broken_dataset_is_refused(hooks, install, repository):
    git = install(hooks, system=True)
    (repository / "queries.yaml").write_text("- {query: how, expected_files: 5}\n")
    git("add", "-A")

    told = git("commit", "-qm", "Queries", expect=1)

    assert "queries.yaml" in told
    assert "judgments.csv" not in told  # unchanged
    assert "Traceback" not in told


def test_commit_of_datasets_checks_each_of_them(hooks, install, repository):
    git = install(hooks, system=True)
    judgments = repository / "judgments.csv"
    for name in ("questions-en.csv", "judgments-de.csv"):
        shutil.copy(judgments, repository / name)
    git("add", "-A")
    git("commit", "-qm", "Two datasets")

    (repository / "questions-en.csv").write_text("nonsense\n")
    judgments.write_text(judgments.read_text() + "late,when is it late,delivery/track,2\n")
    told = git("commit", "-qam", "One of them is broken", expect=1)

    assert "questions-en.csv" in told
    assert "Traceback" not in told


@pytest.mark.long
def test_hooks_install_assay(hooks, install, repository, call):
    """As pre-commit does it: an environment of its own, from a clone of this tree."""
    for name in PACKAGED:
        shutil.copy(ROOT / name, hooks)
    shutil.copytree(ROOT / "src", hooks / "src", ignore=shutil.ignore_patterns("__pycache__"))
    commit_all(call, hooks, "Assay")
    git = install(hooks, system=False)
    judgments = repository / "judgments.csv"
    judgments.write_text(judgments.read_text() + "late,when is it late,delivery/track,2\n")
    git("add", "-A")
    assert "Passed" in git("commit", "-qm", "Hooks, and a judgment")
    (repository / "queries.yaml").write_text("- {query: how, expected_files: 5}\n")
    git("add", "-A")
    assert "queries.yaml" in git("commit", "-qm", "Queries", expect=1)
