"""What was found is shared by all machines; times belong to one, which the report names."""

import json
import threading
from contextlib import closing

import pytest

from assay.benchmarks import conduct
from assay.benchmarks.conduct import execute_benchmark
from assay.benchmarks.work.piece_work import PieceWork
from assay.corpora.no_corpus import NoCorpus
from assay.searches import environment
from assay.workflows.run import run
from assay.workspace.ledger.ledger import open_ledger, worker_name

CHANGED = {
    "memory": ("_memory_mb", "memory_mb", 12345),
    "cores": ("_cores", "cores", 77),
    "processor": ("_cpu", "cpu", "another processor"),
}


@pytest.fixture(autouse=True)
def quiet():
    """Times that were taken on a busy machine are taken again: here it is never busy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.benchmarks.work.piece_work.kept_waiting", lambda _: False)
        yield


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
    assert [one.latency_ms for one in third.runs] == [one.latency_ms for one in first.runs]


def _only_empty(where):
    """Build nothing but the empty indexes by which a benchmark is laid out."""
    module, _, name = where.rpartition(".")
    original = getattr(__import__(module, fromlist=[name]), name)

    def make(corpus, *given, **options):
        assert isinstance(corpus, NoCorpus), "an index was built again"
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
    not_summed_up(tmp_path, "UPDATE units SET state = 'pending' WHERE kind = 'time'")
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    second = execute_benchmark(first.id, workspace=tmp_path / "w")
    assert second.environment["cores"] == 77
    assert second.environment["machine"] != first.environment["machine"]
    assert found(second) == found(first)
    assert [one.latency_ms for one in second.runs] != [one.latency_ms for one in first.runs]


def test_times_that_a_machine_has_taken_are_not_taken_again(given, tmp_path, monkeypatch):
    first = run(given, workspace=tmp_path / "w")
    not_summed_up(tmp_path)
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    second = execute_benchmark(first.id, workspace=tmp_path / "w")
    assert second.environment == first.environment
    assert [one.latency_ms for one in second.runs] == [one.latency_ms for one in first.runs]


def not_summed_up(tmp_path, *statements):
    """Let a benchmark be as it was when the only process that worked on it was killed."""
    with (
        closing(open_ledger(tmp_path / "w" / "ledger.sqlite")) as ledger,
        ledger._database.writing() as connection,
    ):
        for statement in (
            "UPDATE benchmarks SET state = 'running', report = NULL",
            "UPDATE units SET state = 'pending' WHERE kind = 'report'",
            *statements,
        ):
            connection.exec_driver_sql(statement)


def test_a_process_that_left_is_not_waited_for(given, tmp_path, monkeypatch):
    """It may live on, as a notebook does, and take no times any more."""
    first = run(given, workspace=tmp_path / "w")
    not_summed_up(tmp_path, "UPDATE units SET state = 'pending' WHERE kind = 'time'")
    with closing(open_ledger(tmp_path / "w" / "ledger.sqlite")) as ledger:
        ledger.attend(first.id, worker_name(), first.environment["machine"])
        with ledger._database.writing() as connection:
            connection.exec_driver_sql("UPDATE workers SET seen = seen - 60")
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    assert execute_benchmark(first.id, workspace=tmp_path / "w").environment["cores"] == 77


def test_a_machine_that_takes_its_times_back_takes_them(given, tmp_path, monkeypatch):
    """It was suspended, another one took them over, and died."""
    place, found, taken = tmp_path / "w" / "ledger.sqlite", PieceWork.time, []
    monkeypatch.setattr("assay.workspace.ledger._workers.is_alive", lambda _: None)

    def time(self, piece, claim):
        if not taken:
            with closing(open_ledger(place)) as ledger:
                with ledger._database.writing() as connection:
                    connection.exec_driver_sql("UPDATE workers SET seen = seen - 100")
                taken.append(ledger.timing_machine(self.context.benchmark, "B"))
        return found(self, piece, claim)

    monkeypatch.setattr(PieceWork, "time", time)
    report = run(given, workspace=tmp_path / "w")
    assert taken == ["B"]
    assert [one.status for one in report.runs] == ["completed", "completed"]
    assert report.environment["machine"] != "B"


def test_nobody_takes_times_over_while_they_are_summed_up(given, tmp_path, monkeypatch):
    first, place = run(given, workspace=tmp_path / "w"), tmp_path / "w" / "ledger.sqlite"
    not_summed_up(tmp_path)
    taken, prune = [], conduct.prune

    def sum_up(*given):
        with closing(open_ledger(place)) as ledger:
            taken.append(ledger.timing_machine(first.id, "B"))
        return prune(*given)

    monkeypatch.setattr(conduct, "prune", sum_up)
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    second = execute_benchmark(first.id, workspace=tmp_path / "w")
    assert taken == [first.environment["machine"]]
    assert [one.status for one in second.runs] == ["completed", "completed"]


def test_a_race_on_two_machines_has_one_outcome(tmp_path, monkeypatch):
    """Who does not take the times waits for them in each block, and asks nothing more."""
    names = [f"w{number}" for number in range(80)]
    given = race_of(tmp_path, names)
    first = run(given, workspace=tmp_path / "w", race=True)
    machine = first.environment["machine"]
    not_summed_up(tmp_path, "UPDATE units SET state = 'pending' WHERE kind = 'time'")
    with closing(open_ledger(tmp_path / "w" / "ledger.sqlite")) as ledger:
        ledger.attend(first.id, "elsewhere/1/1", machine)
        asked = ledger.ask("SELECT count(*) FROM recorded")
        monkeypatch.setattr(environment, "_cores", lambda: 77)
        done = []
        other = threading.Thread(
            target=lambda: done.append(execute_benchmark(first.id, workspace=tmp_path / "w")),
            daemon=True,
        )
        other.start()
        other.join(timeout=3)
        assert other.is_alive()  # it waits
        assert ledger.ask("SELECT count(*) FROM recorded") == asked
        with ledger._database.writing() as connection:
            connection.exec_driver_sql("UPDATE units SET state = 'completed' WHERE kind = 'time'")
        other.join(timeout=60)
    (second,) = done
    assert second.environment["machine"] == machine
    assert second.race == first.race
    assert found(second) == found(first)


def race_of(tmp_path, names):
    """A search that finds everything against one that finds one thing."""
    (tmp_path / "docs").mkdir()
    for name in names:
        (tmp_path / "docs" / f"{name}.md").write_text(f"# {name}\n\nAll about {name}.\n")
    queries = [
        {
            "query_key": name,
            "query_text": name,
            "relevant_docs": [{"doc_ref": {"path": f"{name}.md"}, "relevance_grade": 1}],
        }
        for name in names
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    system = "def search(query, top, *, id):\n    return ['w0.md']\n"
    (tmp_path / "theirs.py").write_text(system)
    function = f"{tmp_path / 'theirs.py'}:search"
    return {
        "dataset": str(tmp_path / "queries.json"),
        "corpus": str(tmp_path / "docs"),
        "race": {"first": 10},
        "configurations": [
            {"name": "words", "search": "lexical"},
            {"name": "theirs", "system": {"kind": "callable", "function": function}},
        ],
    }


def test_what_nobody_times_is_no_question_of_machines(given, tmp_path, monkeypatch):
    first = run(given, workspace=tmp_path / "w", untimed=True)
    monkeypatch.setattr(environment, "_cores", lambda: 77)
    second = run(given, workspace=tmp_path / "w", untimed=True)
    assert found(first) == found(second)
    assert not any(one.latency_ms for one in (*first.runs, *second.runs))
