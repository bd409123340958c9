"""The action, the workflow and the hooks are valid by the schemas of their programs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.github.stand_in_runner import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOW = yaml.safe_load((ROOT / "examples" / "github" / "search-quality.yml").read_text())
JOBS = WORKFLOW["jobs"]
STEPS = [*ACTION["runs"]["steps"], *(step for job in JOBS.values() for step in job["steps"])]
SCRIPTS = [pytest.param(step["run"], id=step["name"]) for step in STEPS if "run" in step]
OURS = "OWNER/assay@v0.1.0"
# The first major version of each that needs no Node 20, which runners no longer have.
ACTIONS = {
    "actions/cache": "v5",
    "actions/cache/restore": "v5",
    "actions/cache/save": "v5",
    "actions/checkout": "v5",
    "actions/setup-python": "v6",
    "actions/upload-artifact": "v6",
}


def program(*words):
    call = [str(Path(sys.executable).parent / words[0]), *map(str, words[1:])]
    return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("vendor.github-actions", "action.yml"),
        ("vendor.github-workflows", "examples/github/search-quality.yml"),
    ],
)
def test_schema_of_github(schema, file):
    done = program("check-jsonschema", "--builtin-schema", schema, file)
    assert done.returncode == 0, done.stdout


def test_schemas_of_pre_commit():
    manifest = program("pre-commit", "validate-manifest", ".pre-commit-hooks.yaml")
    assert manifest.returncode == 0, manifest.stdout
    example = program("pre-commit", "validate-config", "examples/github/.pre-commit-config.yaml")
    assert example.returncode == 0, example.stdout
    assert "WARNING" not in example.stdout + example.stderr


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_is_bash_without_expressions(script):
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "${{" not in script


def test_scripts_name_their_shell():
    assert {step["shell"] for step in STEPS if "run" in step} == {"bash"}


def test_actions_of_others_are_pinned_to_a_known_version():
    used = {step["uses"] for step in STEPS if "uses" in step} - {OURS}

    assert used == {f"{name}@{version}" for name, version in ACTIONS.items()}


def test_each_input_of_the_action_is_used_and_described():
    text = (ROOT / "action.yml").read_text()

    for name, one in ACTION["inputs"].items():
        assert one["description"], name
        assert re.search(rf"(?<!steps\.)inputs\.{re.escape(name)}(?![\w-])", text), name
    used = set(re.findall(r"(?<!steps\.)inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])


def test_each_variable_of_a_script_is_given():
    """A misspelt one would be empty, and its checks would be missing."""
    runner = {
        "GITHUB_OUTPUT",
        "GITHUB_REPOSITORY",
        "GITHUB_RUN_ID",
        "GITHUB_SERVER_URL",
        "GITHUB_ACTION_PATH",
        "RUNNER_TEMP",
        "HOME",
    }
    for step in STEPS:
        script = step.get("run", "")
        own = set(re.findall(r"(?<![\w$])([A-Z_]+)=", script)) | set(step.get("env", {}))
        named = set(re.findall(r"\$\{?([A-Z_]+)", script))
        assert named <= own | runner | set(JOBS["gate"]["env"]), step["name"]


@pytest.mark.parametrize("command", ["run", "gate"])
def test_options_exist(command):
    known = set(re.findall(r"(?<!\S)(--?[a-z][a-z-]*)", program("assay", command, "--help").stdout))
    (step,) = [step for step in ACTION["runs"]["steps"] if step.get("id") == command]
    given = set(re.findall(r"(?<=[ (])--[a-z][a-z-]+|(?<= )-o(?= )", step["run"]))

    assert len(given) >= 3
    assert given <= known


def test_options_of_the_examples_exist():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    helped = program("assay", "run", "--help").stdout
    (run,) = [hook for hook in hooks if hook["id"] == "assay-run"]
    sample = JOBS["smoke"]["steps"][-1]["with"]["run-options"]

    for option in (*re.findall(r"--?[a-z]+", f"{run['entry']} {run['args'][0]}"), "--sample"):
        assert re.search(rf"(?<!\S){option}\b", helped), option
    assert sample == "--sample=10"


def test_workflow_gives_only_inputs_that_the_action_has():
    given = [step["with"] for step in STEPS if step.get("uses") == OURS]

    assert len(given) == 2
    assert set().union(*given) <= set(ACTION["inputs"])


def test_workflow_runs_when_it_should_and_may_do_little():
    triggers = WORKFLOW[True]  # `on` is true in YAML 1.1

    assert set(triggers) == {"pull_request", "schedule", "workflow_dispatch"}
    assert "assay-baselines/**" in triggers["pull_request"]["paths"]
    assert len(triggers["schedule"][0]["cron"].split()) == 5
    assert triggers["schedule"][0]["cron"].split()[-1] == "1"
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert JOBS["gate"]["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert "permissions" not in JOBS["smoke"]
    assert WORKFLOW["concurrency"]["cancel-in-progress"] is True
    assert all(job["timeout-minutes"] <= 30 for job in JOBS.values())


def test_smoke_run_cannot_fail_the_workflow():
    assert JOBS["smoke"]["continue-on-error"] is True
    assert "needs" not in JOBS["gate"]
    assert "continue-on-error" not in JOBS["gate"]


def test_checkouts_keep_no_token():
    checkouts = [step for step in STEPS if step.get("uses", "").startswith("actions/checkout@")]

    assert len(checkouts) == len(JOBS)
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_jobs_use_different_names():
    """Artifacts of one name in one workflow would replace each other."""
    names = [step["with"].get("name") for step in STEPS if step.get("uses") == OURS]

    assert len(set(names)) == len(names)
