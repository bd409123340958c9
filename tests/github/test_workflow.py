"""The example workflow: its script for Ollama is executed, with stand-ins for what it downloads."""

import shutil

import pytest
import yaml
from tests.github.stand_in_runner import ROOT, Job

# A stand-in for curl: it writes the archive of a release, or answers as the server does.
CURL = """#!/bin/bash
printf '%s\\n' "$*" >> "$CALLS"
while [ $# -gt 0 ]; do
  if [ "$1" = --output ]; then exec cp "$RELEASE" "$2"; fi
  shift
done
grep -q "ollama serve" "$CALLS"
"""
# A stand-in for Ollama.
OLLAMA = """#!/bin/bash
printf 'ollama %s\\n' "$*" >> "$CALLS"
echo "serving" >&2
"""


@pytest.fixture
def start(tmp_path, call):
    """Execute the job `gate` with or without a model, and return it and the calls of programs."""
    workflow = yaml.safe_load((ROOT / "examples/github/search-quality.yml").read_text())
    gate = workflow["jobs"]["gate"]
    release = tmp_path / "release"
    programs = tmp_path / "programs"
    for path, text in ((release / "bin" / "ollama", OLLAMA), (programs / "curl", CURL)):
        path.parent.mkdir(parents=True)
        path.write_text(text)
        path.chmod(0o755)
    call(tmp_path, "tar", "-czf", "release.tgz", "-C", "release", "bin")
    calls = tmp_path / "calls.txt"

    def started(*, model="", asked=""):
        temp = tmp_path / "temp"
        shutil.rmtree(temp, ignore_errors=True)
        temp.mkdir()
        calls.write_text("")
        context = {
            "inputs": {"ollama-model": asked},
            "vars": {"ASSAY_OLLAMA_MODEL": model},
            "github": {"event_name": "pull_request", "event": {}},
            "runner": {"os": "Linux", "temp": str(temp)},
        }
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        own = {"CALLS": str(calls), "RELEASE": str(tmp_path / "release.tgz"), "HOME": str(home)}
        job = Job(tmp_path, temp, programs, context, own)
        context["env"] = {name: job.value(text) for name, text in gate["env"].items()}
        job.environment |= context["env"]
        job.execute(gate["steps"])
        assert not job.failed, job.log
        return job, calls.read_text().splitlines()

    return started


def test_without_a_model_nothing_is_set_up(start):
    job, calls = start()

    assert calls == []
    assert [action.partition("@")[0] for action, _ in job.used] == [
        "actions/checkout",
        "OWNER/assay",
    ]


@pytest.mark.parametrize("source", ["model", "asked"])
def test_model_is_served_by_a_pinned_release(start, source):
    job, calls = start(**{source: "nomic-embed-text"})

    assert "/download/v0.9.2/ollama-linux-amd64.tgz" in calls[0]
    assert set(calls) >= {"ollama serve", "ollama pull nomic-embed-text"}
    cache = dict(job.used)["actions/cache@v5"]
    assert cache["key"] == "ollama-Linux-0.9.2-nomic-embed-text"
    assert (job.temp / "ollama.log").is_file()
    assert dict(job.used)["actions/upload-artifact@v6"]["path"] == str(job.temp / "ollama.log")


def test_program_from_the_cache_is_not_downloaded_again(start):
    start(model="nomic-embed-text")
    _, calls = start(model="nomic-embed-text")

    assert "ollama pull nomic-embed-text" in calls
    assert not any("download" in call for call in calls)


def test_name_of_a_model_adds_no_command(start, tmp_path):
    attack = '"; touch injected; $(touch injected)'
    _, calls = start(asked=attack)

    assert f"ollama pull {attack}" in calls
    assert not [*tmp_path.rglob("injected")]
