"""What a workspace holds: how many of each kind, how many bytes, and when they were last used."""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assay.workspace._shrink_files import count_of, last_written, memory_bytes
from assay.workspace.builds import Builds
from assay.workspace.disk.connections import reading
from assay.workspace.disk.faults import DAMAGED, code_of, explained
from assay.workspace.disk.folder_locks import GONE, bytes_of
from assay.workspace.ledger.faults import damaged_ledger
from assay.workspace.locate import Workspace

if TYPE_CHECKING:
    from assay.workspace.ledger.ledger import Ledger, TapeUsage

__all__ = [
    "LIMITED",
    "UsagePart",
    "indexes_in",
    "must_be_readable",
    "open_tapes",
    "tapes_in",
    "usage",
]

LIMITED = ("tapes", "builds", "vectors", "tokens")
MODEL = "*.onnx"
_TAPES = "SELECT count(*), coalesce(sum(bytes), 0), max(used) FROM {} WHERE bytes > 0"
_TAPES, _UNITS = _TAPES.format("tapes"), _TAPES.format("units")  # where they were before step 3
_REPORTS = """SELECT count(report), coalesce(sum(length(report)), 0), max(finished)
    FROM benchmarks"""


@dataclass(frozen=True, slots=True)
class UsagePart:
    """All of one kind in a workspace; ``used`` is in seconds since 1970, None if there is none.

    Of files that remember, of indexes and of models it is known only when they were last written.
    Whether the kind counts towards the limit of the cache is said by ``limited``.
    """

    name: str
    count: int
    bytes: int
    used: float | None
    place: Path

    @property
    def limited(self) -> bool:
        """Tell whether it counts towards the limit."""
        return self.name in LIMITED


def usage(workspace: Workspace) -> tuple[UsagePart, ...]:
    """Look at all that is kept; nothing is made or changed."""
    must_be_readable(workspace)
    with explained(workspace.folder):
        return (
            UsagePart("tapes", *_of_ledger(workspace, _TAPES, _UNITS), workspace.ledger),
            _builds(workspace),
            _indexes(workspace),
            _memory("vectors", workspace.vectors),
            _memory("tokens", workspace.tokens),
            UsagePart("reports", *_of_ledger(workspace, _REPORTS), workspace.ledger),
            _models(workspace),
        )


def must_be_readable(workspace: Workspace) -> None:
    """Refuse a workspace that may not be looked into: it would seem empty."""
    with explained(workspace.folder), suppress(FileNotFoundError):
        os.scandir(workspace.folder).close()


def open_tapes(workspace: Workspace) -> "Ledger | None":
    """Open the ledger of a workspace, if it has one."""
    if not workspace.has_database:
        return None
    from assay.workspace.ledger.ledger import open_ledger  # it needs SQLAlchemy

    return open_ledger(workspace.database)


def tapes_in(found: "Ledger") -> "list[TapeUsage]":
    """List the units with something on tape; of a build the ledger keeps only a few facts."""
    return [tape for tape in found.tapes() if tape.bytes > 0]


def indexes_in(workspace: Workspace) -> list[Path]:
    """Return the folders of the indexes that `assay index` and `assay search` keep."""
    try:
        found = sorted(workspace.indexes.iterdir())
    except OSError:
        return []
    folders = [each for each in found if each.is_dir() and not each.is_symlink()]
    return [folder for folder in folders if not folder.name.endswith(GONE)]


def _of_ledger(workspace: Workspace, *questions: str) -> tuple[int, int, float | None]:
    """Ask a ledger for a count, bytes and a time; of several questions the first it understands.

    A file is only read, and as a mere file, which is quick.
    """
    if not workspace.has_database:
        return 0, 0, None
    if workspace.url:
        return _of_database(workspace.url, questions[0])
    for question in questions:
        try:
            with closing(reading(workspace.ledger)) as connection:
                count, size, used = connection.execute(question).fetchone()
        except sqlite3.Error as error:
            if code_of(error) in DAMAGED:
                raise damaged_ledger(str(workspace.ledger), error) from None
            if code_of(error) != sqlite3.SQLITE_ERROR:
                raise
        else:
            return int(count), int(size), used
    return 0, 0, None  # no tables yet


def _of_database(url: str, question: str) -> tuple[int, int, float | None]:
    from assay.workspace.ledger.ledger import open_ledger  # it needs SQLAlchemy

    with closing(open_ledger(url)) as ledger:
        count, size, used = ledger.ask(question)
    return int(count), int(size), used


def _builds(workspace: Workspace) -> UsagePart:
    found = Builds(workspace.builds)
    sizes, used = found.sizes(), found.used()
    return UsagePart(
        "builds", len(sizes), sum(sizes.values()), _latest(used.values()), found.folder
    )


def _indexes(workspace: Workspace) -> UsagePart:
    found = indexes_in(workspace)
    written = [last_written(folder / "index.sqlite") for folder in found]
    total = sum(map(bytes_of, found))
    return UsagePart("indexes", len(found), total, _latest(written), workspace.indexes)


def _memory(name: str, path: Path) -> UsagePart:
    return UsagePart(name, count_of(path), memory_bytes(path), last_written(path), path)


def _models(workspace: Workspace) -> UsagePart:
    found = []
    for path in workspace.models.glob(MODEL):
        with suppress(OSError):
            found.append(path.stat())
    total = sum(each.st_size for each in found)
    used = _latest(each.st_mtime for each in found)
    return UsagePart("models", len(found), total, used, workspace.models)


def _latest(times: Iterable[float | None]) -> float | None:
    return max((each for each in times if each is not None), default=None)
