"""Remove for good what was deleted long ago, and what interrupted uploads left behind."""

import shutil
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store

__all__ = ["retain"]

AUTHOR = "retention"
UPLOADS = "uploads"
DAY_S = 86_400.0


def retain(*, place: Workspace, days: float, clock: Callable[[], float] = time.time) -> int:
    """Keep what was deleted for some days only, and return how many items were removed.

    These are benchmarks, mappings, datasets and corpora that were marked as deleted, tokens that
    were revoked or have expired, and uploads that were not completed within a day. Audit entries
    are never removed. It may be called at any time, also by several processes at once.
    """
    now = clock()
    before = now - days * DAY_S
    removed = _remove_uploads(place.folder / UPLOADS, now - DAY_S)
    if not place.has_database:
        return removed
    with closing(open_ledger(place.database)) as ledger:
        removed += _until_none(lambda: ledger.purge_benchmarks(before))
    with closing(open_service_store(place.database)) as store:
        removed += _until_none(lambda: store.purge(before, author=AUTHOR))
        removed += store.tokens.purge(before, author=AUTHOR)
    return removed


def _until_none(remove: Callable[[], int]) -> int:
    """Remove in short transactions, between which others get their turn."""
    removed = 0
    while some := remove():
        removed += some
    return removed


def _remove_uploads(folder: Path, before: float) -> int:
    """Remove what a service that was killed left behind; another process may do so, too."""
    removed = 0
    with suppress(FileNotFoundError):
        for one in folder.iterdir():
            with suppress(OSError):
                if one.lstat().st_mtime < before:
                    shutil.rmtree(one) if one.is_dir() and not one.is_symlink() else one.unlink()
                    removed += 1
    return removed
