"""Who presses Ctrl-C twice still gets an end in order."""

import json
import signal
import subprocess
import sys
import time

import pytest

from assay.workspace.ledger.ledger import open_ledger


@pytest.fixture
def place(tmp_path):
    (tmp_path / "docs").mkdir()
    for at in range(20):
        (tmp_path / "docs" / f"d{at}.md").write_text(f"page {at} about word{at} and others\n" * 5)
    queries = [
        {
            "query_key": f"q{at}",
            "query_text": f"word{at}",
            "relevant_docs": [{"doc_ref": {"path": f"d{at}.md"}, "relevance_grade": 3}],
        }
        for at in range(20)
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    given = {"dataset": "queries.json", "corpus": "docs"}
    given["configurations"] = [
        {"name": "words", "search": "lexical"},
        {"name": "near", "search": "dense", "model": "static"},
    ]
    (tmp_path / "bench.json").write_text(json.dumps(given))
    return tmp_path


def started(place):
    command = [sys.executable, "-m", "assay", "run", "bench.json", "--workspace", "w"]
    return subprocess.Popen(
        [*command, "--asks", "1000"],
        cwd=place,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def searching(place, child):
    """Wait until something is recorded."""
    for _ in range(600):
        assert child.poll() is None, child.stderr.read()
        if (place / "w" / "ledger.sqlite").exists() and recorded(place):
            return
        time.sleep(0.05)
    pytest.fail("nothing was recorded")


def recorded(place):
    book = open_ledger(place / "w" / "ledger.sqlite")
    try:
        return any(tape.rows for tape in book.tapes())
    finally:
        book.close()


@pytest.mark.parametrize("pause_ms", [0, 3, 15])
def test_a_second_interrupt_cuts_nothing_short(place, pause_ms):
    child = started(place)
    searching(place, child)
    child.send_signal(signal.SIGINT)
    time.sleep(pause_ms / 1000)
    for _ in range(3):
        child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130, said
    assert "Traceback" not in said
    assert "--resume" in said
    book = open_ledger(place / "w" / "ledger.sqlite")
    (listed,) = book.benchmarks()
    book.close()
    assert listed.state == "interrupted"


def test_who_stops_before_anything_is_measured_is_promised_nothing(
    place, monkeypatch, capsys, snapshot
):
    """The interrupt comes while the corpus is read, before the workspace knows of a benchmark."""
    from assay.benchmarks import conduct, spine
    from assay.cli import start

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.chdir(place)
    command = ["run", "bench.json", "--workspace", "w", "--untimed"]
    told = set()
    for found in (False, True):  # also where another benchmark was run before
        with monkeypatch.context() as patched:
            patched.setattr(conduct, "with_truth", interrupted)
            for options in ([], ["--resume"]):
                assert start([*command, *options]) == 130
                told.add(capsys.readouterr().err)
        if not found:
            assert start(command) == 0
            capsys.readouterr()
    (said,) = told
    assert "--resume" not in said
    snapshot(said)
    monkeypatch.setattr(spine, "_score", interrupted)
    assert start(command) == 130
    said = capsys.readouterr().err
    assert "--resume" in said
    snapshot(said)
    monkeypatch.setattr(conduct, "with_truth", interrupted)
    assert start([*command, "--resume"]) == 130  # stopped again, before anything more
    snapshot(capsys.readouterr().err)
