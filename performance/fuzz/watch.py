"""A command line, run in a process of its own -> what is wrong with what it did."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import traceback
from pathlib import Path
from typing import NoReturn

from assay.text import sanitize

__all__ = ["faults_of", "on_a_pipe", "on_a_terminal"]

CODES = {0, 1, 2, 3}
LONGEST = 200_000  # characters of messages
SECONDS = 240  # of a machine that may be busy
SIZE = struct.pack("HHHH", 40, 100, 0, 0)
COLOURS = r"\x1b\[(0|1|2|3[0-9]|1;3[0-9]|38;5;[0-9]+|1;38;5;[0-9]+|2;3[0-9]|3[0-9];1)m"
# What we and the library that draws progress write ourselves. 35;7 is only in data.
OURS = re.compile(COLOURS + r"|\x1b\[(\?25[lh]|2K|[0-9]+A)|\r+(?=\n|\x1b\[([0-9]+A|2K))")


def faults_of(code: int, out: str, err: str) -> list[str]:
    """Name what no input may lead to."""
    both = out + err
    found = ["traceback"] if "Traceback (most recent call last)" in both else []
    found += [f"exit code {code}"] if code not in CODES else []
    plain = OURS.sub("", both)
    shown = sanitize(plain, keep="\n")
    if shown != plain:
        at = next(at for at, (a, b) in enumerate(zip(plain, shown, strict=False)) if a != b)
        found.append(f"control character {plain[at]!r} after {plain[max(0, at - 60) : at]!r}")
    found += [f"message of {len(err)} characters"] if len(err) > LONGEST else []
    found += ["no message"] if code == 2 and "error" not in both.lower() else []
    return found


def on_a_pipe(arguments: list[str]) -> tuple[int, str, str]:
    """Run it in a child with its output in files, and return its code and what it wrote."""
    paths = [Path("stdout.txt"), Path("stderr.txt")]
    child = os.fork()
    if child == 0:
        for number, path in enumerate(paths, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        _be(arguments)
    code = _waited(child, time.monotonic() + SECONDS)
    out, err = (path.read_text("utf-8", "surrogateescape") for path in paths)
    return code, out, err


def on_a_terminal(arguments: list[str]) -> tuple[int, str, str]:
    """Run it in a child on a pseudo-terminal, and return its code and all that was shown."""
    child, handle = pty.fork()
    if child == 0:
        _be(arguments)
    fcntl.ioctl(handle, termios.TIOCSWINSZ, SIZE)
    deadline, content = time.monotonic() + SECONDS, []
    while time.monotonic() < deadline:
        if not select.select([handle], [], [], 0.5)[0]:
            continue
        try:
            content.append(os.read(handle, 65536))
        except OSError:  # it has ended
            break
        if not content[-1]:
            break
    code = _waited(child, deadline)
    os.close(handle)
    return code, b"".join(content).decode("utf-8", "surrogateescape"), ""


def _waited(child: int, deadline: float) -> int:
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -99  # too slow


def _be(arguments: list[str]) -> NoReturn:
    """Be the command, with streams of its own, as a new process has them."""
    from assay.cli import start

    code = 70
    try:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        code = start(arguments)
    except BaseException:  # noqa: BLE001 - which is what is looked for
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
