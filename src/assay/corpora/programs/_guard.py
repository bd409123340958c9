"""Whether a text can be parsed at all: some grammars never come back from some broken texts.

While a grammar mends what is broken it asks for nothing, so nothing can end it from within. A child
process parses first; if it is not done in time it is ended, and the text is not parsed here.
"""

import atexit
import os
import subprocess
import sys
import threading
from functools import cache
from queue import Empty, Queue

from assay.corpora.programs.parsable_languages import parsable_languages

__all__ = ["comes_back"]

SECONDS, PER_BYTE = 2.0, 4e-6  # real files take a hundredth
_SIZE = 8  # bytes that say how long a text is

_CHILD = """
import sys
from importlib import import_module
import tree_sitter
parser = tree_sitter.Parser(tree_sitter.Language(import_module(sys.argv[1]).language()))
source, target = sys.stdin.buffer, sys.stdout.buffer
while size := source.read(8):
    parser.parse(source.read(int.from_bytes(size, "little")))
    target.write(b".")
    target.flush()
"""


def comes_back(data: bytes, language: str) -> bool:
    """Tell whether parsing ends; languages whose grammars always do are not tried."""
    package = parsable_languages()[language].guarded
    return not package or _try(package).parses(data)


@cache
def _try(package: str) -> "_Child":
    return _Child(package)


class _Child:
    """A process that parses one text after the other, and is replaced when it does not end."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._one_at_a_time = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._done: Queue[bytes] = Queue()
        atexit.register(self._end)

    def parses(self, data: bytes) -> bool:
        with self._one_at_a_time:
            process = self._running()
            assert process.stdin is not None  # noqa: S101 - for mypy
            try:
                process.stdin.write(len(data).to_bytes(_SIZE, "little") + data)
                process.stdin.flush()
                ended = self._done.get(timeout=SECONDS + len(data) * PER_BYTE) == b"."
            except (Empty, OSError):
                ended = False
            if not ended:
                self._end()
            return ended

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self._done, self._owner = Queue(), os.getpid()  # none is shared with a forked process
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and program
                [sys.executable, "-c", _CHILD, self._package],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            threading.Thread(target=_listen, args=(self._process, self._done), daemon=True).start()
        return self._process

    def _end(self) -> None:
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


def _listen(process: "subprocess.Popen[bytes]", done: "Queue[bytes]") -> None:
    """Pass on what the process says, and that it says no more."""
    assert process.stdout is not None  # noqa: S101 - for mypy
    try:
        while word := process.stdout.read(1):
            done.put(word)
    except (OSError, ValueError):
        pass
    done.put(b"")
