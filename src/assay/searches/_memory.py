"""The largest memory that this process has held since a moment."""

import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["Peak"]

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


class Peak:
    """Begins to watch when it is made.

    Linux can forget its earlier peak; elsewhere the peak is that of the whole process until now.
    """

    def __init__(self) -> None:
        with suppress(OSError):
            _RESET.write_text("5")  # proc(5): reset the peak resident set size

    def megabytes(self) -> float:
        """Return the largest resident memory, in megabytes of a million bytes."""
        with suppress(OSError, StopIteration, ValueError):
            lines = _STATUS.read_text(encoding="ascii").splitlines()
            peak = next(line for line in lines if line.startswith("VmHWM"))
            return int(peak.split()[1]) * 1024 / 1e6
        if sys.platform == "win32":
            return 0.0
        import resource

        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return largest * (1 if sys.platform == "darwin" else 1024) / 1e6
