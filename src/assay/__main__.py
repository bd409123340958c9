"""The door from the shell."""

import signal
import sys
from types import FrameType

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end)
    try:
        from assay.cli import start  # imports nothing that --version would not need

        code = start(sys.argv[1:])
    except KeyboardInterrupt:  # before anything could begin
        code = 130
    sys.exit(code)


def _end(number: int, _frame: FrameType | None) -> None:
    """End as any command does: what was started is stopped, and what was made is removed."""
    signal.signal(number, lambda *_: None)  # that takes a moment, which nothing cuts short
    raise SystemExit(128 + number)


if __name__ == "__main__":
    main()
