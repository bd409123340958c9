"""Systems of somebody else: each document once, those to exclude left out, oddities told."""

import json
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from tests.benchmarks.measuring import measure

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.runs.measure import latency
from assay.errors import InputError, ProblemsError
from assay.records import Query, SystemReply
from assay.searches.built_search import KnownDocuments
from assay.searches.check import check_systems
from assay.searches.configuration.configuration import configuration
from assay.searches.open_models import OpenModels
from assay.searches.systems import build_system
from assay.text import keep_secret

FUNCTION = """
def search(query, top):
    '''Answer with the words of a query, and remember how many were asked for.'''
    asked.append(top)
    return [(word, -at) for at, word in enumerate(query.split())]

asked = []

def broken(query, top):
    raise ValueError("no " + query)

def asked_for(query, top):
    return [str(top)]
"""


@pytest.fixture
def build(tmp_path):
    """Build an outside system over three documents."""
    (tmp_path / "mine.py").write_text(FUNCTION)
    opened = []

    def make(system=None, top_k=3):
        system = system or {"kind": "callable", "function": "mine.py:search"}
        chosen = configuration({"name": "theirs", "system": system, "top_k": top_k})
        known = KnownDocuments({"a": "a.md", "b": "b.md", "b#2": "b.md"})  # one is a part of a file
        built = build_system(chosen, home=str(tmp_path), models=OpenModels(tmp_path), known=known)
        opened.append(built)
        return built

    yield make
    for built in opened:
        built.close()


@pytest.fixture
def stub():
    """Start a stub (it says so) that answers with what it is told, and return its address."""
    servers = []

    def start(answer):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            server_version = "stub"

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                status, content = answer()
                body = json.dumps({"stub": True, **content}).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join(5)
        server.socket.close()


def ask(built, text, **more):
    documents, scores, stages = built.found(Query(key="q", text=text), **more)
    assert len(documents) == len(scores)
    return documents, np.asarray(scores).tolist(), stages


def test_a_worked_example(build):
    built = build()
    documents, scores, stages = ask(built, "b a")
    assert documents == ["b", "a"]
    assert scores == [0, -1]
    assert stages["search"] >= 0
    assert stages["waits"] == 0
    assert (built.timed, built.concurrency, built.indexing, built.storage) == (True, 1, {}, {})
    assert built.notes == ()
    assert built.studied(Query(key="q", text="a")) is None


def test_a_document_counts_once_where_it_stands_first(build):
    built = build()
    assert ask(built, "b a b b#2 a")[:2] == (["b", "a", "b#2"], [0, -1, -3])
    assert any("40%" in note for note in built.notes)


def test_what_is_excluded_is_left_out_by_id_and_by_path(build):
    built = build(top_k=2)
    assert ask(built, "b a b#2", exclude={"a"})[0] == ["b", "b#2"]
    assert ask(built, "b a b#2", exclude={"b"})[0] == ["a", "b#2"]
    assert ask(built, "b a b#2", exclude={"b.md"})[0] == ["a"]
    assert ask(built, "b a b#2", exclude={"a.md", "b.md", "other"})[0] == []


def test_no_more_come_out_than_were_asked_for(build):
    assert ask(build(top_k=2), "b a b#2")[0] == ["b", "a"]


def test_room_is_made_for_what_is_excluded(build):
    built = build({"kind": "callable", "function": "mine.py:asked_for"}, top_k=5)
    assert ask(built, "x")[0] == ["5"]
    assert ask(built, "x", exclude={"a", "b.md"})[0] == ["7"]


def test_documents_that_are_not_in_the_corpus_are_told_of(build, snapshot):
    built = build()
    ask(built, "a b x")
    ask(built, "a")
    (note,) = built.notes
    assert "25%" in note
    snapshot(note)


def test_the_document_that_a_note_names_holds_no_secret_and_no_command(build, stub, monkeypatch):
    monkeypatch.setenv("SEARCH_KEY", "hunter2hunter2")
    odd = "\x1b[2J" + "." * 90 + "hunter2hunter2"
    url = stub(lambda: (200, {"hits": [{"id": odd}, {"id": "a"}]}))
    headers = {"X-Api-Key": "${SEARCH_KEY}"}
    built = build({"kind": "http", "url": url, "headers": headers, "request": {"q": "{query}"}})
    ask(built, "a")
    failure = built.checked({"q": [odd]}).failure
    assert "hunter" not in failure
    assert "\x1b" not in failure
    (note,) = (one for one in built.notes if "not in the corpus" in one)
    assert "hunter" not in note
    assert "${SEARCH_KEY}" in note
    assert note.isprintable()


def test_what_a_function_returns_cannot_command_the_terminal(build):
    built = build()
    ask(built, "a \x1b[2Jgone")
    (note,) = built.notes
    assert "gone" in note
    assert note.isprintable()


def test_nothing_found_is_an_answer(build):
    built = build()
    assert ask(built, "")[:2] == ([], [])
    assert built.notes == ()


def test_a_failure_is_that_of_its_query_and_says_what_to_do(build, snapshot):
    built = build({"kind": "callable", "function": "mine.py:broken"})
    with pytest.raises(InputError) as caught:
        ask(built, "way")
    snapshot(caught.value.problem)
    measured = measure(built, [Query(key="q", text="way")], repeats=1)
    assert measured.failed == {"q": caught.value.problem}


def test_the_fingerprint_tells_settings_apart(build):
    assert build().fingerprint == build().fingerprint
    assert build().fingerprint != build(top_k=4).fingerprint
    other = build({"kind": "callable", "function": "mine.py:asked_for"})
    assert build().fingerprint != other.fingerprint


def test_counts_hold_with_threads(build):
    built = build()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: ask(built, "a x"), range(200)))
    assert "50%" in built.notes[0]


def test_a_recorded_run_has_no_times(build, tmp_path):
    (tmp_path / "one.run").write_text("q Q0 a 1 2 x\nq Q0 b 2 1 x\n")
    built = build({"kind": "run_file", "path": "one.run"})
    measured = measure(built, [Query(key="q", text="any")], repeats=3)
    assert list(measured.found["q"][0]) == ["a", "b"]
    assert latency(measured) == {}
    assert not built.timed
    assert any("latency unknown" in note for note in built.notes)


def test_a_recorded_run_of_distances_is_ranked_by_its_ranks(build, tmp_path, snapshot):
    (tmp_path / "one.run").write_text("q Q0 a 1 0.1 x\nq Q0 b 2 0.9 x\n")
    built = build({"kind": "run_file", "path": "one.run"})
    measured = measure(built, [Query(key="q", text="any")], repeats=1)
    assert list(measured.found["q"][0]) == ["a", "b"]
    snapshot(built.notes)


def test_a_recorded_run_may_write_paths_in_another_way(build, tmp_path):
    # By hand: A.md is the path of document a alone; b.md is that of two, so it stays a stranger.
    (tmp_path / "one.run").write_text("q Q0 .\\\\A.md 1 2 x\nq Q0 b.md 2 1 x\n")
    built = build({"kind": "run_file", "path": "one.run"})
    measured = measure(built, [Query(key="q", text="any")], repeats=1)
    assert list(measured.found["q"][0]) == ["a", "b.md"]
    assert any('to "a"' in note for note in built.notes)


def test_waiting_for_a_busy_server_is_no_latency(build, stub, monkeypatch):
    monkeypatch.setattr("assay.engines.systems.http.FIRST_PAUSE_S", 0.1)
    tries = []

    def answer():
        tries.append(1)
        busy = len(tries) in (1, 2)
        return (503, {}) if busy else (200, {"hits": [{"id": "a", "score": 1}]})

    system = {"kind": "http", "url": stub(answer), "request": {"q": "{query}", "n": "{top}"}}
    built = build(system)
    measured = measure(built, [Query(key="q", text="x")], repeats=1, warm_up=0)
    assert not measured.failed
    assert len(tries) == 3
    assert latency(measured)["mean"] < 250  # the pauses alone were 300
    assert "waits" not in measured.stages
    assert any("latency" in note for note in measured.notes)


class Patient:
    """No model: every embedding waits as if a server had failed 400 ms long, in its own thread."""

    def __init__(self):
        self.waits = threading.local()

    @property
    def waited_ms(self):
        return getattr(self.waits, "milliseconds", 0.0)

    def embed(self, texts, *, query=False):
        time.sleep(0.4)
        self.waits.milliseconds = self.waited_ms + 400
        return np.ones((len(texts), 2), np.float32)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_waiting_for_a_model_is_no_latency_either(build, stub, monkeypatch, concurrency):
    monkeypatch.setattr("assay.models.open_embedder.open_embedder", lambda *_, **__: Patient())
    url = stub(lambda: (200, {"hits": [{"id": "a", "score": 1}]}))
    system = {"kind": "http", "url": url, "model": "static", "concurrency": concurrency}
    built = build(system | {"request": {"v": "{vector}", "n": "{top}"}})
    queries = [Query(key=str(at), text="x") for at in range(5)]
    measured = measure(built, queries, repeats=1, warm_up=0)
    assert np.median(measured.milliseconds) < 350
    assert np.median(measured.stages["search"]) < 350
    assert "2.0 s" in measured.notes[0]
    assert "5 searches" in measured.notes[0]


def test_how_many_are_asked_at_once_is_a_part_of_what_a_run_is(build, stub):
    system = {"kind": "http", "url": stub(lambda: (200, {})), "request": {"q": "{query}"}}
    names = [build(system | {"concurrency": at}).fingerprint for at in (1, 4, 4)]
    assert names[0] != names[1] == names[2]
    function = {"kind": "callable", "function": "mine.py:search"}
    assert build(function).fingerprint != build(function | {"concurrency": 2}).fingerprint


def test_several_queries_at_once(build, stub):
    together, most = [], []

    def answer():
        together.append(1)
        most.append(len(together))
        threading.Event().wait(0.02)
        together.pop()
        return 200, {"hits": [{"id": "a"}]}

    system = {"kind": "http", "url": stub(answer), "request": {"q": "{query}"}, "concurrency": 4}
    built = build(system)
    queries = [Query(key=str(at), text="x") for at in range(16)]
    measured = measure(built, queries, repeats=1)
    assert len(measured.found) == 16
    assert 1 < max(most) <= 4
    assert latency(measured)["concurrency"] == 4


def test_vectors_of_a_model_can_be_sent(build, stub):
    system = {
        "kind": "http",
        "url": stub(lambda: (200, {"hits": [{"id": "a"}]})),
        "model": "static",
    }
    built = build(system | {"request": {"v": "{vector}", "n": "{top}"}})
    assert ask(built, "a text")[0] == ["a"]


class Plugin:
    """A system of a plugin that answers oddly."""

    fingerprint, concurrency, notes = "plugin", 1, ()

    def __init__(self, replied):
        self.replied = replied

    def search(self, query, top):
        return self.replied

    def close(self):
        pass


def test_a_plugin_may_answer_with_lists_but_not_with_too_few_scores(build, monkeypatch):
    answers = [SystemReply(["a", "b"], [2, 1]), SystemReply(["a", "b"], [2])]
    monkeypatch.setattr("assay.searches.systems.find", lambda *_: lambda **_: Plugin(answers[0]))
    assert ask(build(), "x")[:2] == (["a", "b"], [2, 1])
    monkeypatch.setattr("assay.searches.systems.find", lambda *_: lambda **_: Plugin(answers[1]))
    with pytest.raises(InputError, match=r"2 documents .* 1 scores"):
        ask(build(), "x")


# --- before anything is built


def benchmark_of(tmp_path, *systems):
    (tmp_path / "mine.py").write_text(FUNCTION)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.md").write_text("a")
    (tmp_path / "queries.yaml").write_text("- {id: q, query: a, expected_files: [a.md]}\n")
    listed = [{"name": f"n{at}", "system": one} for at, one in enumerate(systems)]
    given = {"dataset": "queries.yaml", "corpus": "pages", "configurations": listed}
    (tmp_path / "benchmark.json").write_text(json.dumps(given))
    return read_benchmark(tmp_path / "benchmark.json")


def test_all_that_cannot_be_asked_is_told_at_once(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    request = {"q": "{query}"}
    benchmark = benchmark_of(
        tmp_path,
        {"kind": "callable", "function": "mine.py:search"},
        {"kind": "callable", "function": "gone.py:search"},
        {"kind": "run_file", "path": "gone.run"},
        {"kind": "http", "url": f"http://127.0.0.1:{port}", "request": request},
        {"kind": "http", "url": "${NOT_SET_AT_ALL}", "request": request},
    )
    with pytest.raises(ProblemsError) as caught:
        check_systems(benchmark)
    told = str(caught.value)
    assert "4 problems" in told
    for part in ("n1", "gone.py", "n2", "gone.run", "n3", "cannot be reached", "NOT_SET_AT_ALL"):
        assert part in told
    assert 'configuration "n0"' not in told


@pytest.mark.parametrize(
    ("status", "content", "fact"),
    [
        (401, {"error": "who are you?"}, "401"),
        (404, {}, "404"),
        (200, {"results": []}, "no hits"),
        (200, {"hits": [{"path": "a"}]}, "no id"),
    ],
)
def test_what_every_query_would_fail_with_is_told_after_one_question(
    tmp_path, stub, snapshot, status, content, fact
):
    asked = []
    url = stub(lambda: asked.append(1) or (status, content))
    benchmark = benchmark_of(tmp_path, {"kind": "http", "url": url, "request": {"q": "{query}"}})
    with pytest.raises(ProblemsError, match=fact) as caught:
        check_systems(benchmark)
    assert 'configuration "n0"' in str(caught.value)
    snapshot(str(caught.value).replace(url, "URL"))
    assert len(asked) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_is_busy_is_no_mistake_of_the_file(tmp_path, stub, status):
    asked = []
    url = stub(lambda: asked.append(1) or (status, {}))
    check_systems(benchmark_of(tmp_path, {"kind": "http", "url": url, "request": {"q": "{query}"}}))
    assert len(asked) == 1


def test_an_incomplete_answer_to_the_trial_says_nothing(tmp_path, stub):
    asked = []
    url = stub(lambda: asked.append(1) or (200, {"hits": [], "late": True}))
    system = {"kind": "http", "url": url, "request": {"q": "{query}"}}
    check_systems(benchmark_of(tmp_path, system | {"response": {"incomplete": "late"}}))
    assert len(asked) == 1


def test_what_is_asked_by_the_id_of_a_query_is_only_connected(tmp_path, stub):
    asked = []
    url = stub(lambda: asked.append(1) or (404, {}))  # as for any id that it does not know
    check_systems(benchmark_of(tmp_path, {"kind": "http", "url": url, "request": {"q": "{id}"}}))
    assert not asked


def test_what_can_be_asked_is_let_go_of_again(tmp_path):
    """The folder of a function can be imported from until it is closed."""
    benchmark = benchmark_of(tmp_path, {"kind": "callable", "function": "mine.py:search"})
    before = list(sys.path)
    check_systems(benchmark)
    assert sys.path == before


def test_a_secret_in_an_id_that_a_system_returns_is_named(build):
    keep_secret("TEST_OUTSIDE_KEY", "s3cr3t-value")
    built = build()
    assert ask(built, "b s3cr3t-value a")[0] == ["b", "${TEST_OUTSIDE_KEY}", "a"]


def test_a_secret_in_an_error_is_named():
    keep_secret("TEST_OUTSIDE_KEY", "s3cr3t-value")
    error = InputError("no s3cr3t-value", where="at s3cr3t-value", hint="not s3cr3t-value")
    assert "s3cr3t" not in f"{error} {error.problem} {error.where} {error.hint}"
    assert error.problem == "no ${TEST_OUTSIDE_KEY}"


def test_a_plan_connects_and_sends_no_request(tmp_path, stub):
    asked = []
    url = stub(lambda: asked.append(1) or (200, {"hits": []}))
    benchmark = benchmark_of(tmp_path, {"kind": "http", "url": url, "request": {"q": "{query}"}})
    check_systems(benchmark, run=False)
    assert not asked
    check_systems(benchmark)
    assert len(asked) == 1
