"""Hints to install something are commands that work where Assay was installed."""

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import assay
from assay import extras
from assay.cli import start
from assay.errors import InputError
from assay.extras import EXTRAS, install_command, missing_extras, require_extra

ROOT = Path(assay.__file__).parents[2]
PYTHON = "/env/bin/python"
NOT_OURS = {"dev", "perf", "scale"}  # of developers, or not used by any code yet


@pytest.fixture(scope="module")
def listed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project["optional-dependencies"]


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Pretend to be installed from somewhere, by someone who leaves files in the environment."""

    def pretend(source="", *marks, home="env", pip=True, on_path=True):
        prefix = tmp_path / home
        prefix.mkdir(parents=True)
        for mark in marks:
            (prefix / mark).touch()
        noted = type("Noted", (), {"read_text": lambda _self, _name: json.dumps(source) or None})
        monkeypatch.setattr(importlib.metadata, "distribution", lambda _: noted())
        monkeypatch.setattr(extras, "find_spec", lambda name: name if pip else None)
        monkeypatch.setattr(sys, "prefix", str(prefix))
        monkeypatch.setattr(sys, "executable", PYTHON)
        monkeypatch.setattr("shutil.which", lambda _: "/env/bin/pip" if on_path else "/bin/pip")
        return prefix

    return pretend


WHEEL = {"url": "file:///tmp/my%20wheels/assay.whl", "archive_info": {}}
CLONE = {"url": "file:///src/assay", "dir_info": {"editable": True}}
COPY = {"url": "file:///src/assay", "dir_info": {}}
GIT = {"url": "https://host/assay.git", "vcs_info": {"vcs": "git", "commit_id": "1"}}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({}, "pip install 'assay-search[plots]'"),
        (WHEEL, "pip install '/tmp/my wheels/assay.whl[plots]'"),
        (CLONE, "pip install -e '/src/assay[plots]'"),
        (COPY, "pip install '/src/assay[plots]'"),
        (GIT, "pip install 'assay-search[plots] @ git+https://host/assay.git'"),
    ],
)
def test_the_command_names_where_it_came_from(installed, source, expected):
    installed(source)

    assert install_command("plots") == expected


def test_a_pip_that_belongs_to_another_environment_is_not_named(installed):
    installed(CLONE, on_path=False)

    assert install_command("code") == f"{PYTHON} -m pip install -e '/src/assay[code]'"


def test_an_environment_without_pip_is_one_of_uv(installed):
    prefix = installed(COPY, pip=False)

    assert install_command("code") == f"uv pip install --python {prefix} '/src/assay[code]'"


@pytest.mark.parametrize(
    ("mark", "home", "expected"),
    [
        ("uv-receipt.toml", "tools/assay-search", "uv tool install '{}'"),
        ("pipx_metadata.json", "venvs/assay-search", "pipx install --force '{}'"),
        ("pyvenv.cfg", "archive-v0/x", "uvx --from '{}' assay ..."),
    ],
)
def test_an_isolated_tool_keeps_its_other_extras(installed, mark, home, expected):
    installed(COPY, mark, home=home)

    assert install_command("plots") == expected.format("/src/assay[plots,search]")
    assert install_command("code") == expected.format("/src/assay[code,plots,search]")


def test_windows_knows_double_quotes_alone(installed, monkeypatch):
    installed({})
    monkeypatch.setattr(extras.os, "name", "nt")

    assert extras._quote("assay-search[plots]") == '"assay-search[plots]"'


@pytest.mark.parametrize("broken", ["no JSON", "", None])
def test_an_unreadable_note_is_none(monkeypatch, broken):
    noted = type("Noted", (), {"read_text": lambda _self, _name: broken})
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: noted())

    assert install_command("plots").endswith("install 'assay-search[plots]'")


def test_this_clone_is_named():
    assert str(ROOT) in install_command("plots")


def test_every_extra_is_one_of_the_project(listed):
    assert EXTRAS.keys() == listed.keys() - NOT_OURS


@pytest.mark.parametrize("extra", EXTRAS)
def test_modules_come_from_packages_of_the_extra(listed, extra):
    homes = importlib.metadata.packages_distributions()
    required = {re.match(r"[\w-]+", one)[0] for one in listed[extra]}
    found = {n: {_normal(home) for home in homes[n]} for n in EXTRAS[extra] if n in homes}

    assert {name: home for name, home in found.items() if not home & required} == {}
    assert found or extra == "sentence-transformers"


def _normal(name):
    return re.sub("[-_.]+", "-", name).lower()


def test_what_is_missing_is_refused_with_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)

    assert missing_extras("frames", "code") == ["frames"]
    with pytest.raises(InputError, match=r"^x\.parquet: needs polars\n  hint: .* install .*frames"):
        require_extra("frames", "needs polars", where="x.parquet")


def test_a_frame_and_a_parquet_file_say_what_they_need(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "polars", None)
    result = assay.evaluate({"q": {"a": 1}}, {"q": {"a": 0.5}}, ["mrr"])
    file = tmp_path / "a.parquet"
    file.write_bytes(b"PAR1 PAR1")

    with pytest.raises(InputError, match=r"\[frames\]"):
        result.frame()
    with pytest.raises(InputError, match=r"\[frames\]"):
        assay.evaluate(file, {"q": {"a": 0.5}}, ["mrr"])


def test_an_output_that_needs_an_extra_is_refused_first(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "polars", None)

    assert start(["eval", "no.qrels", "no.run", "-o", "scores.parquet"]) == 2
    assert "[frames]" in capsys.readouterr().err


def test_importing_it_costs_next_to_nothing():
    slow = ("importlib.metadata", "shlex", "shutil", "urllib.request")
    code = f"import sys, assay.extras; print([one for one in {slow} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
