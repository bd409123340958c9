"""``assay judge`` in a real terminal (a pty), and fed by a script."""

import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import assay
from assay.cli import start

PATIENCE_S = 60
PROGRAM = str(Path(sys.executable).with_name("assay"))
NASTY = "\x1b]0;owned\x07 retry \x1b[31mred"
READY, HELP = "q quit", "Press any key to go back."  # what ends a screen, and the help


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judged")
    (folder / "corpus").mkdir()
    for at in range(6):
        text = "\n".join(
            [*(f"line {number}" for number in range(60)), f"retry {at}", NASTY, "日本語"]
        )
        (folder / "corpus" / f"d{at}.txt").write_text(text, encoding="utf-8")
    asked = [
        {
            "query_key": f"q{at}",
            "query_text": f"where is retry {at}",
            "category": "sort",
            "relevant_docs": [{"doc_ref": {"path": "d0.txt"}, "relevance_grade": 1}],
        }
        for at in range(3)
    ]
    metadata = {"name": "small", "scale": 3, "corpus": {"path": "corpus"}}
    (folder / "data.json").write_text(json.dumps({"metadata": metadata, "queries": asked}))
    orders = {"words": "0123", "other": "0412"}
    for name, order in orders.items():
        run = {
            f"q{at}": {f"d{one}.txt": -rank for rank, one in enumerate(order)} for at in range(3)
        }
        (folder / f"{name}.json").write_text(json.dumps(run))
    systems = [
        {"name": name, "system": {"kind": "run_file", "path": f"{name}.json"}} for name in orders
    ]
    bench = {"name": "small", "dataset": "data.json", "baseline": "words"}
    (folder / "bench.json").write_text(json.dumps(bench | {"configurations": systems}))
    assay.run(folder / "bench.json", workspace=folder / ".assay", untimed=True)
    return folder


def _sizeless(environment):
    """Leave out what would take the place of the window's own size."""
    return {key: one for key, one in environment.items() if key not in ("COLUMNS", "LINES")}


def _own_terminal():
    """Take the window, and hear interrupts: who starts in the background is deaf to them."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Terminal:
    """A window of a size, with the command in it; what is shown is read until it says something."""

    def __init__(self, place, output, *options, columns=80, rows=24):
        mine, theirs = pty.openpty()
        self.handle, self.shown = mine, ""
        self.size(columns, rows, theirs)
        given = ["bench.json", "--workspace", ".assay", "-o", str(output), "--judge", "ann"]
        self.process = subprocess.Popen(
            [PROGRAM, "judge", *given, *options],
            cwd=place,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**_sizeless(os.environ), "TERM": "xterm"},
            preexec_fn=_own_terminal,
        )
        os.close(theirs)

    def size(self, columns, rows, handle=None):
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(handle or self.handle, termios.TIOCSWINSZ, size)

    def press(self, keys):
        os.write(self.handle, keys.encode())

    def until(self, words):
        """Read until the words are shown; return all since the last time."""
        end, start = time.monotonic() + PATIENCE_S, len(self.shown)
        while words not in self.shown[start:]:
            assert time.monotonic() < end, self.shown[-3000:]
            if not self.read():
                raise AssertionError(f"it ended without {words!r}: {self.shown[-3000:]}")
        return self.shown[start:]

    def read(self):
        if not select.select([self.handle], [], [], 1)[0]:
            return True
        try:
            content = os.read(self.handle, 65536)
        except OSError:  # it ended
            return False
        self.shown += content.decode("utf-8", "replace")
        return bool(content)

    def rest(self):
        """Read until nothing comes any more; return it."""
        start = len(self.shown)
        while select.select([self.handle], [], [], 0.3)[0] and self.read():
            pass
        return self.shown[start:]

    def end(self):
        """Read to the end; return the exit code."""
        end = time.monotonic() + PATIENCE_S
        while self.read():
            assert time.monotonic() < end, self.shown[-3000:]
        return self.process.wait(PATIENCE_S)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.handle)


@pytest.fixture
def window(place, tmp_path):
    opened = []

    def open_window(*options, **size):
        opened.append(Terminal(place, tmp_path / "judged.json", *options, **size))
        return opened[-1]

    yield open_window
    for one in opened:
        one.close()


def grades(path):
    dataset = assay.load_dataset(path)
    every = [one for query in dataset.queries for one in query.judgments if one.because]
    return sorted(one.grade for one in every)


def test_a_sitting(window, tmp_path):
    terminal = window()
    shown = terminal.until(READY)
    assert "0 graded\r\n" in shown
    assert "[sort]" in shown
    assert "retry" in shown
    assert "\x1b]0;" not in terminal.shown  # what a document holds cannot command the terminal
    assert "\x1b[31m" not in terminal.shown
    assert re.search(r"\b1 comparison\b.* \d+ documents\b", shown)
    assert not re.search(r"\bwords\b|\bother\b|wide", shown)  # neither runs nor ends
    terminal.press("?")
    assert "marginal" in terminal.until(HELP)
    for key in ("3", " ", "\x1b[B", "\x1b", "q"):  # any takes the help away, and does nothing else
        terminal.press(key)
        terminal.until("0 graded")
        terminal.press("?")
        terminal.until(HELP)
    terminal.press("?")
    terminal.until("0 graded")
    terminal.press("z")
    terminal.until('"z"')
    terminal.press("2")
    terminal.until("1 graded")
    terminal.press("0s")  # two keys at once
    terminal.until("2 graded, 1 skipped")
    assert grades(tmp_path / "judged.json") == [0, 2]
    terminal.press("uu")
    terminal.until("1 graded")
    assert grades(tmp_path / "judged.json") == [2]
    terminal.press("q")
    assert terminal.end() == 0
    last = " ".join(terminal.shown.split("\x1b[?1049l")[-1].split())
    found = re.match(r"note: .*?(report [0-9a-f]{12} from [\d-]{10} \d\d:\d\d) (.*)", last)
    assert found
    assert f"{found[1]}\r\n" in shown  # which is said on the first screen, too
    assert re.match(r"0 of 1 .*\b1 document graded", found[2])
    assert re.search(r'"other".*"words".* -\d\.\d+ to \+\d\.\d+', found[2])  # runs and ends


def test_more_all_and_scrolling(window):
    terminal = window()
    shown = terminal.until(READY)
    assert " lines ...\r\n" in shown
    assert "1 line 0\r\n" in shown  # the beginning, and what matches
    assert "retry" in shown.split("lines ...")[-2]
    terminal.press("a")
    shown = terminal.until(READY)
    assert "line 1\r\n" in shown
    assert "more rows" in shown
    terminal.press("\x1b[6~" * 9 + " ")
    time.sleep(0.2)
    terminal.press("\x1b[A\x1b[B")
    assert "日本語" in terminal.until("日本語")
    terminal.press("q")
    assert terminal.end() == 0


def test_a_window_that_changes_is_drawn_again_no_wider_or_longer(window):
    terminal = window(columns=80, rows=24)
    for columns, rows in ((80, 24), (40, 12), (20, 10), (40, 20)):
        terminal.size(columns, rows)
        shown = terminal.until("? ") + terminal.rest()
        page = shown.split("\x1b[2J")[-1]
        lines = page.rstrip("\r\n").split("\r\n")
        assert len(lines) <= rows
        for line in lines:
            assert len(re.sub(r"[\u3000-\uffff]", "xx", line.replace("\ufffd", "?"))) <= columns
    assert "0-3 s u m a ? q" in page
    terminal.press("q")
    assert terminal.end() == 0


def test_interrupting_is_quitting(window, tmp_path):
    terminal = window()
    terminal.until(READY)
    terminal.press("2")
    terminal.until("1 graded")
    terminal.press("\x03")
    assert terminal.end() == 0
    assert grades(tmp_path / "judged.json") == [2]


def test_interrupting_is_quitting_in_the_help_too(window):
    terminal = window()
    terminal.until(READY)
    terminal.press("?")
    terminal.until(HELP)
    terminal.press("\x03")
    assert terminal.end() == 0


def test_killed_in_the_middle(window, tmp_path):
    terminal = window()
    terminal.until(READY)
    terminal.press("21")
    terminal.until("2 graded")
    terminal.process.send_signal(signal.SIGKILL)
    terminal.process.wait()
    assert grades(tmp_path / "judged.json") == [1, 2]
    again = window()
    again.until("0 graded (2 earlier)")
    again.press("3")
    again.until("1 graded")
    again.press("q")
    assert again.end() == 0
    assert grades(tmp_path / "judged.json") == [1, 2, 3]


def test_two_at_once_on_one_file(window):
    terminal = window()
    terminal.until(READY)
    other = window()
    assert other.end() == 2
    assert re.search(r"error: \S*judged\.json: .* hint: ", " ".join(other.shown.split()))
    terminal.press("q")
    assert terminal.end() == 0


@pytest.fixture
def script(place, monkeypatch, capsys):
    """Call the command in this process, with keys as its input."""
    monkeypatch.chdir(place)

    def call(output, keys, *options, file="bench.json"):
        monkeypatch.setattr("sys.stdin", io.StringIO(keys))
        code = start(["judge", file, "--workspace", ".assay", "-o", str(output), *options])
        shown = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=shown.out, stderr=shown.err)

    return call


def test_keys_from_a_script(place, tmp_path):
    given = ["bench.json", "--workspace", ".assay", "-o", str(tmp_path / "j.json"), "--json"]
    done = subprocess.run(
        [PROGRAM, "judge", *given],
        cwd=place,
        input="2\n0\nnonsense\n\n1\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert done.stderr.startswith(f"note: {value['report']}")
    assert (value["graded"], value["skipped"]) == (3, 0)
    assert '"nonsense"' in done.stderr
    assert grades(tmp_path / "j.json") == [0, 1, 2]
    assert value["comparisons"][0]["open"] in (True, False)


def test_a_second_judge_in_a_script(script, tmp_path, snapshot):
    first, second = tmp_path / "j.json", tmp_path / "k.json"
    script(first, "2\n0\n3\n", "--judge", "ann")
    done = script(second, "2\n2\n2\n", "--second", str(first), "--judge", "bob")
    assert done.returncode == 0, done.stderr
    asked = assay.load_dataset(first).queries
    assert any(query.text in done.stdout for query in asked)  # not only its key
    snapshot(done.stdout)
    assert f"wrote {second}" in done.stderr
    assert "assay run" not in done.stderr
    done = script(second, "", "--second", str(first), "--judge", "bob", "--json")
    assert json.loads(done.stdout)["agreement"]["pairs"] == 3


def test_the_same_judge_again_is_questioned(script, tmp_path, snapshot):
    first, second = tmp_path / "j.json", tmp_path / "k.json"
    script(first, "2\n", "--judge", "ann")
    done = script(second, "2\n", "--second", str(first), "--judge", "ann")
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "--judge" in line]
    assert line.startswith("note: ann ")
    snapshot(line)


def test_the_end_is_short_and_says_how_to_count_only_where_it_is_not_counted(
    script, place, tmp_path, snapshot
):
    benchmark = json.loads((place / "bench.json").read_text())
    output = tmp_path / "j.json"
    done = script(output, "2\n")
    assert f"`assay run bench.json --dataset {output}`" in done.stderr
    snapshot(line for line in done.stderr.splitlines() if "assay run" in line)
    assert len(done.stdout.splitlines()) <= 4
    benchmark |= {"dataset": str(output)}
    file = place / f"{tmp_path.name}.json"
    file.write_text(json.dumps(benchmark))
    done = script(output, "2\n", file=file.name)
    assert re.search(r"\b1 document graded \(1 ", done.stdout)
    assert f"wrote {output}" in done.stderr
    assert "assay run" not in done.stderr


def test_the_report_of_another_benchmark_is_named_by_its_file(script, tmp_path, capsys, snapshot):
    assert start(["show", "--workspace", ".assay", "--json"]) == 0
    id_ = json.loads(capsys.readouterr().out)["benchmarks"][-1]["id"]
    assert start(["show", "--workspace", ".assay", "--json", id_]) == 0
    report = json.loads(capsys.readouterr().out)
    report["benchmark"]["name"] = "race"
    report["queries"] = {f"other {key}": value for key, value in report["queries"].items()}
    (tmp_path / "race.json").write_text(json.dumps(report))
    done = script(tmp_path / "j.json", "2\n", "--report", str(tmp_path / "race.json"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {tmp_path / 'race.json'}: ")
    assert '("other q0", "other q1", "other q2")' in done.stderr
    snapshot(done.stderr)


def test_nobody_is_there(script, tmp_path, snapshot):
    done = script(tmp_path / "j.json", "")
    assert done.returncode == 2
    snapshot(done.stderr)
    assert not (tmp_path / "j.json").exists()


def test_a_missing_file_is_told_without_a_traceback(tmp_path, capsys):
    assert start(["judge", str(tmp_path / "none.yaml")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error:")
