"""A child process that answers one request after another, and is replaced when it does not.

Some libraries never come back from some files, take all memory, or crash; nothing can end them from
within. A child does the work, and only it is lost.
"""

import atexit
import os
import subprocess
import sys
import threading
from queue import Empty, Queue

__all__ = ["GuardedProcess"]

_SIZE = 8  # bytes that say how long a message is


class GuardedProcess:
    """Runs a Python ``program`` that reads requests from its input and writes a reply to each.

    A message is its length in eight bytes, the smallest first, and its content. The process is
    started by the first request.
    """

    def __init__(self, program: str, *arguments: str) -> None:
        self._command = [sys.executable, "-c", program, *arguments]
        self._one_at_a_time = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._replies: Queue[bytes | None] = Queue()
        atexit.register(self._end)

    def ask(self, *request: bytes, seconds: float) -> bytes:
        """Return the reply to a request, which may come in parts.

        Raise TimeoutError if it takes longer than ``seconds``, and ConnectionError if the process
        ended instead; the next request then starts another one.
        """
        with self._one_at_a_time:
            try:
                return self._reply(request, seconds)
            except BaseException:  # an interrupt, too: its reply would be taken for the next one
                self._end()
                raise

    def _reply(self, request: tuple[bytes, ...], seconds: float) -> bytes:
        process = self._running()
        assert process.stdin is not None  # noqa: S101 - for mypy
        for part in (sum(map(len, request)).to_bytes(_SIZE, "little"), *request):
            process.stdin.write(part)
        process.stdin.flush()
        try:
            reply = self._replies.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        if reply is None:
            raise ConnectionError
        return reply

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self._replies, self._owner = Queue(), os.getpid()  # none is shared with a forked one
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and program
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            listening = (self._process, self._replies)
            threading.Thread(target=_listen, args=listening, daemon=True).start()
        return self._process

    def _end(self) -> None:
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


def _listen(process: "subprocess.Popen[bytes]", replies: "Queue[bytes | None]") -> None:
    """Pass on what the process replies, and that it says no more."""
    assert process.stdout is not None  # noqa: S101 - for mypy
    try:
        while len(size := process.stdout.read(_SIZE)) == _SIZE:
            length = int.from_bytes(size, "little")
            reply = process.stdout.read(length)
            if len(reply) < length:
                break
            replies.put(reply)
    except (OSError, ValueError):
        pass
    replies.put(None)
