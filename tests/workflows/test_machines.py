"""What was found is shared by all machines; times belong to one, which the report names."""

import json
from contextlib import closing

import pytest

from assay.benchmarks.conduct import execute_benchmark
from assay.searches import environment
from assay.workflows.run import run
from assay.workspace.ledger.ledger import open_ledger, worker_name

CHANGED = {
    "memory": ("_memory_mb", "memory_mb", 12345),
    "cores": ("_cores", "cores", 77),
    "processor": ("_cpu", "cpu", "another processor"),
}


@pytest.fixture
def given(tmp_path):
    (tmp_path / "docs").mkdir()
    words = ("red", "green", "blue", "black", "white", "grey")
    for word in words:
        (tmp_path / "docs" / f"{word}.md").write_text(f"# {word}\n\nAll about {word} paint.\n")
    queries = [
        {
            "query_key": word,
            "query_text": f"{word} paint",
            "relevant_docs": [{"doc_ref": {"path": f"{word}.md"}, "relevance_grade": 1}],
        }
        for word in words
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    return {
        "dataset": str(tmp_path / "queries.json"),
        "corpus": str(tmp_path / "docs"),
        "configurations": [
            {"name": "words", "search": "lexical"},
            {"name": "near", "search": "dense", "model": "static"},
        ],
    }


def found(report):
    return [(one.fingerprint, one.per_query, one.rankings) for one in report.runs]


@pytest.mark.parametrize("part", CHANGED)
def test_a_changed_description_shares_what_was_found_and_no_times(
    given, tmp_path, monkeypatch, part
):
    name, key, value = CHANGED[part]
    first = run(given, workspace=tmp_path / "w")
    monkeypatch.setattr(environment, name, lambda: value)
    monkeypatch.setattr(
        "assay.benchmarks.work.open_indexes.make_index",
        _only_empty("assay.benchmarks.work.open_indexes.make_index"),
    )
    second = run(given, workspace=tmp_path / "w")
    assert found(first) == found(second)
    assert first.environment["machine"] != second.environment["machine"]
    assert (first.environment[key], second.environment[key]) != (value, first.environment[key])
    assert second.environment[key] == value
    for one, other in zip(first.runs, second.runs, strict=True):
        assert one.latency_ms["queries"] != other.latency_ms["queries"]
        assert other.latency_ms["samples"] == 6
        assert other.indexing["machine"] == first.environment["machine"]
        assert other.indexing["elsewhere"]
    assert any('"words" and "near"' in note and "another machine" in note for note in second.notes)
    monkeypatch.undo()
    third = run(given, workspace=tmp_path / "w")  # back on the first one, whose times are kept
    assert third.environment["machine"] == first.environment["machine"]
    if not any(one.latency_ms["busy"] for one in first.runs):
        assert [one.latency_ms for one in third.runs] == [one.latency_ms for one in first.runs]


def _only_empty(where):
    """Build nothing but the empty indexes by which a benchmark is laid out."""
    module, _, name = where.rpartition(".")
    original = getattr(__import__(module, fromlist=[name]), name)

    def make(corpus, *given, **options):
        assert corpus.name == "empty", "an index was built again"
        return original(corpus, *given, **options)

    return make


def test_the_report_names_the_machine_of_its_times_whoever_sums_up(given, tmp_path, monkeypatch):
    """The times were taken where somebody is still at work; another machine makes the report."""
    first = run(given, workspace=tmp_path / "w")
    with closing(open_ledger(tmp_path / "w" / "ledger.sqlite")) as ledger:
        ledger.attend(first.id, f"{worker_name()}/theirs", first.environment["machine"])
        with ledger._database.writing() as connection:
            for statement in (
                "UPDATE benchmarks SET state = 'running', report = NULL",
                "UPDATE units SET state = 'pending' WHERE kind = 'report'",
            ):
                connection.exec_driver_sql(statement)
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    second = execute_benchmark(first.id, workspace=tmp_path / "w")
    assert second.environment == first.environment
    assert [one.latency_ms for one in second.runs] == [one.latency_ms for one in first.runs]
    assert not any("another machine" in note for note in second.notes)


def test_a_machine_that_nobody_is_left_of_is_taken_over(given, tmp_path, monkeypatch):
    first = run(given, workspace=tmp_path / "w")
    with closing(open_ledger(tmp_path / "w" / "ledger.sqlite")) as ledger:
        host, pid, _ = worker_name().split("/")
        with ledger._database.writing() as connection:
            for statement in (
                "UPDATE benchmarks SET state = 'running', report = NULL",
                "UPDATE units SET state = 'pending' WHERE kind = 'report'",
                f"UPDATE workers SET name = '{host}/{pid}/0'",  # a process that is gone
            ):
                connection.exec_driver_sql(statement)
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    second = execute_benchmark(first.id, workspace=tmp_path / "w")
    assert second.environment["cores"] == 77
    assert second.environment["machine"] != first.environment["machine"]
    assert found(second) == found(first)
    assert [one.latency_ms for one in second.runs] != [one.latency_ms for one in first.runs]


def test_what_nobody_times_is_no_question_of_machines(given, tmp_path, monkeypatch):
    first = run(given, workspace=tmp_path / "w", untimed=True)
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    second = run(given, workspace=tmp_path / "w", untimed=True)
    assert found(first) == found(second)
    assert not any(one.latency_ms for one in (*first.runs, *second.runs))
