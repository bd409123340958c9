"""Commands with ``--url``, against a real process of the service."""

import contextlib
import fcntl
import io
import json
import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import termios
import time

import pytest
from tests.server.process import running_service

import assay
from assay.cli import start
from assay.cli.remote.judge import judge_remotely
from assay.client import Client
from assay.client import connection as connections
from assay.client.judgments import JudgmentVerbs
from assay.errors import UnavailableError
from assay.workflows.worker import worker

pytestmark = [pytest.mark.service, pytest.mark.timeout(120)]

TOPICS = ["backup", "restore", "token", "cache", "index", "cluster", "query", "schema"]
NOBODY = "assay_000000000000_" + "x" * 43
PATIENCE_S = 60


def write_bench(folder):
    """Write pages about topics, a question for each, and a benchmark of two runs that differ."""
    (folder / "pages").mkdir()
    for at, topic in enumerate(TOPICS):
        other = TOPICS[at - 1]
        texts = {
            topic: f"# {topic}\n\nHow the {topic} works: settings of the {topic}, step by step.",
            f"{topic}s": f"# {topic}s\n\nMany {topic}s work like this, beside a {other}.",
        }
        for name, text in texts.items():
            (folder / "pages" / f"{name}.md").write_text(text)
    queries = [
        {
            "query_key": topic,
            "query_text": f"how does the {topic} work",
            "relevant_docs": [{"doc_ref": {"path": f"{topic}.md"}, "relevance_grade": 2}],
        }
        for topic in TOPICS
    ]
    told = {"metadata": {"name": "questions", "scale": 2}, "queries": queries}
    (folder / "questions.json").write_text(json.dumps(told))
    bench = {
        "name": "manual",
        "dataset": "questions.json",
        "corpus": "pages",
        "metrics": ["ndcg@10", "recall@5"],
        "baseline": "plain",
        "configurations": [
            {"name": "plain", "search": "lexical"},
            {"name": "exact", "search": "lexical", "language": "none"},
        ],
    }
    (folder / "bench.json").write_text(json.dumps(bench))
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return write_bench(tmp_path_factory.mktemp("remote"))


@pytest.fixture(scope="module")
def service(place):
    with running_service(place / "served", "--workers", "1", "--allow", f"corpus={place}") as found:
        yield found


@pytest.fixture
def here(service, place, monkeypatch):
    """Be in the folder of the benchmark, with the token of the service."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("ASSAY_TOKEN", service.token)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    return service.base


@pytest.fixture
def client(service):
    with Client(service.base, token=service.token) as made:
        yield made


@pytest.fixture(scope="module")
def report(service, place):
    """The report of a benchmark that `assay run --url` started, as it was written to a file."""
    command = words("run", "bench.json", "--url", service.base, "-o", "report.json", "--untimed")
    done = subprocess.run(
        command, cwd=place, env=environment(service.token), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "wrote report.json" in done.stderr
    assert "plain" in done.stdout
    return json.loads((place / "report.json").read_text())


def words(*arguments):
    return [sys.executable, "-m", "assay", *arguments]


def environment(token):
    return {**os.environ, "ASSAY_TOKEN": token, "COLUMNS": "100", "TERM": "xterm"}


def said(capsys, *arguments, code=0):
    """Run a command in this process; return what it printed."""
    capsys.readouterr()
    found = start([*map(str, arguments)])
    out, err = capsys.readouterr()
    assert found == code, (out, err)
    assert "Traceback" not in out + err
    return out if code in (0, 1) else err


def test_run_uploads_maps_starts_waits_and_prints(here, report, client):
    assert [run["name"] for run in report["runs"]] == ["plain", "exact"]
    found = client.benchmarks.get(report["id"])
    assert (found.name, found.state, found.reported) == ("manual", "completed", True)
    assert json.loads(client.benchmarks.report(report["id"])) == report


def test_a_second_run_uploads_nothing_and_is_a_benchmark_of_its_own(here, report, client, capsys):
    before = {one.id for one in client.benchmarks.list()}
    said(capsys, "run", "bench.json", "--url", here, "--untimed", "--quiet")
    assert len([*client.datasets.list()]) == 1
    (new,) = {one.id for one in client.benchmarks.list()} - before
    again = client.benchmarks.results(new)
    first = client.benchmarks.results(report["id"])
    scores = [[run["scores"] for run in one["runs"]] for one in (again, first)]
    assert scores[0] == scores[1]


def test_a_completed_benchmark_is_not_resumed(here, report, capsys):
    error = said(capsys, "run", "bench.json", "--url", here, "--untimed", "--resume", code=2)
    assert "run it without --resume" in error


def test_run_with_a_corpus_of_the_service(here, place, client, capsys):
    client.corpora.create("manual pages", {"path": str(place / "pages")})
    told = said(
        *(capsys, "run", "bench.json", "--corpus", "manual pages", "--url", here),
        *("--untimed", "--quiet", "--json"),
    )
    assert json.loads(told)["corpus"]["documents"] == 2 * len(TOPICS)
    (mapping,) = client.benchmarks.mappings(json.loads(told)["id"])
    assert client.corpora.get(mapping["corpus"]).name == "manual pages"


def test_run_refuses_what_is_about_this_machine(here, capsys):
    error = said(capsys, "run", "bench.json", "--url", here, "--workspace", "x", code=2)
    assert "--workspace cannot be combined with --url" in error


def test_show_lists_benchmarks_and_shows_one_and_one_query(here, report, capsys):
    assert report["id"] in said(capsys, "show", "--url", here)
    listed = json.loads(said(capsys, "show", "--url", here, "--json"))
    assert report["id"] in json.dumps(listed)
    assert "recall@5" in said(capsys, "show", report["id"][:8], "--url", here)
    assert "how does the cache work" in said(
        capsys, "show", report["id"], "--url", here, "--query", "cache"
    )
    assert "exact" in said(capsys, "show", f"{report['id']}:exact", "--url", here)
    assert json.loads(said(capsys, "show", "manual", "--url", here, "--json"))["runs"]


def test_show_names_what_there_is(here, report, capsys):
    error = said(capsys, "show", "manul", "--url", here, code=2)
    assert 'no benchmark "manul"' in error
    assert "(manual)" in error


def test_report_is_printed_and_written(here, report, capsys, tmp_path):
    told = said(capsys, "report", report["id"], "--url", here)
    assert f"assay judge {report['id'][:8]} --url {here}" in " ".join(told.split())
    page = tmp_path / "page.html"
    said(capsys, "report", report["id"], "--url", here, "-o", page)
    assert "<html" in page.read_text()[:500]


def test_gate_passes_and_fails(here, report, place, capsys):
    asked = (here, "--allow", "ndcg@10:5%")
    assert "pass" in said(capsys, "gate", report["id"], report["id"], "--url", *asked).lower()
    said(capsys, "gate", place / "report.json", report["id"], "--url", *asked)
    bad = ("--min", "ndcg@10:0.999", "--max", "recall@5:0.001", "--bare")
    assert "fail" in said(capsys, "gate", "manual", "--url", here, *bad, code=1).lower()
    told = said(capsys, "gate", "manual", "--url", here, *bad, "--json", code=1)
    assert json.loads(told)["outcome"] == "fail"


@pytest.fixture
def judged(here, place, client, capsys):
    """A benchmark over a dataset that nobody has graded, and its dataset."""
    told = json.loads((place / "questions.json").read_text())
    number = len([*client.datasets.list()])
    told["metadata"]["name"] = f"judged {number}"
    (place / "judged.json").write_text(json.dumps(told))
    options = ("--url", here, "--untimed", "--quiet", "--json")
    made = said(capsys, "run", "bench.json", "--dataset", "judged.json", *options)
    found = json.loads(made)["id"]
    (mapping,) = client.benchmarks.mappings(found)
    return found, mapping["dataset"]


def keys(monkeypatch, text):
    """Give a command keys as the lines of its input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_judge_stores_each_grade_with_the_name_of_the_token(
    here, judged, client, capsys, monkeypatch
):
    benchmark, dataset = judged
    keys(monkeypatch, "2\n0\n1\nu\n")
    told = said(capsys, "judge", benchmark, "--url", here)
    assert "2 documents graded" in told
    current = [*client.judgments.list(dataset, current=True)]
    assert [one.judgment.grade for one in current] == [2, 0]
    assert len({one.author for one in current}) == 1
    assert current[0].author.startswith("start link")
    assert f"report {benchmark}" in current[0].judgment.note
    assert len([*client.judgments.list(dataset)]) == 4
    keys(monkeypatch, "0\nq\n")
    value = json.loads(said(capsys, "judge", benchmark, "--url", here, "--json"))
    assert (value["graded"], value["graded_before"]) == (1, 2)
    assert value["output"] == f"{here}/api/v1/datasets/{dataset}/judgments"


def recorded(most):
    """Return a list of what is asked, and a judge who gives so many documents grade 1."""
    asked = []

    def ask(view):
        asked.append((view.card.query, view.card.document, view.card.lines))
        return "1" if len(asked) <= most else "q"

    return asked, ask


@pytest.fixture(params=["one dataset", "several datasets"])
def unjudged(request, here, place, capsys):
    """A benchmark file over datasets of its own, and the id of its benchmark on the service."""
    told = json.loads((place / "questions.json").read_text())
    bench = json.loads((place / "bench.json").read_text())
    names = ["alone"] if request.param == "one dataset" else ["first", "second"]
    for at, name in enumerate(names):
        mine = {
            **told,
            "metadata": {"name": name, "scale": 2 + at},
            "queries": told["queries"][at:],
        }
        (place / f"{name}.json").write_text(json.dumps(mine))
    parts = [{"dataset": f"{name}.json", "corpus": "pages", "name": name} for name in names]
    single = {"dataset": f"{names[0]}.json", "corpus": "pages"}
    rest = {key: one for key, one in bench.items() if key not in single}
    file = place / f"{names[0]}-bench.json"
    file.write_text(json.dumps(rest | (single if len(names) == 1 else {"datasets": parts})))
    made = said(capsys, "run", file, "--url", here, "--untimed", "--quiet", "--json")
    return file, json.loads(made)["id"]


def test_judge_asks_the_same_as_on_this_machine(here, unjudged, tmp_path, client):
    file, benchmark = unjudged
    assay.run(file, workspace=tmp_path / "own", untimed=True)
    asked, ask = recorded(9)
    mappings = client.benchmarks.mappings(benchmark)
    output = tmp_path / ("grades" if len(mappings) > 1 else "grades.json")
    own = assay.judge(file, ask=ask, workspace=tmp_path / "own", output=output, seed=3)
    there, ask = recorded(9)
    options = {"runs": (), "most": None, "seed": 3}
    remote = judge_remotely(benchmark, here, options, ask=ask)
    assert there == asked
    assert len(asked) > 5
    assert (remote.before, remote.after, remote.left) == (own.before, own.after, own.left)
    stored = [one for each in mappings for one in client.judgments.list(each["dataset"])]
    assert len(stored) == remote.graded
    assert {one.judgment.query for one in stored} <= {*TOPICS}


def test_judge_shows_documents_without_a_text_that_is_gone(
    here, place, client, capsys, monkeypatch
):
    shutil.copytree(place / "pages", place / "gone")
    client.corpora.create("gone pages", {"path": str(place / "gone")})
    options = ("--corpus", "gone pages", "--url", here, "--untimed", "--quiet", "--json")
    found = json.loads(said(capsys, "run", "bench.json", *options))["id"]
    shutil.rmtree(place / "gone")
    keys(monkeypatch, "0\n0\n")
    told = " ".join(said(capsys, "judge", found, "--url", here).split())
    assert "2 documents graded" in told
    assert "shown without a text, which the service does not have" in told


def test_judge_refuses_options_about_files_and_lesser_roles(
    here, judged, client, capsys, monkeypatch
):
    for option in ("--report", "--dataset", "-o", "--judge", "--second", "--workspace"):
        error = said(capsys, "judge", judged[0], "--url", here, option, "x", code=2)
        assert f"{option} cannot be combined with --url" in error
    monkeypatch.setenv("ASSAY_TOKEN", client.tokens.create("viewer", role="viewer").plain)
    keys(monkeypatch, "1\n")
    assert "editor" in said(capsys, "judge", judged[0], "--url", here, code=2)


def test_an_interrupted_sitting_keeps_what_was_graded(here, judged, client, place, service):
    benchmark, dataset = judged
    with terminal(place, service.token, "judge", benchmark, "--url", here) as window:
        window.until("q quit")
        window.press("1")
        window.until("1 graded")
        window.press("\x03")
        assert window.end() == 0, window.shown[-2000:]
    assert "1 document graded" in window.shown
    assert len([*client.judgments.list(dataset, current=True)]) == 1


def test_a_service_that_goes_away_is_told_with_what_is_stored(
    here, judged, client, capsys, monkeypatch
):
    kept = JudgmentVerbs.add

    def add(self, dataset, judgments):
        if [*client.judgments.list(dataset)]:
            raise UnavailableError("cannot be reached", where=here)
        return kept(self, dataset, judgments)

    monkeypatch.setattr(JudgmentVerbs, "add", add)
    keys(monkeypatch, "1\n1\n")
    error = said(capsys, "judge", judged[0], "--url", here, code=2)
    assert "cannot be reached" in error
    assert "the last key was not stored, all before are" in error
    assert len([*client.judgments.list(judged[1])]) == 1


COMMANDS = [
    ("run", "bench.json"),
    ("show",),
    ("show", "manual"),
    ("report", "manual"),
    ("gate", "manual", "--min", "ndcg@10:0.1"),
    ("judge", "manual"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_wrong_token_and_a_wrong_address_are_one_message(here, command, capsys, monkeypatch):
    monkeypatch.setattr(connections, "FIRST_S", 0.1)
    keys(monkeypatch, "1\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        nowhere = f"http://127.0.0.1:{free.getsockname()[1]}"
    for url in (nowhere, "ftp://x", "manual"):
        error = said(capsys, *command, "--url", url, code=2)
        assert error.count("error: ") == 1, error
        assert "hint: " in error
    monkeypatch.setenv("ASSAY_TOKEN", NOBODY)
    error = said(capsys, *command, "--url", here, code=2)
    assert error.count("error: ") == 1, error
    assert "token" in error


class Terminal:
    """A command in a terminal of its own; what it shows is read until it says something."""

    def __init__(self, place, token, *arguments):
        self.handle, theirs = pty.openpty()
        self.shown = ""
        self.process = subprocess.Popen(
            words(*arguments),
            cwd=place,
            env=environment(token),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)

    def press(self, keys):
        os.write(self.handle, keys.encode())

    def until(self, text):
        end, since = time.monotonic() + PATIENCE_S, len(self.shown)
        while text not in self.shown[since:]:
            assert time.monotonic() < end, self.shown[-3000:]
            assert self.read(), self.shown[-3000:]

    def read(self):
        if not select.select([self.handle], [], [], 1)[0]:
            return True
        try:
            content = os.read(self.handle, 65536)
        except OSError:  # it ended
            return False
        self.shown += content.decode("utf-8", "replace")
        return bool(content)

    def end(self):
        while self.read():
            pass
        return self.process.wait(PATIENCE_S)


@contextlib.contextmanager
def terminal(*arguments):
    opened = Terminal(*arguments)
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.process.kill()
        opened.process.wait()
        os.close(opened.handle)


def until(is_so):
    """Return what becomes true."""
    end = time.monotonic() + PATIENCE_S
    while not (found := is_so()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return found


def resolve(workspace, client):
    """Do, as a worker, what `assay run --url` waits for before it starts its benchmark."""
    until(lambda: [*client.jobs.list()])
    worker(workspace=workspace)


def test_a_run_that_waits_survives_interrupts_and_a_restart(tmp_path):
    """Without workers a benchmark waits, so that there is time to interrupt and to restart."""
    place, workspace = write_bench(tmp_path), tmp_path / "served"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = ("--port", free.getsockname()[1])
    with running_service(workspace, *port, "--workers", "0") as found:
        run = ("run", "bench.json", "--url", found.base, "--untimed")
        with Client(found.base, token=found.token) as client:
            _interrupted(place, workspace, client, found.token, run)
            waiting = _resumed(place, client, found.token, run)
    with running_service(workspace, *port, "--workers", "1"):
        out, err = waiting.communicate(timeout=PATIENCE_S)
    assert waiting.returncode == 0, err
    assert "exact" in out


def _interrupted(place, workspace, client, token, run):
    """Interrupt twice: somebody who wants the benchmark to go on, and somebody who does not."""
    with terminal(place, token, *run) as window:
        resolve(workspace, client)
        window.until("waiting for a worker")
        (made,) = client.benchmarks.list()
        window.press("\x03")
        window.until("Cancel the benchmark on the service too?")
        window.press("n\r")
        assert window.end() == 130, window.shown
    assert "continues on the service" in window.shown
    assert f"assay show {made.id[:8]} --url {client.url}" in window.shown.replace("\r\n", " ")
    assert client.benchmarks.get(made.id).state == "running"
    with terminal(place, token, *run, "--resume") as window:
        window.until("waiting for a worker")
        window.press("\x03")
        window.until("too?")
        window.press("y\r")
        assert window.end() == 130, window.shown
    assert "cancelled" in window.shown
    assert client.benchmarks.get(made.id).state == "cancelled"


def _resumed(place, client, token, run):
    """Interrupt without a terminal; then wait for the same benchmark again."""
    made = next(client.benchmarks.list()).id
    for is_last in (False, True):
        child = subprocess.Popen(
            words(*run, "--resume"),
            cwd=place,
            env=environment(token),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        until(lambda: client.benchmarks.get(made).state == "running")
        time.sleep(1.5)  # until it has begun to wait
        if is_last:
            return child
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=PATIENCE_S)
        assert child.returncode == 130, err
        assert "continues on the service" in err
        assert "--resume" in err
        assert "Traceback" not in err
        assert client.benchmarks.get(made).state == "running"
    raise AssertionError
