"""What is to be typed next is what was typed, at the end of a run and in its report."""

import json
import re
from pathlib import Path

import pytest

from assay.cli import start

TEXTS = {"retry.md": "send a failed request again", "logs.md": "a log is rotated every day"}
BENCHMARK = {
    "name": "b",
    "corpus": "docs",
    "dataset": "queries.json",
    "configurations": [{"name": "words", "search": "lexical"}],
    "budgets": {"latency_p95_ms": 9},
}


@pytest.fixture
def told(tmp_path, monkeypatch, capsys):
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / name).write_text(text)
    judged = [{"doc_ref": {"path": "retry.md"}, "relevance_grade": 1}]
    query = {"query_key": "q", "query_text": "failed request", "relevant_docs": judged}
    for name in ("queries.json", "judged.json"):
        (tmp_path / name).write_text(json.dumps({"queries": [query]}))
    (tmp_path / "my bench.json").write_text(json.dumps(BENCHMARK))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / ".assay"))

    def commands(*arguments):
        assert start([*map(str, arguments)]) == 0
        return re.findall(r"`(assay run [^`]*)`", capsys.readouterr().out)

    return commands


def test_what_was_typed_is_typed_again(told):
    line = "assay run 'my bench.json' --dataset judged.json"
    given = ("my bench.json", "--dataset", "judged.json", "--untimed")
    assert told("run", *given, "-o", "r.json", "-o", "r.md") == [line]
    assert told("report", "r.json") == told("show", "r.json") == [line]
    assert f"`{line}`" in Path("r.md").read_text(encoding="utf-8")


def test_a_place_is_told_to_who_typed_it_and_to_nobody_else(told, tmp_path):
    (typed,) = told("run", tmp_path / "my bench.json", "--untimed", "-o", "r.json")
    assert typed == f"assay run '{tmp_path / 'my bench.json'}'"
    again = "assay run 'my bench.json'"
    assert told("report", "r.json") == [again]
