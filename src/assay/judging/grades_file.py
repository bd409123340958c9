"""The file that grades go to: written whole at each of them, by one process at a time."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType

from assay.benchmarks.file.judged_datasets import judged_files
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset
from assay.text.join_list import first_named

__all__ = ["GradesFile", "grades_paths", "hold_files"]

FOLDER = "check that the folder exists and that you may write to it"

try:
    import fcntl
except ImportError:  # Windows, where only a change of the file is noticed
    fcntl = None  # type: ignore[assignment]


class GradesFile:
    """Holds a file against other judges; what dies while writing leaves the last whole version."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.suffix.lower() != ".json":
            hint = "grades are saved as JSON: choose a name that ends in .json, e.g. judged.json"
            raise InputError("not a .json file", where=str(path), hint=hint)
        parent = self.path.absolute().parent
        if os.path.isdir(self.path) or not os.path.isdir(parent):  # noqa: PTH112 - never raises
            hint = "give the path of a file in an existing folder (-o FILE)"
            raise InputError("cannot be written there", where=str(path), hint=hint)
        self._sign = self.path.with_name(f".{self.path.name}.lock")
        self._hold: int | None = None
        self._last = self._state()

    def __enter__(self) -> "GradesFile":
        """Lock it; the lock goes with the process, however that ends."""
        try:
            self._hold = os.open(self._sign, os.O_CREAT | os.O_RDWR, 0o666)
            if fcntl is not None:
                fcntl.flock(self._hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._let_go()
            problem = "is in use by another judging session"
            hint = "wait until that session ends, or write to another file (-o FILE)"
            raise InputError(problem, where=str(self.path), hint=hint) from None
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise InputError(problem, where=str(self.path), hint=FOLDER) from None
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
            hint = "run `assay judge` again: it continues from the file as it is now"
            problem = "was changed by another program during this session; it was not overwritten"
            raise InputError(problem, where=str(self.path), hint=hint)
        new = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        try:
            save(dataset, new, format="assay_json")
            with new.open("rb") as file:
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise InputError(problem, where=str(self.path), hint=FOLDER) from None
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


def grades_paths(given: str | Path, names: Sequence[str], *, option: str = "-o") -> list[Path]:
    """Name the file of each dataset: what is given for one, else NAME.json in a folder."""
    path = Path(given)
    if len(names) == 1:
        if os.path.isdir(path):  # noqa: PTH112 - never raises
            hint = f"give the path of a file, e.g. {option} {path / 'judged.json'}"
            problem = "is a folder, but the benchmark has only one dataset"
            raise InputError(problem, where=str(path), hint=hint)
        return [path]
    is_folder = os.path.isdir(path)  # noqa: PTH112
    if not is_folder and (path.suffix.lower() == ".json" or os.path.exists(path)):  # noqa: PTH110
        several = f"{len(names)} datasets ({first_named(names, 5)})"
        problem = f"is a file, but the benchmark has {several}"
        folder = path.with_suffix("") if path.suffix else path.with_name("judged")
        hint = f"give a folder, which holds one file per dataset, e.g. {option} {folder}"
        raise InputError(problem, where=str(path), hint=hint)
    files = judged_files([*names])
    return [path / files[name] for name in names]


@contextmanager
def hold_files(paths: Sequence[Path]) -> Iterator[list[GradesFile]]:
    """Hold files against other judges; the folder of several is made, and goes if it stays empty.

    Each is checked before any is locked, so that nothing starts that cannot be finished.
    """
    folder = paths[0].parent if len(paths) > 1 else None
    made = folder is not None and _made(folder)
    try:
        with ExitStack() as held:
            yield [held.enter_context(one) for one in [GradesFile(path) for path in paths]]
    finally:
        if made and folder is not None:
            with suppress(OSError):  # there are grades in it
                folder.rmdir()


def _made(folder: Path) -> bool:
    """Make a folder in one that is there; tell whether it is new."""
    try:
        folder.mkdir()
    except FileExistsError:
        return False
    except (OSError, ValueError) as error:
        problem = f"cannot be created ({getattr(error, 'strerror', None) or error})"
        raise InputError(problem, where=str(folder)[:200], hint=FOLDER) from None
    return True
