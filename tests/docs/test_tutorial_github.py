"""docs/tutorial-github.md: its commands are executed, and its outputs and files are true."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "tutorial-github.md"
PAGE = FILE.read_text()
WRITE = os.environ.get("ASSAY_GOLDEN") == "write"
# A stand-in for gh: the artifact is what was measured last.
GH = """#!/bin/sh
test "$*" = "run download --name search-quality --dir measured" || exit 2
mkdir measured && cp report.json measured
"""


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def steady(text):
    """Return an output without the commit that was measured, and the widths of columns."""
    text = re.sub(r"commit [0-9a-f]{12}", "commit", text)
    return [" ".join(line.split()) for line in text.strip().splitlines()]


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Execute all commands in one folder; return it, what each block printed, and the comment."""
    folder = tmp_path_factory.mktemp("tutorial")
    programs = folder / "programs"
    programs.mkdir()
    (programs / "gh").write_text(GH)
    (programs / "gh").chmod(0o755)
    paths = (programs, Path(sys.executable).parent, os.environ["PATH"])
    who = {f"GIT_{one}_NAME": "Dev" for one in ("AUTHOR", "COMMITTER")}
    who |= {f"GIT_{one}_EMAIL": "dev@example.org" for one in ("AUTHOR", "COMMITTER")}
    who |= {
        f"GIT_{one}_DATE": "2026-01-05T09:00:00Z" for one in ("AUTHOR", "COMMITTER")
    }  # its hash
    own = {"ASSAY": str(ROOT), "PATH": os.pathsep.join(map(str, paths)), "COLUMNS": "200"}
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "ASSAY_W"))}
    place, printed, comments = folder, [], []
    for at, block in enumerate(blocks("sh")):
        done = subprocess.run(
            ["bash", "-ec", block],
            cwd=place,
            env={**kept, **who, "GIT_CONFIG_GLOBAL": os.devnull, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, block + done.stdout + done.stderr
        printed.append(done.stdout)
        if at == 0:
            place = folder / "help"
            (place / "assay.yaml").write_text(blocks("yaml")[0])
        comment = place / "gate.md"
        comments.append(comment.read_text() if comment.exists() else "")
    return place, printed, comments[-1]


def test_gate_prints_what_the_page_shows(executed):
    _, printed, comment = executed
    (shown,), (shown_comment,) = blocks("text"), blocks("markdown")
    (gate,) = [one for one in printed if "FAIL:" in one]
    gate = gate[gate.index("FAIL:") :]
    if WRITE:
        text = PAGE.replace(f"```text\n{shown}```", f"```text\n{gate}```")
        text = text.replace(f"```markdown\n{shown_comment}```", f"```markdown\n{comment}```")
        FILE.write_text(text)
        return

    assert steady(shown) == steady(gate)
    assert steady(shown_comment) == steady(comment)


def test_smoke_run_is_inconclusive(executed):
    _, printed, _ = executed

    assert sum("INCONCLUSIVE: 2 of 2 checks inconclusive" in one for one in printed) == 1


def test_blessing_replaces_the_baseline_and_keeps_the_checks(executed):
    place, printed, _ = executed

    assert "replaces the baseline of" in printed[-1]
    assert "--allow ndcg@10:5% --allow recall@5:5%" in printed[-1]
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=place, capture_output=True, text=True, check=True
    ).stdout.split()
    assert sorted(tracked) == [
        ".github/workflows/search-quality.yml",
        ".gitignore",
        "articles.jsonl",
        "assay-baselines/help-search.json",
        "assay.yaml",
        "judgments.csv",
    ]


def test_each_input_and_output_of_the_action_is_explained():
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    table = PAGE.partition("| input |")[2].partition("\n\n")[0]
    named = set(
        re.findall(r"`([\w-]+)`", " ".join(row.split("|")[1] for row in table.splitlines()))
    )

    assert set(action["inputs"]) - named == {"report"}
    assert named <= set(action["inputs"])
    assert "`report`" in table
    outputs = PAGE.partition("\nOutputs: ")[2].partition("\n\n")[0]
    assert all(f"`{name}`" in outputs for name in action["outputs"])
    step, *_ = blocks("yml")
    assert set(yaml.safe_load(step)[0]["with"]) <= set(action["inputs"])


def test_hooks_are_those_of_the_example():
    _, hooks, _ = blocks("yml")
    example = ROOT / "examples" / "github" / ".pre-commit-config.yaml"

    assert example.read_text().endswith(hooks)
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        assert hook["id"] in hooks
        if args := hook.get("args"):
            assert f"`[{', '.join(args)}]`" in PAGE


def test_gitlab_job_is_valid_by_its_schema(tmp_path):
    (tmp_path / ".gitlab-ci.yml").write_text(blocks("yml")[-1])
    program = Path(sys.executable).parent / "check-jsonschema"
    schema = ("--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci")
    done = subprocess.run(
        [program, *schema, ".gitlab-ci.yml"], cwd=tmp_path, capture_output=True, check=False
    )

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("system", ["GitLab", "Jenkins"])
def test_commands_of_other_systems_work(system, executed, tmp_path):
    """Of each, all but the installation."""
    place, _, _ = executed
    folder = shutil.copytree(place, tmp_path / "help")
    if system == "GitLab":
        commands = yaml.safe_load(blocks("yml")[-1])["search-quality"]["script"]
    else:
        commands = re.findall(r"sh '([^']*)'", blocks("groovy")[0])
    words = [part for line in commands for part in line.split(" && ") if "pip install" not in part]
    assert len(words) == 2

    for command in words:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(
            ["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, check=True
        )

    assert "<testsuite" in (folder / "gate.xml").read_text()
