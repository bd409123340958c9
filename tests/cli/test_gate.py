"""``assay gate`` as people and programs call it: exit codes, messages, outputs, screens."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass

import pytest
from tests.benchmarks.gates.made import report, run, timed

from assay.cli import start
from assay.reports.runs.json.json import json as report_json

SCORES = [0.9] * 12
CHECK = ("--allow", "ndcg@10:5%")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Write two reports, the second of which is worse, a baseline, and two run files."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.delenv(name, raising=False)
    for name, drop in (("old", 0), ("new", 0.4), ("few", 0.4)):
        count = 4 if name == "few" else 12
        one = report(timed(run(scores=[s - drop for s in SCORES[:count]]), queries=[10] * count))
        (tmp_path / f"{name}.json").write_text(json.dumps(report_json(one)))
    (tmp_path / "qrels").write_text("".join(f"q{at} 0 d 1\n" for at in range(12)))
    for name, score in (("good.run", 2), ("bad.run", 0)):
        lines = [f"q{at} Q0 {d} 1 {s} x\n" for at in range(12) for d, s in (("d", score), ("e", 1))]
        (tmp_path / name).write_text("".join(lines))
    return tmp_path


@dataclass(frozen=True)
class Done:
    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture
def call(capsys):
    def called(*words):
        code = start(["gate", *words])
        return Done(code, *capsys.readouterr())

    return called


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("old.json", "old.json"), 0),
        (("old.json", "new.json"), 1),
        (("old.json", "few.json"), 0),
        (("old.json", "few.json", "--strict"), 3),
        (("old.json", "few.json", "--bare"), 1),
    ],
)
def test_exit_codes(words, code, call):
    assert call(*words, *CHECK).exit_code == code


def test_run_files(call):
    words = ("--qrels", "qrels", "--allow", "mrr@10:5%")
    assert call("good.run", "bad.run", *words).exit_code == 1
    assert call("bad.run", "good.run", *words).exit_code == 0


WRONG = [
    *((), ("a", "b", "c"), ("old.json", "none.json"), ("old.json", "."), ("old.json", "empty")),
    *(("old.json", "good.run"), ("good.run", "bad.run"), ("old.json", "x" * 300)),
    ("old.json", "new.json", "--qrels", "qrels"),
    ("good.run", "new.json", "--qrels", "qrels"),
    ("good.run", "bad.run", "--qrels", "nothing"),
    ("good.run", "bad.run", "--qrels", "qrels", "--run", "x"),
    ("good.run", "bad.run", "--qrels", "qrels", "--baselines", "."),
    ("good.run", "bad.run", "--qrels", "qrels", "--max", "errors:1"),
    ("old.json", "new.json", "--ties", "order"),
    ("old.json", "new.json", "--run", "ous"),
    ("old.json", "new.json", "--seed", "-1"),
    ("new.json",),
    *(("old.json", "new.json", "-o", place) for place in ("no/x.json", "x", "x.foo", "/dev/full")),
    ("old.json", "new.json", "-o", "x.md", "-o", "x.md"),
    ("old.json", "new.json", "-o", "no/x.md"),
    *(
        ("old.json", "new.json", "--allow", check)
        for check in (
            *("ndgc@10:5%", "ndcg@10", "ndcg@10:-5%", "ndcg@10:nan", "ndcg@10:inf", ""),
            *("ndcg@10:1e400", "ap:5%", "ndcg@10/category=x:5%", "easy_gate_rate:5%"),
        )
    ),
    ("old.json", "new.json", "--preset", "structure"),
    ("old.json", "new.json", "--preset", "regresion"),
    ("old.json", "new.json", "--allow", "ndcg@10:5%", "--allow", "ndcg@10:2%"),
]


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_wrong_call_is_one_message(folder, words, call):
    (folder / "empty").write_text("")
    done = call(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr) < 1_500
    assert "Traceback" not in done.stderr


def test_json_on_stdout_is_only_json(call):
    done = call("old.json", "new.json", *CHECK, "--json", "--github")
    found = json.loads(done.stdout)
    (check,) = found["checks"]
    assert (found["outcome"], check["metric"], check["p"]) == ("fail", "ndcg@10", 2**-12)
    assert "::error " in done.stderr


def hostile(folder, text):
    """Rename a run, so that each table begins a line with the text."""
    for name in ("old", "new"):
        place = folder / f"{name}.json"
        value = json.loads(place.read_text())
        one = value["runs"][0]
        one["name"] = text
        one["per_query"] = {f"{text}{key}": row for key, row in one["per_query"].items()}
        value["queries"] = {f"{text}{key}": row for key, row in value["queries"].items()}
        place.write_text(json.dumps(value))


@pytest.mark.parametrize("text", ["::set-output name=outcome::pass", "##[error]mine"])
def test_commands_in_data_are_not_run(folder, text, call):
    """What the gate shows is between stop-commands and its token."""
    hostile(folder, text)
    lines = call("old.json", "new.json", *CHECK, "--github").stdout.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert len(token) == 32
    after = lines[lines.index(f"::{token}::") + 1 :]
    assert [line.split(" ")[0] for line in after] == ["::error", "::notice"]
    assert call("old.json", "new.json", *CHECK, "--github").stdout.splitlines()[0] != lines[0]


@pytest.mark.parametrize(
    ("root", "named"), [(".", "file=search/assay.yaml,"), ("search", "file=assay.yaml,"), ("x", "")]
)
def test_an_annotation_names_the_file_from_the_root_of_the_repository(
    folder, monkeypatch, call, root, named
):
    value = json.loads((folder / "new.json").read_text())
    value["benchmark"]["command"] = {"file": "search/assay.yaml"}
    (folder / "new.json").write_text(json.dumps(value))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder / root))
    lines = call("old.json", "new.json", *CHECK, "--github").stdout.splitlines()
    (error,) = [line for line in lines if line.startswith("::error ")]
    assert error.startswith(f"::error {named}title=")


@pytest.mark.parametrize(("used", "written"), [(0, True), (900_000, True), (1_048_500, False)])
def test_the_summary_of_a_step_stays_below_a_mebibyte(folder, monkeypatch, used, written, call):
    summary = folder / "summary"
    summary.write_text("x" * used)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(folder / "output"))
    done = call("old.json", "new.json", *CHECK, "--github")
    assert done.exit_code == 1
    size = summary.stat().st_size
    assert (used < size < 1 << 20) if written else size == used
    assert (folder / "output").read_text() == "outcome=fail\n"
    if used and written:
        assert "\n\n<!-- assay-gate" in summary.read_text()


def test_every_kind_of_file(folder, call):
    names = ("g.md", "g.xml", "g.json", "g.exocortex.json", "g.csv", "g.tex", "g.txt", "g.parquet")
    done = call("old.json", "new.json", *CHECK, *(w for name in names for w in ("-o", name)))
    assert done.exit_code == 1
    assert all((folder / name).stat().st_size for name in names)
    regression = json.loads((folder / "g.exocortex.json").read_text())
    assert regression["passed"] is False
    assert set(regression["metrics"][0]) == {
        *("name", "baseline", "current", "delta", "threshold", "passed")
    }


def screen(columns, *words):
    """Return what a terminal of this width shows."""
    own, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    about = {k: v for k, v in os.environ.items() if k != "COLUMNS"} | {"NO_COLOR": "1"}
    command = [sys.executable, "-m", "assay", "gate", *words]
    with subprocess.Popen(command, stdout=other, stderr=other, env=about) as child:
        os.close(other)
        content = b""
        while True:
            try:
                block = os.read(own, 65_536)
            except OSError:  # the other end is closed
                break
            if not block:
                break
            content += block
        child.wait()
    os.close(own)
    return re.sub(r"\x1b\[[0-9;]*m", "", content.decode()).replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [80, 120])
def test_it_fits_a_terminal(columns):
    told = screen(columns, "old.json", "new.json", *CHECK, "--max", "latency_p95_ms:9")
    assert told.startswith("FAIL: 2 of 2 checks failed")
    assert max(map(len, told.splitlines())) <= columns
    assert "p = 0.0002" in told or "p = 0.0005" in told


@pytest.mark.parametrize(("words", "code"), [(("old.json", "-"), 1), (("-", "-"), 2)])
def test_a_report_on_stdin(words, code):
    command = [sys.executable, "-m", "assay", "gate", *words, *CHECK]
    with open("new.json", "rb") as file:  # noqa: PTH123
        done = subprocess.run(command, stdin=file, capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr


def test_a_closed_pipe_is_no_traceback():
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "assay", "gate", "old.json", "new.json", *CHECK]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert b"Traceback" not in done.stderr
