"""`assay demo` names a page, whatever becomes of it; the demo itself is run in tests/workflows."""

from pathlib import Path

import pytest

from assay.cli import start
from assay.records import Report, Run
from assay.workflows import demo as workflow
from assay.workflows.demo import demo as workflow_demo
from assay.workflows.report_files import output_files


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
        return code, out, err

    return called


def test_a_page_is_written_into_the_workspace_and_named(demo, tmp_path, snapshot):
    code, out, err = demo()
    path = tmp_path / "ws" / "reports" / "demo-01234567.html"
    assert code == 0
    assert out.splitlines()[-1].endswith(" ws/reports/demo-01234567.html")
    assert path.read_bytes().lstrip().lower().startswith(b"<!doctype html")
    assert "assay report 01234567" in err
    snapshot(out)
    snapshot(err)


def test_the_page_that_was_asked_for_is_the_one(demo, tmp_path):
    code, out, err = demo("-o", "mine.html", "-o", "x.json")
    assert code == 0
    assert out.splitlines()[-1].endswith(" mine.html")
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
    monkeypatch.setattr(output_files, "find_spec", lambda _: None)
    code, _, err = demo()
    assert code == 0
    assert "pip install 'assay-search[plots]'" in err


def test_a_chart_that_there_is_not_is_refused_first(demo, monkeypatch, snapshot):
    monkeypatch.setattr(workflow, "demo", lambda **_: pytest.fail("it was measured"))
    code, _, err = demo("-o", "zebra.svg")
    assert code == 2
    snapshot(err)
    assert not Path("zebra.svg").exists()


def test_the_page_is_named_in_the_last_line_of_a_screen(demo, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    _, out, _ = demo()
    assert out.index("assay init") < out.index("ws/reports/")


def test_a_page_elsewhere_is_named_whole(demo, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    _, out, _ = demo()
    assert out.splitlines()[-1].endswith(f" {tmp_path / 'ws' / 'reports'}/demo-01234567.html")


def test_it_is_measured_anew_if_asked(demo, monkeypatch):
    asked = {}
    monkeypatch.setattr(workflow, "run", lambda _, **how: asked.update(how))
    workflow_demo(fresh=True)
    assert asked["invocation"].fresh
