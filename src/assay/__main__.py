"""Start the program from the shell."""

import atexit
import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType

__all__ = ["main"]

INTERRUPTED = 130
PATIENCE_S = 10.0  # after which a further interrupt ends the process at once
_signalled: list[int] = []  # the exit code of a signal that ended this process


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        from assay.cli import start  # imports nothing that --version would not need

        code = start(sys.argv[1:])
    except KeyboardInterrupt:  # before anything could begin
        code = INTERRUPTED
    if code == INTERRUPTED:
        _leave(_signalled[0] if _signalled else code)
    sys.exit(code)


def _leave(code: int) -> None:
    """End with a code of ours, after all that is to be done at the end.

    An interrupt that came while Python ran `exec`, as dataclasses do, would else end the process by
    the signal itself, however it was dealt with.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or not there
            stream.flush()
    os._exit(code)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Stop; who interrupts again while what was begun is put in order waits, for a while.

    An interrupt amid a transaction, or amid the closing of one, would leave it open.
    """
    signal.signal(signal.SIGINT, _Impatience(time.monotonic() + PATIENCE_S))
    _stop()


def _stop() -> None:
    """Raise what ends a command, unless that has to wait: the ledger raises it then."""
    held = sys.modules.get("assay.workspace.hold_interrupts")  # not loaded if nothing is held
    is_put_off = getattr(held, "is_put_off", None)
    if is_put_off is None or not is_put_off():
        raise KeyboardInterrupt


class _Impatience:
    """Further interrupts: two of them after the patience end the process at once.

    One is not enough. Python calls a handler late where it waits for a disk or a lock, and then
    once for all the interrupts that came meanwhile: the first call after the patience may be of an
    interrupt before it.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._asked = False

    def __call__(self, *_: object) -> None:
        if time.monotonic() < self._patience:
            return
        if self._asked:
            os._exit(INTERRUPTED)
        self._asked = True


def _end(number: int, _frame: FrameType | None) -> None:
    """End as any command does: what was started is stopped, and what was made is removed.

    A function of the user's that is under way would be taken to have raised SystemExit itself.
    """
    signal.signal(number, lambda *_: None)  # that takes a moment, which nothing cuts short
    _signalled.append(128 + number)
    _stop()


if __name__ == "__main__":
    main()
