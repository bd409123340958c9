"""What other processes do meanwhile ends no benchmark, and changes none that is completed."""

import json
import threading
import time
from contextlib import closing

import pytest

from assay.benchmarks import conduct, spine
from assay.benchmarks.runs import measure
from assay.benchmarks.work import open_indexes, piece_work
from assay.benchmarks.work.worker import Worker
from assay.errors import InputError, UnavailableError
from assay.text import forget_secrets, keep_secret
from assay.workflows.jobs.submit import submit
from assay.workflows.run import run
from assay.workflows.worker import worker
from assay.workspace.ledger import _rows
from assay.workspace.ledger.forget_reports import forget_reports
from assay.workspace.ledger.ledger import open_ledger, worker_name
from assay.workspace.store.store import open_service_store

WORDS = ("red", "green", "blue", "black", "white", "grey")


@pytest.fixture
def given(tmp_path):
    (tmp_path / "docs").mkdir()
    for word in WORDS:
        (tmp_path / "docs" / f"{word}.md").write_text(f"# {word}\n\nAll about {word} paint.\n")
    write(tmp_path, WORDS)
    return {
        "dataset": str(tmp_path / "queries.json"),
        "corpus": str(tmp_path / "docs"),
        "configurations": [{"name": "words", "search": "lexical"}],
    }


def write(folder, words):
    queries = [
        {
            "query_key": word,
            "query_text": f"{word} paint",
            "relevant_docs": [{"doc_ref": {"path": f"{word}.md"}, "relevance_grade": 1}],
        }
        for word in words
    ]
    (folder / "queries.json").write_text(json.dumps({"queries": queries}))


@pytest.fixture
def place(tmp_path):
    return tmp_path / "w" / "ledger.sqlite"


def change(place, *statements):
    with closing(open_ledger(place)) as ledger, ledger._database.writing() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def states(place):
    with closing(open_ledger(place)) as ledger, ledger._database.reading() as connection:
        found = connection.exec_driver_sql("SELECT state FROM benchmarks ORDER BY number")
        return [*found.scalars()]


def in_thread(act):
    thread = threading.Thread(target=act)
    thread.start()
    thread.join(timeout=60)


def test_a_worker_of_another_version_does_no_harm(given, tmp_path, place, monkeypatch):
    through, results = Worker.through, []

    def beside(self, jobs, **options):
        if not results:
            with monkeypatch.context() as other:
                other.setattr(open_indexes, "code", lambda: "another version")
                results.extend(worker(self.benchmark, workspace=tmp_path / "w"))
        return through(self, jobs, **options)

    monkeypatch.setattr(Worker, "through", beside)
    report = run(given, workspace=tmp_path / "w")
    assert [one.state for one in results] == ["failed"]
    assert "another version" in results[0].error
    assert [one.status for one in report.runs] == ["completed"]
    assert states(place) == ["completed"]


def test_what_is_tried_again_is_in_the_report(given, tmp_path, monkeypatch):
    """Also where another process sums up between the beginning and the retry."""
    (tmp_path / "theirs.py").write_text(
        "import pathlib\n"
        "def search(query, top, *, id):\n"
        f"    if pathlib.Path({str(tmp_path)!r}, 'broken').exists() and id in ('red', 'blue'):\n"
        "        raise RuntimeError('no answer today')\n"
        "    return [f'{id}.md']\n"
    )
    function = f"{tmp_path / 'theirs.py'}:search"
    system = {"name": "theirs", "system": {"kind": "callable", "function": function}}
    given["configurations"].append(system)
    (tmp_path / "broken").touch()
    first = run(given, workspace=tmp_path / "w")
    assert {*first.runs[1].failed} == {"red", "blue"}
    (tmp_path / "broken").unlink()
    begin = conduct._begin

    def and_others(*asked):
        started = begin(*asked)
        in_thread(lambda: worker(workspace=tmp_path / "w"))
        return started

    monkeypatch.setattr(conduct, "_begin", and_others)
    second = run(given, workspace=tmp_path / "w", resume=True, retry_failed=True)
    assert not second.runs[1].failed


def test_a_completed_benchmark_stays_so(given, tmp_path, place, monkeypatch):
    ends = iter([KeyboardInterrupt()])

    def interrupted(_):
        for error in ends:
            raise error

    monkeypatch.setattr(conduct, "_joined", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(given, workspace=tmp_path / "w")
    assert states(place) == ["completed"]
    with closing(open_ledger(place)) as ledger:
        assert ledger.ask("SELECT cancel FROM benchmarks") == (0,)


def test_who_lost_its_claim_raises_nothing(tmp_path):
    with closing(open_ledger(tmp_path / "l.sqlite")) as ledger:
        job = ledger.begin(identity="1", name="b", about={}, runs=["a"], resume=False).id

        def too_late():
            change(tmp_path / "l.sqlite", "UPDATE units SET lease_until = 1")
            Worker(ledger, job, "b/1/1").conclude(lambda: b"report")
            raise InputError("trouble of one machine only")

        Worker(ledger, job, "a/1/1").conclude(too_late)
        assert (ledger.job(job).state, ledger.report(job)) == ("completed", b"report")


def test_a_benchmark_that_was_removed_meanwhile_is_told(tmp_path, monkeypatch):
    path = tmp_path / "l.sqlite"
    with closing(open_ledger(path)) as ledger:
        job = ledger.begin(identity="1", name="b", about={}, runs=["a"], resume=False).id
        Worker(ledger, job, "a/1/1").conclude(lambda: b"report")
        prepare = ledger.prepare

        def and_forget(*asked, **options):
            prepare(*asked, **options)
            forget_reports(str(path))

        monkeypatch.setattr(ledger, "prepare", and_forget)
        with pytest.raises(InputError, match="removed"):
            Worker(ledger, job, "b/1/1").conclude(lambda: b"report")


def test_a_connection_that_is_lost_fails_no_unit(given, tmp_path, monkeypatch, empty_database):
    import psycopg

    monkeypatch.setenv("ASSAY_DATABASE_URL", empty_database)
    first, ask, cut = piece_work.PieceWork._first, _rows.run, []

    def while_reading(self, tape):
        cut.append(False)
        return first(self, tape)

    def ask_and_lose(connection, statement, *values, **options):
        if cut == [False]:
            cut[0] = True
            pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
            url = empty_database.replace("+psycopg", "")
            with psycopg.connect(url, autocommit=True) as server:
                server.execute(f"SELECT pg_terminate_backend({pid})")
            time.sleep(0.3)
        return ask(connection, statement, *values, **options)

    monkeypatch.setattr(piece_work.PieceWork, "_first", while_reading)
    monkeypatch.setattr(_rows, "run", ask_and_lose)
    with pytest.raises(UnavailableError):
        run(given, workspace=tmp_path / "w")
    monkeypatch.undo()
    monkeypatch.setenv("ASSAY_DATABASE_URL", empty_database)
    report = run(given, workspace=tmp_path / "w", resume=True)
    assert [one.status for one in report.runs] == ["completed"]


def test_names_of_variables_take_the_place_of_nothing_in_a_job(tmp_path):
    """Their values are concealed where they are shown, and not in what is to be done."""
    job = {"dataset": "handbook/queries.json", "url": "http://127.0.0.1/${INDEX}/_search"}
    keep_secret("INDEX", "handbook")
    try:
        with closing(open_ledger(tmp_path / "l.sqlite")) as ledger:
            told = {"identity": "1", "name": "b", "about": {}, "runs": ["a"], "job": job}
            assert ledger.job(ledger.begin(**told, resume=False).id).content == job
    finally:
        forget_secrets()


def test_times_are_not_removed_under_who_takes_them(tmp_path):
    from assay.records.work import RecordedAnswer, Unit

    with closing(open_ledger(tmp_path / "l.sqlite")) as ledger:

        def begin(name, unit):
            told = {"identity": name, "name": name, "about": {}, "runs": ["a"], "machine": "M"}
            job = ledger.begin(**told, resume=False).id
            ledger.prepare(job, [unit], machine="M")
            return job, ledger.claim(job, worker_name(), machine="M")

        _, claim = begin("1", Unit("k1", "time", "t", (), 1, "tape"))
        ledger.record(claim, [RecordedAnswer("q1", 0)])
        ledger.complete(claim, {"busy": True})
        _, other = begin("2", Unit("k2", "time", "t", (), 2, "tape"))
        ledger.record(other, [RecordedAnswer("q2", 0)])
        ledger.reopen(["k1"])
        assert ledger.asked("tape") == {("q1", 0), ("q2", 0)}


@pytest.mark.parametrize("first", ["the process that began it", "one that joins"])
def test_whoever_is_first_takes_the_times_of_a_busy_machine_again(
    given, tmp_path, place, monkeypatch, first
):
    run(given, workspace=tmp_path / "w")
    claims = fences(place)
    change(place, "UPDATE units SET facts = '{\"busy\": true}' WHERE kind = 'time'")
    monkeypatch.setattr(piece_work, "kept_waiting", lambda _: False)
    execute, joined = spine.execute, []

    def beside(*asked):
        if not joined and first == "the process that began it":
            execute(*asked)
        if not joined:
            joined.append(asked[1].benchmark)
            assert [one.state for one in worker(*joined, workspace=tmp_path / "w")] == ["completed"]
            assert fences(place)["time"] == 2 * claims["time"]  # before it was summed up
        return execute(*asked)

    monkeypatch.setattr(spine, "execute", beside)
    assert run(given, workspace=tmp_path / "w", resume=True).id == joined[0]
    assert states(place) == ["completed", "completed"]
    assert fences(place) == {kind: n * (2 if kind == "time" else 1) for kind, n in claims.items()}


def fences(place):
    """Count how often a unit of each kind was claimed."""
    with closing(open_ledger(place)) as ledger, ledger._database.reading() as connection:
        found = connection.exec_driver_sql(
            "SELECT kind, sum(fence) FROM units WHERE kind <> 'report' GROUP BY kind"
        )
        return {kind: number for kind, number in found}


def test_a_worker_that_is_told_to_stop_notes_it(given, tmp_path, place):
    first = run(given, workspace=tmp_path / "w")
    change(
        place,
        "UPDATE benchmarks SET state = 'running', report = NULL",
        "UPDATE units SET state = 'pending' WHERE kind = 'report'",
    )
    job = submit("import", {"author": "x", "path": given["dataset"]}, workspace=tmp_path / "w")
    with closing(open_ledger(place)) as ledger:
        ledger.cancel(first.id)
        ledger.cancel(job)
    assert [one.state for one in worker(workspace=tmp_path / "w")] == ["cancelled", "cancelled"]
    assert states(place) == ["cancelled", "cancelled"]
    assert worker(workspace=tmp_path / "w") == []


def test_a_job_holds_up_no_other(given, tmp_path, place):
    with pytest.raises(InputError, match="path"):
        submit("import", {"author": "x"}, workspace=tmp_path / "w")
    content = {"author": "x", "path": given["dataset"]}
    bad = submit("import", content, workspace=tmp_path / "w")
    submit("import", content, workspace=tmp_path / "w")
    change(place, f"UPDATE benchmarks SET job = '{{}}' WHERE id = '{bad}'")
    found = worker(workspace=tmp_path / "w")
    assert [one.state for one in found] == ["failed", "completed"]
    assert "KeyError" in found[0].error


def test_an_import_that_is_done_again_takes_nothing_back(given, tmp_path, place):
    content = {"author": "x", "path": given["dataset"]}
    dataset = submit("import", content, workspace=tmp_path / "w")
    worker(workspace=tmp_path / "w")
    write(tmp_path, WORDS[:5])
    job = submit("import", {**content, "dataset": dataset}, workspace=tmp_path / "w")
    worker(workspace=tmp_path / "w")
    change(  # as if the worker had been killed before it could say that it was done
        place,
        f"UPDATE benchmarks SET state = 'running', report = NULL WHERE id = '{job}'",
        f"UPDATE units SET state = 'pending' WHERE key = 'import-{job}'",
    )
    with closing(open_service_store(str(place))) as store:
        store.datasets.edit(dataset, remove=["red"], revision=None, author="ann")
        assert [one.state for one in worker(workspace=tmp_path / "w")] == ["completed"]
        assert store.datasets.get(dataset).version.number == 3
        assert len(store.datasets.read(dataset).queries) == 4


def test_a_benchmark_over_other_data_has_failed(given, tmp_path, place):
    """Else every worker would try it again."""
    run(given, workspace=tmp_path / "w")
    change(
        place,
        "UPDATE benchmarks SET state = 'running', report = NULL",
        "UPDATE units SET state = 'pending' WHERE kind = 'report'",
    )
    write(tmp_path, WORDS[:5])
    (result,) = worker(workspace=tmp_path / "w")
    assert (result.state, states(place)) == ("failed", ["failed"])
    assert "the dataset changed" in result.error
    assert worker(workspace=tmp_path / "w") == []


def test_times_are_of_a_quiet_machine_once_nobody_shares_it(given, tmp_path, monkeypatch):
    monkeypatch.setattr(piece_work, "kept_waiting", lambda _: False)
    for name in ("kept_waiting", "is_busy"):  # whatever else the machine does just now
        monkeypatch.setattr(measure, name, lambda _: False)
    several = run(given, workspace=tmp_path / "w", parallel=2)
    assert [one.latency_ms["busy"] for one in several.runs] == [True]
    alone = run(given, workspace=tmp_path / "w")
    assert [one.latency_ms["busy"] for one in alone.runs] == [False]
    assert not any("several processes" in note for note in alone.notes)
    untimed = run(given, workspace=tmp_path / "w", untimed=True)
    assert not any("several processes" in note for note in untimed.notes)
