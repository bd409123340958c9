"""Planning by the options of a run: the same benchmark, the same refusals, nothing done."""

import json

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError, ProblemsError, UsageError
from assay.reports.plan.lines import lines
from assay.workflows.plan import plan

QUERY = {
    "query_key": "q1",
    "query_text": "wie lösche ich ein Protokoll 日本",
    "relevant_docs": [{"doc_ref": {"path": "logs.md"}, "relevance_grade": 1}],
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "logs.md").write_bytes("# Prötokoll\r\n\r\nEs wird gelöscht.\r\n".encode())
    (tmp_path / "queries.json").write_text(json.dumps({"queries": [QUERY]}))
    text = "dataset: queries.json\ncorpus: docs\nconfigurations:\n  - {name: w, search: lexical}\n"
    (tmp_path / "bench.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")  # nobody listens there
    return tmp_path


def test_a_file_a_mapping_and_a_benchmark_are_planned_alike(home):
    inside = {
        "dataset": "queries.json",
        "corpus": "docs",
        "configurations": [{"name": "w", "search": "lexical"}],
    }
    given = ("bench.yaml", home / "bench.yaml", inside, read_benchmark("bench.yaml"))
    made = [plan(one, workspace=home / "w") for one in given]
    assert {(one.searches, len(one.indexes)) for one in made} == {(6, 1)}


def test_options_are_those_of_a_run(home):
    asked = plan("bench.yaml", workspace=home / "w", asks=5, repeats=2)
    assert (asked.searches, len(asked.indexes)) == (20, 2)
    assert plan("bench.yaml", workspace=home / "w", untimed=True).searches == 1  # it is swept
    assert plan("bench.yaml", workspace=home / "w", live=True).stages[0].kind == "search"


def test_without_a_file_a_suite_is_planned(home):
    made = plan(suite="quick_test", dataset="queries.json", corpus="docs", workspace=home / "w")
    assert made.cells >= 2
    assert len(lines(made)) <= 15


@pytest.mark.parametrize(
    "options", [{"asks": 0}, {"repeats": 0}, {"sample": 0}, {"seed": -1}, {"asks": True}]
)
def test_wrong_counts_are_refused(home, options):
    with pytest.raises(UsageError):
        plan("bench.yaml", workspace=home / "w", **options)


@pytest.mark.parametrize("given", [5, b"bench.yaml", ["bench.yaml"]])
def test_what_is_no_benchmark_is_refused(home, given):
    with pytest.raises(InputError, match=rf"\b{type(given).__name__}\b"):
        plan(given, workspace=home / "w")


def test_all_models_that_cannot_be_opened_are_told_at_once(home):
    text = (home / "bench.yaml").read_text()
    text += "  - {name: one, model: 'ollama:some'}\n  - {name: two, model: 'ollama:other'}\n"
    (home / "bench.yaml").write_text(text + "  - {name: three, model: 'ollama:some', depth: 150}\n")
    with pytest.raises(ProblemsError) as caught:
        plan("bench.yaml", workspace=home / "w")
    told = [one.where for one in caught.value.problems]
    assert any('configuration "one"' in where for where in told)
    assert all("bench.yaml" in where for where in told)
    assert not any('configuration "w"' in where for where in told)


def test_a_damaged_ledger_is_one_message(home):
    (home / "w").mkdir()
    (home / "w" / "ledger.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(InputError):
        plan("bench.yaml", workspace=home / "w")


def test_a_system_that_answers_from_a_file_is_planned(home):
    (home / "some.run").write_text("q1 Q0 logs.md 1 1.0 x\n")
    text = "  - {name: theirs, system: {kind: run_file, path: some.run}}\n"
    (home / "bench.yaml").write_text((home / "bench.yaml").read_text() + text)
    made = plan("bench.yaml", workspace=home / "w")
    (whole,) = [one for one in made.stages if one.kind == "search"]
    assert whole.runs == ("theirs",)
    assert len(made.indexes) == 1
    assert "assumed" in whole.milliseconds.rests_on


GIVEN = {"dataset": "queries.json", "corpus": "docs"}


@pytest.mark.parametrize("named", ["beside.py:search", "beside:search"])
def test_a_plan_runs_no_code_of_a_function(home, named):
    code = "from pathlib import Path\nPath('ran').touch()\ndef search(query, top): return []\n"
    (home / "beside.py").write_text(code)
    system = {"kind": "callable", "function": named}
    made = plan(
        {**GIVEN, "configurations": [{"name": "mine", "system": system}]}, workspace=home / "w"
    )
    assert [one.name for one in made.runs] == ["mine"]
    assert not (home / "ran").exists()


def test_a_plan_reads_the_file_of_a_function(home):
    (home / "beside.py").write_text("def search(query, top: return []\n")
    system = {"kind": "callable", "function": "beside.py:search"}
    with pytest.raises(ProblemsError, match=r"beside.py, line 1"):
        plan(
            {**GIVEN, "configurations": [{"name": "mine", "system": system}]}, workspace=home / "w"
        )


def test_a_plan_names_symbols_that_will_be_missed(home):
    (home / "docs" / "app.py").write_text("def retry(): ...")
    query = {**QUERY, "relevant_docs": [{"doc_ref": {"path": "app.py", "symbol": "retri"}}]}
    (home / "queries.json").write_text(json.dumps({"queries": [query]}))
    said = "\n".join(lines(plan("bench.yaml", unit="symbol")))
    assert 'app.py::retri (query "q1"; did you mean "retry"?)' in said
    assert "retri" not in "\n".join(lines(plan("bench.yaml")))  # the file is what counts


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("def search(query, top): return []\n", False),
        ("from os.path import *\n", True),
        ("globals()['serch'] = print\n", True),
        ("if True:\n    serch = print\n", True),
        ("import os as serch\n", True),
    ],
)
def test_a_plan_refuses_a_function_that_a_file_cannot_have(home, code, known):
    (home / "beside.py").write_text(code)
    system = {"kind": "callable", "function": "beside.py:serch"}
    asked = {**GIVEN, "configurations": [{"name": "mine", "system": system}]}
    if known:
        assert plan(asked, workspace=home / "w").runs
        return
    with pytest.raises(ProblemsError, match='no function "serch"') as caught:
        plan(asked, workspace=home / "w")
    assert "search" in str(caught.value)
