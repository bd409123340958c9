"""An index on disk: documents, chunks, vectors and engine files that change together."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from assay.errors import InputError
from assay.workspace.disk.connections import reading, writing
from assay.workspace.disk.faults import explained, sound
from assay.workspace.disk.folders import made
from assay.workspace.index import _tables, generations
from assay.workspace.index._sizes import sizes
from assay.workspace.index._snapshot import DocumentEntry, Snapshot
from assay.workspace.index._turns import take_turn
from assay.workspace.index._update import PackedVectors, Update

__all__ = ["DocumentEntry", "IndexStore", "PackedVectors", "Snapshot", "Update", "open_store"]

PATIENCE_S = 3600.0  # another process may be embedding a large corpus
ATTEMPTS = 20


class Closable(Protocol):
    """What an opening yields: it can be closed if it came too late."""

    def close(self) -> None:
        """Let go of all files."""


T = TypeVar("T", bound=Closable)


def everything(name: str) -> bool:
    """Copy every file: right for any engine, also one that writes into its old files."""
    return True


class IndexStore:
    """One index: many may read it while one writes.

    The truth is one SQLite transaction. The files of a lexical engine lie beside it in a folder
    for each generation, and count from the moment in which the transaction that names their
    generation commits. A process that is killed, or a machine that loses power, leaves the last
    committed generation as it was.
    """

    def __init__(self, folder: Path, *, settings: str) -> None:
        self.folder = folder
        self._wanted = settings

    @property
    def _path(self) -> Path:
        return self.folder / "index.sqlite"

    @property
    def _exists(self) -> bool:
        with explained(self.folder):
            return self._path.exists()

    @property
    def settings(self) -> str:
        """The settings with which the index was built; empty if there is none."""
        return str(self._facts().get("settings", ""))

    @property
    def generation(self) -> int:
        """How often the index has changed; 0 if there is none."""
        return int(self._facts().get("generation", 0))

    @property
    def writable(self) -> bool:
        """Whether the index may be changed, as far as its folder says."""
        return generations.writable(self.folder)

    def _facts(self) -> dict[str, str | int]:
        if not self._exists:
            return {}
        with sound(self.folder), closing(reading(self._path)) as connection:
            return _tables.facts(connection)

    @contextmanager
    def update(
        self,
        *,
        waiting: Callable[[str], None] | None = None,
        patience_s: float = PATIENCE_S,
        copy: Callable[[str], bool] = everything,
    ) -> Iterator[Update]:
        """Change the index: all that is done inside counts at the end, or nothing does.

        While another process writes, ``waiting`` is told who, for at most ``patience_s``. ``copy``
        says of a lexical engine's file, by its name, whether the engine writes into it once it is
        there; all other files are shared between generations.
        """
        with explained(self.folder):
            connection = writing(made(self.folder) / self._path.name)
        with closing(connection):
            with explained(self.folder):
                take_turn(connection, self.folder, waiting=waiting, patience_s=patience_s)
            with sound(self.folder):
                update = Update(connection, self.folder, settings=self._wanted, copy=copy)
            try:
                yield update
                update.commit()
            except BaseException:
                update.abandon()
                raise

    def snapshot(self) -> Snapshot:
        """See the index as it is now, until the snapshot is closed."""
        if not self._exists:
            raise self._missing()
        with sound(self.folder):
            snapshot = Snapshot(self._path)
        if snapshot.readable and snapshot.settings == self._wanted:
            return snapshot
        snapshot.close()
        raise self._other() if snapshot.generation else self._missing()

    def read(self, opening: Callable[[Snapshot], T]) -> T:
        """Open what reads the files of a snapshot, again if a writer has removed them.

        A writer removes files only of generations that are over, so what was opened is whole if
        its generation is still the current one afterwards. The snapshot is the opened one's to
        close.
        """
        for _ in range(ATTEMPTS):
            snapshot = self.snapshot()
            try:
                opened = opening(snapshot)
            except Exception:
                snapshot.close()
                if self.generation == snapshot.generation:
                    raise
                continue
            if self.generation == snapshot.generation:
                return opened
            opened.close()
        problem = "the index was updated while it was opened"
        raise InputError(problem, where=str(self.folder), hint="try again after the update")

    def sizes(self) -> dict[str, int]:
        """Return bytes on disk by use: lexical_bytes, vector_bytes, text_bytes, other_bytes."""
        with closing(self.snapshot()) as snapshot, explained(self.folder):
            return sizes(self._path, lexical=snapshot.lexical, derived=snapshot.derived)

    def _missing(self) -> InputError:
        hint = "build it with `assay index`"
        return InputError("no index yet", where=str(self.folder), hint=hint)

    def _other(self) -> InputError:
        problem = "the index was built with other settings or by another version"
        return InputError(problem, where=str(self.folder), hint="build it again with `assay index`")


def open_store(folder: str | Path, *, settings: str) -> IndexStore:
    """Open the index in a folder; nothing is read or written before it is needed.

    ``settings`` names all that the content of the index depends on besides the documents. An index
    that was built with others is never read, and the next update begins with an empty one.
    """
    return IndexStore(Path(folder), settings=settings)
