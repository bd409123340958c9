"""A folder for what lasts as long as a run, removed also after a run that was killed."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from assay.workspace.disk.faults import explained
from assay.workspace.disk.folder_locks import GONE, bytes_of, remove, signed

__all__ = ["scratch", "sweep_scratch"]

PREFIX = "assay-run-"


@contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder that is removed in the end, by us or, if we are killed, by a later process."""
    with explained(parent or Path(tempfile.gettempdir())):
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    try:
        with explained(folder):
            hold = signed(folder)
        with closing(hold):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep_scratch(parent: Path | None = None) -> int:
    """Remove folders of killed runs of this user; what may be something else stays."""
    freed = 0
    for folder in (parent or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.is_symlink() or not folder.is_dir() or not _is_ours(folder):
                continue
            if folder.name.endswith(GONE):
                freed += bytes_of(folder)
                shutil.rmtree(folder, ignore_errors=True)
            else:
                freed += remove(folder, by_age=False)
    return freed


def _is_ours(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
