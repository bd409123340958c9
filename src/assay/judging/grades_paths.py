"""Where grades are kept: one file for a dataset, and for several a folder with a file of each."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from assay.benchmarks.file.judged_datasets import judged_files
from assay.errors import InputError
from assay.judging.grades_file import JudgedFile

__all__ = ["holding", "judged_paths"]


def judged_paths(given: str | Path, names: Sequence[str], *, option: str = "-o") -> list[Path]:
    """Name the file of each dataset: what is given for one, else NAME.json in a folder."""
    path = Path(given)
    if len(names) == 1:
        if os.path.isdir(path):  # noqa: PTH112 - never raises
            hint = f"name a file: {option} {path / 'judged.json'}"
            raise InputError(
                "is a folder, and the benchmark has one dataset", where=str(path), hint=hint
            )
        return [path]
    is_folder = os.path.isdir(path)  # noqa: PTH112
    if not is_folder and (path.suffix.lower() == ".json" or os.path.exists(path)):  # noqa: PTH110
        problem = f"is one file, and the benchmark has {len(names)} datasets: {_listed(names)}"
        folder = path.with_suffix("") if path.suffix else path.with_name("judged")
        hint = f"name a folder, in which each has a file: {option} {folder}"
        raise InputError(problem, where=str(path), hint=hint)
    files = judged_files([*names])
    return [path / files[name] for name in names]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")


@contextmanager
def holding(paths: Sequence[Path]) -> Iterator[list[JudgedFile]]:
    """Hold files against other judges; the folder of several is made, and goes if it stays empty.

    Each is looked at before any is locked, so that nothing is begun that cannot be ended.
    """
    folder = paths[0].parent if len(paths) > 1 else None
    made = folder is not None and _made(folder)
    try:
        with ExitStack() as held:
            yield [held.enter_context(one) for one in [JudgedFile(path) for path in paths]]
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
        problem = f"cannot be made ({getattr(error, 'strerror', None) or error})"
        raise InputError(problem, where=str(folder)[:200], hint="check the folder") from None
    return True
