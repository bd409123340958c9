"""Built indexes by the hash of all that decides what is in them; each is there whole, or not."""

import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import InputError
from assay.workspace.disk.faults import explained
from assay.workspace.disk.folder_locks import (
    GONE,
    FolderLock,
    bytes_of,
    discard,
    joined,
    last_used,
    remove,
    signed,
    touch,
)
from assay.workspace.disk.folders import made
from assay.workspace.index import generations

__all__ = ["Builds"]

KEY = re.compile(r"[A-Za-z0-9_-]{1,200}")
PART = ".part"
ATTEMPTS = 40
PAUSE_S = 0.05


class Builds:
    """A folder of builds that several processes make, use and remove at once.

    What was placed or made is held until this is closed or the process ends, however it ends:
    until then nobody removes it.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._holds: dict[str, FolderLock] = {}
        self._one_at_a_time = threading.RLock()

    def place(self, key: str) -> Path | None:
        """Return the folder of a build that is complete, and note that it is used."""
        folder = self._folder(key)
        with self._one_at_a_time, explained(folder):
            held = self._holds.get(key)
            if held is None or not held.is_of(folder):
                hold = joined(folder)
                if hold is None:
                    return None
                self._keep(key, hold)
        touch(folder)
        return folder

    @contextmanager
    def making(self, key: str) -> Iterator[Path]:
        """Make a build in a private folder, which becomes the build in one step at the end.

        All files in it must be closed by then. If another process was faster, its build stays and
        ours is removed; so is what was made if anything fails.
        """
        target = self._folder(key)
        with explained(target):
            made(self.folder)
            part = target.with_name(f"{key}.{os.getpid()}.{secrets.token_hex(4)}{PART}")
            part.mkdir()
        try:
            with explained(part):
                hold = signed(part)
            try:
                yield part
                self._settle(part, key, hold)
            except BaseException:
                hold.close()
                raise
        finally:
            discard(part)

    def sizes(self) -> dict[str, int]:
        """Return the bytes of every complete build."""
        return {folder.name: bytes_of(folder) for folder in self._complete()}

    def used(self) -> dict[str, float]:
        """Return when every complete build was last used, in seconds since 1970."""
        return {folder.name: last_used(folder) for folder in self._complete()}

    def forget(self, keys: Collection[str]) -> int:
        """Remove builds that nobody holds, neither this nor another process; return the bytes."""
        freed = 0
        for key in keys:
            folder = self._folder(key)
            with explained(folder):
                freed += remove(folder) if folder.is_dir() else 0
        return freed

    def sweep(self) -> int:
        """Remove what dead processes left unfinished or half removed; return the bytes."""
        freed = 0
        for folder in self._entries():
            if folder.name.endswith(PART):
                with explained(folder):
                    freed += remove(folder, unmarked=_is_dead(folder))
            elif folder.name.endswith(GONE):
                before = bytes_of(folder)
                shutil.rmtree(folder, ignore_errors=True)
                freed += before - bytes_of(folder)
        return freed

    def close(self) -> None:
        """Hold nothing any more."""
        with self._one_at_a_time:
            for hold in self._holds.values():
                hold.close()
            self._holds.clear()

    def __del__(self) -> None:
        self.close()

    def _settle(self, part: Path, key: str, hold: FolderLock) -> None:
        target = self._folder(key)
        with explained(target):
            generations.seal(part)
            for _ in range(ATTEMPTS):
                if _renamed(part, target):
                    with self._one_at_a_time:
                        self._keep(key, hold)
                    return
                if self.place(key) is not None:
                    hold.close()
                    return
                time.sleep(PAUSE_S)  # the other one is about to be removed
        hint = "remove it and try again"
        raise InputError("blocks the folder of a build", where=str(target), hint=hint)

    def _keep(self, key: str, hold: FolderLock) -> None:
        before = self._holds.pop(key, None)
        if before is not None:
            before.close()
        self._holds[key] = hold

    def _folder(self, key: str) -> Path:
        if not KEY.fullmatch(key):
            raise ValueError(f"not a key of a build: {key[:80]!r}")
        return self.folder / key

    def _complete(self) -> list[Path]:
        return [folder for folder in self._entries() if KEY.fullmatch(folder.name)]

    def _entries(self) -> list[Path]:
        with explained(self.folder):
            try:
                found = sorted(self.folder.iterdir())
            except FileNotFoundError:
                return []
            return [each for each in found if each.is_dir() and not each.is_symlink()]


def _is_dead(part: Path) -> bool:
    """Tell by its name whether the process is dead that was about to mark a folder."""
    _, _, rest = part.name.partition(".")
    number = rest.partition(".")[0]
    if os.name == "nt" or not number.isdecimal():  # to ask for a process would end it there
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _renamed(part: Path, target: Path) -> bool:
    """Give a folder its name, unless something has it already."""
    try:
        part.rename(target)
    except OSError:
        if not os.path.lexists(target):  # also a link that leads nowhere
            raise
        return False
    return True
