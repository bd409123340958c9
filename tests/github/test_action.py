"""action.yml: its scripts are executed in a repository, with stand-ins for GitHub's own parts."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.github.conftest import WORSE

MARK = "<!-- assay-gate-action search-quality -->"
FOOT = "Commit c0ffee, [job and reports](https://github.com/owner/help/actions/runs/5)"
WORST = ("password", "money-back", "sending-back")


def make_worse(repository):
    (repository / "assay.yaml").write_text(WORSE)


def files(job):
    return {path.name: path for path in Path(job.outputs["folder"]).iterdir()}


def test_unchanged_search_passes(act, github):
    job = act()

    assert not job.failed, job.log
    assert job.outputs["outcome"] == "pass"
    assert json.loads(Path(job.outputs["report"]).read_text())["benchmark"]["name"] == "help-search"
    assert set(files(job)) == {"gate.md", "gate.xml", "gate.json", "report.json", "report.md"}
    (comment,) = github.comments
    assert comment["body"] == f"{MARK}\n{files(job)['gate.md'].read_text()}\n{FOOT}\n"
    assert "PASS" in job.summary
    assert not [line for line in job.annotations if line.startswith(("::error", "::warning"))]


def test_worse_search_fails_and_the_comment_names_the_queries(act, github, repository):
    make_worse(repository)

    job = act()

    assert job.failed
    assert job.outputs["outcome"] == "fail"
    (comment,) = github.comments
    assert comment["body"].startswith(MARK)
    assert len(comment["body"]) < 65_536
    assert all(f"`{query}`" in comment["body"] for query in WORST)
    assert all(f"`{query}`" in job.summary for query in WORST)
    errors = [line for line in job.annotations if line.startswith("::error")]
    assert len(errors) == 1
    assert "ndcg@10" in errors[0]
    suite = ElementTree.parse(files(job)["gate.xml"]).getroot()
    assert len([*suite.iter("failure")]) == 1


def test_second_run_updates_the_comment(act, github):
    act(report="report.json")
    act(report="worse.json")

    (comment,) = github.comments
    assert "**FAIL**" in comment["body"]
    assert "PATCH repos/owner/help/issues/comments/100" in github.calls


@pytest.mark.parametrize(
    "body", [f"{MARK}\nPASS, trust me", "<!-- assay-gate-action other -->\nPASS"]
)
def test_other_comments_stay(act, github, body):
    """Of a person with the same mark, and of a gate for another benchmark."""
    kind = "User" if "trust" in body else "Bot"
    other = {"id": 3, "user": {"type": kind, "login": "mallory"}, "body": body}
    github.answer("ok", [other])

    act(report="report.json")

    assert github.comments[0] == other
    assert len(github.comments) == 2


def test_token_that_cannot_write_fails_nothing(act, github):
    github.answer("read-only")

    job = act(report="report.json")

    assert not job.failed
    assert github.comments == []
    (notice,) = [line for line in job.annotations if "No comment" in line]
    assert notice.startswith("::notice")
    assert "pull-requests: write" in notice


def test_token_that_cannot_write_keeps_a_failure(act, github):
    github.answer("read-only")

    job = act(report="worse.json")

    assert job.failed
    assert job.outputs["outcome"] == "fail"


def test_github_that_cannot_be_reached_is_a_warning(act, github):
    github.answer("offline")

    job = act(report="report.json")

    assert not job.failed
    (warning,) = [line for line in job.annotations if "No comment" in line]
    assert warning.startswith("::warning")
    assert "error connecting to api.github.com check your" in warning


@pytest.mark.parametrize(("event", "comment"), [("schedule", "true"), ("pull_request", "false")])
def test_comment_only_where_it_belongs(act, github, event, comment):
    job = act(event, report="report.json", comment=comment)

    assert job.outputs["outcome"] == "pass"
    assert github.calls == []


def test_checks_of_the_inputs_replace_the_blessed_ones(act):
    job = act(
        report="report.json",
        allow="\n  ndcg@10:2%\n\nrecall@5:0.1\n",
        min="mrr@10:0.5",
        max="bytes_per_document:1MB",
    )

    found = json.loads(files(job)["gate.json"].read_text())["checks"]
    assert sorted((one["check"], one["metric"]) for one in found) == [
        ("allow", "ndcg@10"),
        ("allow", "recall@5"),
        ("max", "bytes_per_document"),
        ("min", "mrr@10"),
    ]


def test_preset_and_run_are_passed_on(act):
    job = act(report="report.json", preset="regression=50%", run="help", strict_env="false")

    found = json.loads(files(job)["gate.json"].read_text())["checks"]
    assert {one["run"] for one in found} == {"help"}
    assert {one["allowed"] for one in found} == {0.5}


def test_ten_queries_are_inconclusive_and_pass(act, repository):
    make_worse(repository)

    job = act(run_options="--sample=10\n--untimed")

    assert not job.failed, job.log
    assert job.outputs["outcome"] == "inconclusive"
    assert [line for line in job.annotations if line.startswith("::warning")]


def test_strict_fails_what_is_inconclusive(act, repository):
    make_worse(repository)

    job = act(run_options="--sample=10", strict="true")

    assert job.failed
    assert job.outputs["outcome"] == "inconclusive"


def test_report_that_exists_is_not_measured_again(act):
    job = act(report="report.json", benchmark="no-such-file.yaml")

    assert job.outputs["outcome"] == "pass"
    assert job.outputs["report"] == "report.json"
    assert not any("cache" in action for action, _ in job.used)


def test_report_can_be_the_baseline(act):
    job = act(report="worse.json", baseline="report.json", allow="ndcg@10:5%")

    assert job.outputs["outcome"] == "fail"
    assert json.loads(files(job)["gate.json"].read_text())["baseline"]["name"] == "report.json"


def test_another_folder(act, repository):
    inner = repository / "search"
    inner.mkdir()
    for name in ("assay.yaml", "articles.jsonl", "judgments.csv"):
        (repository / name).rename(inner / name)

    job = act(working_directory="search")

    assert job.outputs["outcome"] == "pass", job.log
    assert (inner / ".assay").is_dir()


def test_missing_benchmark_is_an_error_and_the_comment_of_the_last_push_is_replaced(act, github):
    act(report="report.json")
    job = act(benchmark="absent.yaml")

    assert job.failed
    assert job.outputs["outcome"] == "error"
    assert "absent.yaml" in job.log
    assert "Traceback" not in job.log
    assert any(line.startswith("::error") for line in job.annotations)
    (comment,) = github.comments
    assert comment["body"].startswith(f"{MARK}\n### Search quality: ERROR")
    assert comment["body"].endswith(f"{FOOT}\n")


@pytest.mark.parametrize("flag", ["strict", "strict_env", "comment", "upload", "cache"])
def test_flags_are_true_or_false(act, flag):
    job = act(report="report.json", **{flag: "yes"})

    assert job.failed
    assert any(f"{flag}: true or false" in line for line in job.annotations)


def test_missing_baseline_is_an_error(act, repository):
    (repository / "assay-baselines" / "help-search.json").unlink()

    job = act(report="report.json")

    assert job.failed
    assert job.outputs["outcome"] == "error"
    assert "assay baseline bless" in job.log
    assert any("nothing was compared" in line for line in job.annotations)


def test_earlier_gate_is_not_taken_for_this_one(act, tmp_path):
    """A runner that keeps its folders still has the files of the job before."""
    kept = tmp_path / "temp" / "assay-search-quality"
    kept.mkdir(parents=True)
    for name in ("gate.md", "gate.json"):
        (kept / name).write_text("of the job before")

    job = act(report="report.json", allow="no-such-metric@10:5%")

    assert job.outputs["outcome"] == "error"
    assert not {"gate.md", "gate.json"} & set(files(job))


GROUPS = {  # inputs that are read before a bad value of one of them ends the step
    "name": ("name",),
    "run": ("benchmark", "run_options", "version", "source", "extras"),
    "report": ("report",),
    "baseline": ("baseline", "run"),
    "gate": ("allow", "min", "max", "preset", "strict", "strict_env"),
}
ATTACKS = (
    'x"; touch injected; "',
    "$(touch injected)",
    "`touch injected`",
    "x' && touch injected #",
    "x\ntouch injected\noutcome=pass",
    "--output=injected",
)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("group", GROUPS)
def test_inputs_add_no_command(act, repository, group, attack):
    report = "" if group == "run" else "no-report.json"

    job = act(**{"comment": "false", "report": report, **dict.fromkeys(GROUPS[group], attack)})

    assert not [*repository.parent.rglob("injected")]
    assert job.outputs["outcome"] == "error"
    known = {"inputs": {"folder", "models"}, "run": {"report"}, "gate": set()}
    for step, written in known.items():
        assert set(job.steps.get(step, {"outputs": {}})["outputs"]) <= written


@pytest.mark.parametrize(
    "inputs",
    [{"benchmark": "--plan"}, {"report": "report.json", "baseline": "--output=injected.json"}],
)
def test_names_of_files_are_no_options(act, repository, inputs):
    job = act(**inputs)

    assert job.outputs["outcome"] == "error"
    assert not (repository / "injected.json").exists()
    assert "no such" in job.log
    assert "No such option" not in job.log


def test_comment_text_adds_no_command(act, github, repository):
    """Texts of queries come from the pull request."""
    judgments = repository / "judgments.csv"
    attack = "$(touch injected) `touch injected` ::error::x"
    judgments.write_text(judgments.read_text().replace("resetting passwords", attack))
    make_worse(repository)

    job = act()

    assert not [*repository.parent.rglob("injected")]
    assert not [line for line in job.annotations if line.startswith("::error::x")]
    assert len(github.comments) == 1


def test_what_is_installed(act):
    def installed(**inputs):
        job = act(report="no-report.json", **inputs)
        words = (job.temp / "pip.txt").read_text().splitlines()
        assert words[-2] == "--"
        return words[-1]

    checkout = str(Path(__file__).parents[2])
    assert installed() == f"{checkout}[search]"
    assert installed(extras="") == checkout
    assert installed(extras="search,plots", version="1.2.3") == "assay-search[search,plots]==1.2.3"
    assert installed(source="dist/a.whl", extras="code") == "dist/a.whl[code]"


@pytest.mark.long
def test_checkout_is_installed(act, programs, tmp_path):
    """By pip, into an environment of its own; the gate then runs there."""
    home = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    for name in ("python", "assay"):
        (programs / name).write_text(f'#!/bin/sh\nexec "{home}/bin/{name}" "$@"\n')
        (programs / name).chmod(0o755)

    job = act(extras="", report="report.json")

    assert job.outputs["outcome"] == "pass", job.log
    assert (home / "bin" / "assay").is_file()


def test_workspace_and_reports_are_kept(act):
    used = dict(act().used)

    restored, saved = (used[f"actions/cache/{name}@v5"] for name in ("restore", "save"))
    assert restored["path"] == saved["path"]
    assert restored["path"].splitlines()[0] == "./.assay"
    assert restored["key"] == saved["key"]
    assert restored["key"].startswith(restored["restore-keys"].strip())
    assert used["actions/upload-artifact@v6"]["name"] == "search-quality"


def test_reports_of_a_failed_gate_are_uploaded(act, repository):
    make_worse(repository)

    used = dict(act(name="docs").used)

    assert used["actions/upload-artifact@v6"]["path"].endswith("assay-docs")
    assert "actions/cache/save@v5" in used
