"""`assay demo` names a page, whatever becomes of it; the demo itself is run in tests/workflows."""

import re
from pathlib import Path

import pytest

from assay import extras
from assay.cli import start
from assay.records import Report, Run
from assay.workflows import demo as workflow
from assay.workflows.demo import demo as workflow_demo


@pytest.fixture
def demo(capsys, tmp_path, monkeypatch):
    """Call the command with a report at hand: measuring it takes minutes."""
    told = {"name": "demo", "metrics": ["ndcg@10"], "primary": "ndcg@10"}
    scores = {"scores": {"ndcg@10": 0.5}, "per_query": {"q": {"ndcg@10": 0.5}}}
    runs = (Run("words", "f", {"search": "lexical"}, **scores),)
    made = Report(told, {"queries": 1}, {}, {}, runs, id="0123456789abcdef")
    monkeypatch.setattr(workflow, "demo", lambda **_: made)
    monkeypatch.chdir(tmp_path)

    def called(*arguments):
        code = start(["demo", "--workspace", str(tmp_path / "ws"), *arguments])
        out, err = capsys.readouterr()
        return code, out, re.sub("   +", "   ", err)  # columns depend on the length of paths

    return called


def test_a_page_is_written_into_the_workspace_and_named(demo, tmp_path, snapshot):
    code, out, err = demo()
    path = tmp_path / "ws" / "reports" / "demo-01234567.html"
    assert code == 0
    assert " ws/reports/demo-01234567.html " in out.splitlines()[-1]
    assert path.read_bytes().lstrip().lower().startswith(b"<!doctype html")
    assert "assay report 01234567" in err
    snapshot(out)
    snapshot(err)


def test_the_page_that_was_asked_for_is_the_one(demo, tmp_path):
    code, out, err = demo("-o", "mine.html", "-o", "x.json")
    assert code == 0
    assert " mine.html " in out.splitlines()[-1]
    assert err.index("mine.html\n") < err.index("x.json\n")
    assert not (tmp_path / "ws").exists()


def test_json_is_nothing_but_json(demo, tmp_path):
    code, out, _ = demo("--json")
    assert (code, out[0]) == (0, "{")
    assert not (tmp_path / "ws").exists()


def test_a_page_that_cannot_be_written_costs_nothing_else(demo, tmp_path, monkeypatch, snapshot):
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "reports").write_text("in the way")
    code, out, err = demo()
    assert code == 0
    assert "words" in out
    assert [line for line in err.splitlines() if line.startswith("note: ")]
    snapshot(err)
    (tmp_path / "ws" / "reports").unlink()
    _uninstall(monkeypatch, "altair")
    code, _, err = demo()
    assert code == 0
    assert extras.install_command("plots") in err


def test_all_that_is_missing_is_named_before_anything_is_done(demo, monkeypatch):
    monkeypatch.setattr(workflow, "demo", lambda **_: pytest.fail("it was measured"))
    _uninstall(monkeypatch, "altair", "tantivy")
    for options in [(), ("-o", "mine.html")]:
        code, out, err = demo(*options)
        assert (code, out, err.count("\n")) == (2, "", 2)
        assert f"hint: {extras.install_command('search', 'plots')}\n" in err


def _uninstall(monkeypatch, *modules):
    found = extras.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name in modules else found(name))


def test_a_chart_that_there_is_not_is_refused_first(demo, monkeypatch, snapshot):
    monkeypatch.setattr(workflow, "demo", lambda **_: pytest.fail("it was measured"))
    code, _, err = demo("-o", "zebra.svg")
    assert code == 2
    snapshot(err)
    assert not Path("zebra.svg").exists()


def test_the_page_is_named_below_the_results_and_before_what_is_next(demo, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    _, out, _ = demo()
    assert out.index("ndcg@10") < out.index("ws/reports/") < out.index("assay init")


def test_a_page_elsewhere_is_named_whole(demo, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    _, out, _ = demo()
    assert f" {tmp_path / 'ws' / 'reports'}/demo-01234567.html " in out.splitlines()[-1]


def test_it_is_measured_anew_if_asked(demo, monkeypatch):
    asked = {}
    monkeypatch.setattr(workflow, "run", lambda _, **how: asked.update(how))
    workflow_demo(fresh=True)
    assert asked["invocation"].fresh
