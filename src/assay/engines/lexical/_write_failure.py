"""What keeps an engine from writing its files: most often the disk, which somebody can free."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import InputError

__all__ = ["is_full", "write_failure", "writing"]

FULL = ("no space left", "disk is full", "os error 28", "quota", "os error 122")


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn what an engine complains about while it writes into a message about its folder."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise write_failure(folder, error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # a thread that writes may end like that
            raise
        raise write_failure(folder, error) from error


def write_failure(place: Path, error: BaseException) -> InputError:
    """Say why an index cannot be written, and where."""
    problem, hint = "the index cannot be written", "check the disk, then try again"
    if is_full(error):
        problem = "no space left on the disk"
        hint = "free disk space, or use another --workspace FOLDER; the index is unchanged"
    if "TooManyOpenFiles" in str(error):
        problem = "too many open files"
        hint = "raise the limit, e.g. `ulimit -n 4096`, then try again"
    return InputError(f"{problem} ({error})", where=str(place), hint=hint)


def is_full(error: BaseException) -> bool:
    """Tell whether a disk is full, or as much of it as one may have; engines say so in words."""
    said = str(error).lower()
    return any(word in said for word in FULL)
