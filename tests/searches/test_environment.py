import json
import platform
import re
import subprocess

from assay.searches.environment import environment


def test_what_definitions_ask_for_is_there():
    told = environment(seed=7, fingerprints={"corpus": "ab"})
    assert {"platform", "python", "cores", "memory_mb", "cpu", "packages", "git_commit"} <= set(
        told
    )
    assert told["seed"] == 7
    assert told["fingerprints"] == {"corpus": "ab"}
    assert told["python"] == platform.python_version()
    assert told["cores"] >= 1
    assert told["packages"]["numpy"]
    assert json.loads(json.dumps(told)) == told


def test_the_commit_is_that_of_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    assert environment(seed=0, fingerprints={})["git_commit"] is None
    subprocess.run(["git", "init", "-q"], check=True)
    assert environment(seed=0, fingerprints={})["git_commit"] is None  # nothing is committed yet
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    commit = ["git", *who, "commit", "-q", "--allow-empty", "-m", "first"]
    subprocess.run(commit, check=True)
    assert re.fullmatch("[0-9a-f]{40}", environment(seed=0, fingerprints={})["git_commit"])


def test_without_git_there_is_no_commit(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert environment(seed=0, fingerprints={})["git_commit"] is None
