"""The core runs where Python has no POSIX modules: what Windows lacks is taken away here."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
OF_OS = (
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "fork", "getegid"),
    *("geteuid", "getgid", "getloadavg", "getpgid", "getuid", "killpg", "lchown", "mkfifo", "nice"),
    *("register_at_fork", "sched_getaffinity", "setsid", "statvfs", "sysconf"),
)
OF_SIGNAL = (
    *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGTSTP"),
    *("SIGUSR1", "SIGUSR2", "SIGWINCH", "pthread_sigmask", "setitimer"),
)
WITHOUT = f"""
import os, signal, sys
sys.modules |= dict.fromkeys({MODULES})
for home, names in ((os, {OF_OS}), (signal, {OF_SIGNAL})):
    for name in names:
        home.__dict__.pop(name, None)
"""
TINY, HANDBOOK = "tiny", "handbook"


def run(code, *arguments, folder):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *arguments],
        cwd=EXAMPLES / folder,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


@pytest.mark.parametrize(
    ("folder", "command", "expected"),
    [
        (TINY, "eval qrels.txt bm25.run -m ndcg@10", "0.6813"),
        (TINY, "compare bm25.run hybrid.run --qrels qrels.txt -m ndcg@10", "SHIP"),
        (HANDBOOK, "dataset check questions.yaml", "7 queries"),
        (HANDBOOK, "dataset audit questions.yaml --corpus pages", "equipment.md"),
        (HANDBOOK, "dataset resolve questions.yaml --corpus pages", "7 of 8"),
        (HANDBOOK, "list metrics", "ndcg"),
    ],
)
def test_a_command_of_the_core(folder, command, expected):
    done = run("from assay.__main__ import main; main()", *command.split(), folder=folder)

    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert expected in done.stdout


def test_every_module_can_be_imported():
    code = """
import importlib, pkgutil, assay
for found in pkgutil.walk_packages(assay.__path__, "assay."):
    if found.name != "assay.__main__":
        importlib.import_module(found.name)
print(len([name for name in sys.modules if name.startswith("assay.")]))
"""
    done = run(code, folder=TINY)

    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1_000


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_output_that_cannot_show_every_letter(encoding, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    code = "from assay.__main__ import main; main()"
    command = ("dataset", "audit", "questions.yaml", "--corpus", "pages")

    done = run(code, *command, folder=HANDBOOK)

    assert (done.returncode, done.stderr) == (0, "")
