"""A repository with a search that was measured and blessed, and jobs that work on it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.github.stand_in_runner import ROOT, Job

DATA = ROOT / "examples" / "elasticsearch"
BENCHMARK = """name: help-search
dataset: judgments.csv
corpus: articles.jsonl
metrics: [ndcg@10, mrr@10, recall@5]
configurations:
  - {name: help, search: lexical}
"""
WORSE = BENCHMARK.replace("search: lexical", "search: lexical, language: none")
CHECKS = ("--allow", "ndcg@10:5%", "--allow", "recall@5:5%")
PIP = """#!/bin/sh
# A stand-in for python -m pip: it records its arguments.
for word in "$@"; do printf '%s\\n' "$word"; done >> "$PIP_CALLS"
"""


@pytest.fixture(scope="session")
def call():
    """Run a program in a folder, and return what it printed."""
    identity = {"NAME": "Dev", "EMAIL": "dev@example.org"}
    who = {f"GIT_{a}_{key}": v for a in ("AUTHOR", "COMMITTER") for key, v in identity.items()}
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    hidden = ("GITHUB_", "ASSAY_WORKSPACE")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(hidden)}
    own = {**kept, **who, "GIT_CONFIG_GLOBAL": os.devnull, "PATH": programs}

    def called(folder, *words, expect=0, **environment):
        done = subprocess.run(
            words, cwd=folder, env={**own, **environment}, capture_output=True, check=False
        )
        printed = done.stdout.decode() + done.stderr.decode()
        assert done.returncode == expect, printed
        return printed

    return called


@pytest.fixture(scope="session")
def blessed(tmp_path_factory, call):
    """Return a repository whose search was blessed, with reports of it and of a worse one."""
    folder = tmp_path_factory.mktemp("github") / "help"
    folder.mkdir()
    for name in ("articles.jsonl", "judgments.csv"):
        shutil.copy(DATA / name, folder)
    (folder / "assay.yaml").write_text(BENCHMARK)
    (folder / ".gitignore").write_text("report.json\nworse.json\n")
    call(folder, "git", "init", "-q", "-b", "main")
    call(folder, "git", "add", "-A")
    call(folder, "git", "commit", "-qm", "Search")
    call(folder, "assay", "run", "assay.yaml", "--quiet", "-o", "report.json")
    call(folder, "assay", "baseline", "bless", "report.json", *CHECKS)
    call(folder, "git", "add", "-A")
    call(folder, "git", "commit", "-qm", "Bless the search")
    (folder / "assay.yaml").write_text(WORSE)
    call(folder, "assay", "run", "assay.yaml", "--quiet", "-o", "worse.json")
    call(folder, "git", "checkout", "-q", "assay.yaml")
    shutil.rmtree(folder / ".assay")
    return folder


@pytest.fixture
def repository(blessed, tmp_path):
    """Return a copy of it, which a test may change."""
    return shutil.copytree(blessed, tmp_path / "help")


@pytest.fixture
def programs(tmp_path):
    """Return a folder with stand-ins for gh and for pip."""
    folder = tmp_path / "programs"
    folder.mkdir()
    stand_in = Path(__file__).with_name("stand_in_gh.py")
    (folder / "gh").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{stand_in}" "$@"\n')
    (folder / "python").write_text(PIP)
    for program in folder.iterdir():
        program.chmod(0o755)
    return folder


@pytest.fixture
def github(tmp_path):
    """Return where the stand-in for gh keeps comments, and a function that reads them."""
    return Comments(tmp_path / "gh.json")


class Comments:
    """The pull request as GitHub has it."""

    def __init__(self, place):
        self.place = place
        self.write(mode="ok", calls=[], comments=[])

    def write(self, **content):
        self.place.write_text(json.dumps(content))

    def __getattr__(self, name):
        return json.loads(self.place.read_text())[name]

    def answer(self, mode, comments=()):
        self.write(mode=mode, calls=[], comments=[*comments])


@pytest.fixture
def act(repository, programs, github, tmp_path):
    """Run the action as a job of a pull request, and return the job."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    defaults = {name: str(one["default"]) for name, one in action["inputs"].items()}

    def acted(event="pull_request", **inputs):
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert set(given) <= set(defaults)
        temp = tmp_path / "temp"
        temp.mkdir(exist_ok=True)
        number = (
            {"pull_request": {"number": 7, "head": {"sha": "c0ffee"}}}
            if event == "pull_request"
            else {}
        )
        context = {
            "inputs": {**defaults, "github-token": "a-token", **given},
            "github": {"event_name": event, "event": number, "run_id": "5", "run_attempt": "1"},
            "runner": {"os": "Linux", "temp": str(temp)},
        }
        own = {"GH_STATE": str(github.place), "PIP_CALLS": str(temp / "pip.txt")}
        job = Job(repository, temp, programs, context, own)
        job.execute(action["runs"]["steps"])
        job.outputs = {name: job.value(one["value"]) for name, one in action["outputs"].items()}
        return job

    return acted
