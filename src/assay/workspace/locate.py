"""Where the workspace is: the folder `.assay`, and the cache that all workspaces share."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.workspace.disk.faults import explained

__all__ = ["Workspace", "locate", "model_folder"]

NAME = ".assay"


@dataclass(frozen=True, slots=True)
class Workspace:
    """The places in a workspace; each is made when something is first written to it.

    ``url`` is the address of a PostgreSQL database that takes the place of the ledger's file.
    """

    folder: Path
    url: str = ""

    @property
    def indexes(self) -> Path:
        """A folder for each index."""
        return self.folder / "indexes"

    @property
    def builds(self) -> Path:
        """A folder for each index that a benchmark built."""
        return self.folder / "builds"

    @property
    def ledger(self) -> Path:
        """The file of what benchmarks did, with their tapes and reports."""
        return self.folder / "ledger.sqlite"

    @property
    def database(self) -> str:
        """Where the ledger is: its file, or the address of its database."""
        return self.url or str(self.ledger)

    @property
    def has_database(self) -> bool:
        """Tell whether there is a ledger; a database that has an address is taken to be there."""
        return bool(self.url) or os.path.isfile(self.ledger)  # noqa: PTH113 - never raises

    @property
    def vectors(self) -> Path:
        """The file of cached vectors."""
        return self.folder / "vectors.sqlite"

    @property
    def tokens(self) -> Path:
        """The file of cached vectors of single tokens."""
        return self.folder / "tokens.sqlite"

    @property
    def models(self) -> Path:
        """The folder of prepared models, which all workspaces of a user share."""
        return model_folder()


def locate(start: str | Path | None = None, *, given: str | Path | None = None) -> Workspace:
    """Find the workspace: the one given, ASSAY_WORKSPACE, or the nearest `.assay` upwards.

    The ledger is in the database that ASSAY_DATABASE_URL names, if it does, else in a file there.

    The way up ends at the home folder and at the border of a file system, so that no project
    falls into a workspace that belongs to something else. If there is none it is here, and is made
    when something is first written.
    """
    named, url = given or os.environ.get("ASSAY_WORKSPACE"), os.environ.get("ASSAY_DATABASE_URL")
    if named:
        return Workspace(_usable(Path(named).expanduser().absolute()), url or "")
    with explained(Path(start or ".")):
        here = Path(start or Path.cwd()).absolute()
        return Workspace(_above(here) or here / NAME, url or "")


def _usable(folder: Path) -> Path:
    if os.path.exists(folder) and not os.path.isdir(folder):  # noqa: PTH110, PTH112 - never raise
        hint = "specify a folder with --workspace or ASSAY_WORKSPACE"
        raise InputError("the workspace is not a folder", where=str(folder), hint=hint)
    return folder


def _above(here: Path) -> Path | None:
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() may fail
    device = here.stat().st_dev if here.exists() else None
    for folder in (here, *here.parents):
        if folder != here and (folder == home or not _on(folder, device)):
            return None
        if os.path.isdir(folder / NAME):  # noqa: PTH112 - a folder may be closed to us
            return folder / NAME
    return None


def _on(folder: Path, device: int | None) -> bool:
    try:
        return device is None or folder.stat().st_dev == device
    except OSError:
        return False


def model_folder() -> Path:
    """Return the user's cache for prepared models: ASSAY_CACHE, or where the system keeps such."""
    named = os.environ.get("ASSAY_CACHE")
    if named:
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        return _or_home("LOCALAPPDATA", "AppData/Local") / "assay" / "cache"
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches" / "assay"
    return _or_home("XDG_CACHE_HOME", ".cache") / "assay"


def _or_home(variable: str, below: str) -> Path:
    named = Path(os.environ.get(variable) or ".")
    return named if named.is_absolute() else _home() / below


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        hint = "set ASSAY_CACHE to a folder for prepared models"
        raise InputError("no home folder found", hint=hint) from None
