"""Run a command in this process, as in a terminal or a pipe, and tell all that it gave."""

import io
import os
import shlex
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from tests.golden.cases import Case
from tests.golden.normalise import normalise, replace_dates, round_numbers

from assay.cli import start

__all__ = ["INPUTS", "perform"]

INPUTS = Path(__file__).with_name("inputs")
LINES = 50  # of the terminal


class _Terminal(io.StringIO):
    """What says that it is a terminal; its size is that of the environment."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


def perform(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a case in a folder that holds its inputs."""
    _surround(case, folder, monkeypatch)
    for command in case.before:
        code, _, err = _call(command, io.StringIO())
        assert code == 0, err
    monkeypatch.setattr("sys.stdin", io.StringIO(case.stdin))
    code, out, err = _call(case.command, _Terminal() if case.columns else io.StringIO())
    parts = [f"$ assay {case.command}\nexit {code}\n"]
    texts = {"stdout": out, "stderr": err} | {file: _content(folder / file) for file in case.files}
    parts += [f"== {name} ==\n{_stable(text, case)}" for name, text in texts.items() if text]
    return "".join(parts).replace(str(folder), "HERE").replace("\x1b", "ESC")


def _stable(text: str, case: Case) -> str:
    """Leave out what varies; an input that comes back byte for byte is only named."""
    for path in INPUTS.glob("*.json"):
        if path.read_text("utf-8") == text:
            return f"(the bytes of {path.name})\n"
    text = replace_dates(normalise(text) if case.measured else text)
    return round_numbers(text, case.digits)


def _surround(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = os.terminal_size((case.columns or 80, LINES))
    variables = {"COLUMNS": str(size.columns), "LINES": str(LINES), "TERM": "dumb", "NO_COLOR": "1"}
    variables |= {"ASSAY_WORKSPACE": str(folder / ".assay"), "ASSAY_CACHE": str(folder / "models")}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setattr(os, "get_terminal_size", lambda *_: size)
    # An index trusts the times of files that are older than a moment: these inputs always are.
    later, now = 3600 * 10**9, time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + later)
    monkeypatch.chdir(folder)


def _call(command: str, out: io.StringIO) -> tuple[int, str, str]:
    err = io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = start(shlex.split(command))
    return code, out.getvalue(), err.getvalue()


def _content(path: Path) -> str:
    """Read a file as text: a parquet file as its schema and rows, marked-up ones by lines."""
    if path.suffix == ".parquet":
        import polars as pl

        frame = pl.read_parquet(path)
        columns = "".join(f"{name}: {kind}\n" for name, kind in frame.schema.items())
        return columns + frame.write_csv()
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.is_file())
        return "".join(f"-- {one.relative_to(path)} --\n{_content(one)}" for one in files)
    text = path.read_text(encoding="utf-8")
    return text.replace("><", ">\n<") if path.suffix in (".svg", ".html") else text
