"""The file that grades go to: written whole at each of them, by one process at a time."""

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset

try:
    import fcntl
except ImportError:  # Windows, where only a change of the file is noticed
    fcntl = None  # type: ignore[assignment]

__all__ = ["JudgedFile"]


class JudgedFile:
    """Holds a file against other judges; what dies while writing leaves the last whole version."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.suffix.lower() != ".json":
            hint = "grades are kept as Assay's own JSON: name a file that ends in .json"
            raise InputError("is no place for grades", where=str(path), hint=hint)
        parent = self.path.absolute().parent
        if os.path.isdir(self.path) or not os.path.isdir(parent):  # noqa: PTH112 - never raises
            raise InputError("cannot be written there", where=str(path), hint="check the folder")
        self._sign = self.path.with_name(f".{self.path.name}.lock")
        self._hold: int | None = None
        self._last = self._state()

    def __enter__(self) -> "JudgedFile":
        """Lock it; the lock goes with the process, however that ends."""
        try:
            self._hold = os.open(self._sign, os.O_CREAT | os.O_RDWR, 0o666)
            if fcntl is not None:
                fcntl.flock(self._hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._let_go()
            hint = "wait until that sitting is over, or name another file (-o)"
            raise InputError(
                "somebody is judging into this file", where=str(self.path), hint=hint
            ) from None
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise InputError(problem, where=str(self.path), hint="check the folder") from None
        self._last = self._state()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let others judge; the sign of the lock goes first, while it is ours."""
        with suppress(OSError):
            self._sign.unlink()
        self._let_go()

    def write(self, dataset: Dataset) -> None:
        """Put a new version in place of the last one, all at once."""
        if self._state() != self._last:
            hint = "start again: what was graded before is kept, and it goes on from the file"
            problem = "was changed by somebody else meanwhile, and is left as it is"
            raise InputError(problem, where=str(self.path), hint=hint)
        new = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        try:
            save(dataset, new, format="assay_json")
            with new.open("rb") as file:
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise InputError(problem, where=str(self.path), hint="check the folder") from None
        finally:
            new.unlink(missing_ok=True)
        self._last = self._state()

    def _let_go(self) -> None:
        if self._hold is not None:
            os.close(self._hold)
        self._hold = None

    def _state(self) -> tuple[int, int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns
