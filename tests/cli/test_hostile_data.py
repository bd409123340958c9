"""Whatever data holds, a terminal is shown text: looked at on a pseudo-terminal, as a person is."""

import json
import os
import pty
import re
import sys
import threading

import pytest

from assay.cli import start
from assay.text import sanitize

ID = "x\x1b[35;7mred\x9b2J\u202eend"  # ids with line breaks are refused
EVIL = "x\x1b[35;7mred\x9b2J\u202eback\nnote: all is well\r\tend"
COLOURS = r"\x1b\[(0|1|2|31|32|33|34|35|36|1;32|1;31|1;33|38;5;237)m"
OURS = re.compile(COLOURS + r"|\x1b\[(\?25[lh]|2K|1A)|\r(?=\n|\x1b\[(1A|2K))")


@pytest.fixture
def seen(monkeypatch):
    """Run a command with its output on a pseudo-terminal, and return its code and what came."""

    def see(*arguments):
        ours, theirs = pty.openpty()
        found = []
        reader = threading.Thread(target=lambda: found.extend(_read(ours)))
        reader.start()
        with monkeypatch.context() as patch, os.fdopen(theirs, "w", encoding="utf-8") as stream:
            patch.setattr(sys, "stdout", stream)
            patch.setattr(sys, "stderr", stream)
            code = start(arguments)
        reader.join(30)
        os.close(ours)
        return code, b"".join(found).decode()

    return see


def _read(handle):
    while True:
        try:
            content = os.read(handle, 65536)
        except OSError:  # closed at the other end
            return
        if not content:
            return
        yield content


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    queries = [
        {
            "query_key": f"{ID}{n}",
            "query_text": f"{EVIL} {n}",
            "category": EVIL,
            "relevant_docs": [ID],
        }
        for n in range(3)
    ]
    (tmp_path / "d.json").write_text(json.dumps({"metadata": {"name": EVIL}, "queries": queries}))
    qrels = {f"{ID}{n}": {ID: 1} for n in range(12)}
    runs = {name: {q: {ID: 1.0, f"{ID}2": 0.5} for q in qrels} for name in "ab"}
    (tmp_path / "q.json").write_text(json.dumps(qrels))
    for name, run in runs.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(run))
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"_id": ID, "title": EVIL, "text": EVIL}))
    benchmark = {"name": EVIL, "dataset": "d.json", "corpus": "corpus.jsonl"}
    configurations = [{"name": "one", "search": "lexical"}]
    (tmp_path / "b.yaml").write_text(json.dumps(benchmark | {"configurations": configurations}))
    (tmp_path / "bad.yaml").write_text(json.dumps({EVIL: 1, "dataset": EVIL}))
    (tmp_path / "bad.qrels").write_text(f"q 0 d {'9' * 1_000_000}\nq\x1b[35;7m 0 d x\x9b\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "expected", "shown"),
    [
        ("dataset check d.json", 0, r"x\x1b[35;7mred\x9b2J\u202eback\nnote"),
        ("dataset audit d.json", 0, r"\x1b[35;7mred"),
        ("dataset convert d.json -o new.csv --force", 0, "wrote"),
        ("eval q.json a.json --per-query", 0, r"\x1b[35;7mred"),
        ("compare a.json b.json --qrels q.json", 0, ""),
        ("eval q.json a.json --per-query --json", 0, r"\u009b2J"),
        ("run b.yaml --plan", 0, r"\x1b[35;7mred"),
        ("run bad.yaml", 2, r"\x1b[35;7mred"),
        ("eval bad.qrels a.json", 2, "error"),
        ("eval missing\x1b[35;7m\n a.json", 2, r"missing\x1b[35;7m"),
        ("eval\x1b[35;7m", 2, r"\x1b[35;7m"),
        ("eval --no\x1b[35;7m\nway q a", 2, r"\x1b[35;7m"),
        ("show \x1b[35;7m\u202e", 2, r"\x1b[35;7m"),
    ],
)
def test_nothing_of_the_data_reaches_the_terminal_as_it_is(files, seen, arguments, expected, shown):
    code, screen = seen(*arguments.split(" "))
    assert code == expected, screen
    plain = OURS.sub("", screen)
    assert sanitize(plain, keep="\n") == plain
    assert "\nnote: all is well" not in plain
    assert shown in plain.replace("\n", " ") or shown in plain
    assert len(screen) < 60_000


def test_a_report_is_shown_as_text(files, seen, monkeypatch):
    monkeypatch.setenv("ASSAY_WORKSPACE", str(files / "workspace"))
    code, screen = seen("run", "b.yaml", "-o", "r.json")
    assert code == 0, screen
    for arguments in (
        ["show", "r.json"],
        ["report", "r.json"],
        ["show", "r.json", "--query", f"{ID}1"],
    ):
        code, screen = seen(*arguments)
        assert code == 0, screen
        plain = OURS.sub("", screen)
        assert sanitize(plain, keep="\n") == plain
        assert r"\x1b[35;7mred" in plain
        assert "\nnote: all is well" not in plain
