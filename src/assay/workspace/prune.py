"""Keep a workspace small: what was not used for longest goes first, what is in use stays."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from assay.errors import InputError
from assay.workspace._shrink_files import count_of, last_written, memory_bytes, shrink
from assay.workspace.builds import Builds
from assay.workspace.disk.faults import explained
from assay.workspace.locate import Workspace
from assay.workspace.scratch import sweep_scratch
from assay.workspace.usage import must_be_readable, open_tapes, tapes_in

if TYPE_CHECKING:
    from assay.workspace.ledger.ledger import Ledger

__all__ = ["PruneResult", "Removable", "oldest", "prune"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Removable:
    """A tape or a build: the unit of removal. ``used`` is in seconds since 1970."""

    kind: str
    key: str
    bytes: int
    used: float

    @property
    def name(self) -> tuple[str, str]:
        """Tell it from all others."""
        return self.kind, self.key


@dataclass(frozen=True, slots=True)
class PruneResult:
    """What was removed: how many ``tapes`` and ``builds``, and the bytes that each kind freed.

    ``bytes`` count towards the limit afterwards; ``in_use`` had to stay although they were the
    least recently used. Besides the kinds of the cache, ``freed`` has what dead processes left as
    unfinished.
    """

    limit: int
    bytes: int
    tapes: int = 0
    builds: int = 0
    in_use: int = 0
    freed: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def prune(workspace: Workspace, limit: int) -> PruneResult:
    """Remove the least recently used tapes and builds until all takes at most ``limit`` bytes.

    Remembered vectors and tokens count, too; of these the oldest go when no tape and no build is
    left and it is still too much. What a living process works on is left. What dead processes left
    unfinished always goes. Nothing here fails: what could not be removed is told in the notes.
    """
    work = _PrunePass(workspace, limit)
    work.attempt(lambda: must_be_readable(workspace))
    work.free("unfinished", lambda: sweep_scratch() + work.builds.sweep())
    tapes = work.attempt(lambda: open_tapes(workspace))
    with closing(tapes) if tapes else nullcontext():
        left = work.remove_pieces(tapes)
    if not left:
        work.shrink_memories()
    return work.done(left)


def oldest(pieces: Iterable[Removable], *, excess: int) -> list[Removable]:
    """Choose the least recently used, no more than it takes to free so many bytes.

    >>> pieces = [Removable("builds", "a", 5, 30.0), Removable("tapes", "b", 2, 10.0)]
    >>> [piece.key for piece in oldest(pieces, excess=2)]
    ['b']
    """
    chosen: list[Removable] = []
    for piece in sorted(pieces, key=lambda piece: (piece.used, piece.kind, piece.key)):
        if excess <= 0:
            break
        chosen.append(piece)
        excess -= piece.bytes
    return chosen


class _PrunePass:
    """One pass over a workspace, and what it did so far."""

    def __init__(self, workspace: Workspace, limit: int) -> None:
        self.builds = Builds(workspace.builds)
        self._folder = workspace.folder
        self._memories = [workspace.vectors, workspace.tokens]
        self._limit = limit
        self._freed: Counter[str] = Counter()
        self._removed: Counter[str] = Counter()
        self._in_use = 0
        self._notes: dict[str, None] = {}

    def attempt(self, act: Callable[[], T]) -> T | None:
        """Do something; where that may not be, say so and go on."""
        try:
            with explained(self._folder):
                return act()
        except InputError as error:
            self._notes[f"{error.where}: {error.problem}" if error.where else error.problem] = None
            return None

    def free(self, kind: str, act: Callable[[], int]) -> None:
        """Remove something, and count the bytes."""
        self._freed[kind] += self.attempt(act) or 0

    def remove_pieces(self, tapes: "Ledger | None") -> list[Removable]:
        """Remove tapes and builds, and return those that are left."""
        held, tried = self._held(tapes), set[tuple[str, str]]()
        while True:
            untried = [piece for piece in held if piece.name not in tried]
            chosen = {piece.name for piece in oldest(untried, excess=self._excess(held))}
            if not chosen:
                break
            self._forget(chosen, tapes)
            tried |= chosen
            held = self._held(tapes)
            self._removed.update(kind for kind, _ in chosen - {piece.name for piece in held})
        self._in_use = sum(piece.name in tried for piece in held)
        return held

    def shrink_memories(self) -> None:
        """Forget the oldest vectors and tokens, first of what was not written for longer."""
        for path in sorted(self._memories, key=lambda path: last_written(path) or 0.0):
            excess = self._excess(())
            if excess > 0 and count_of(path):
                room = max(0, memory_bytes(path) - excess)
                self.free(path.stem, partial(shrink, path, to_bytes=room))
                self._in_use += memory_bytes(path) > room and count_of(path) > 0

    def done(self, left: Iterable[Removable]) -> PruneResult:
        """Tell what was done."""
        return PruneResult(
            limit=self._limit,
            bytes=self._limit + self._excess(left),
            tapes=self._removed["tapes"],
            builds=self._removed["builds"],
            in_use=self._in_use,
            freed={kind: freed for kind, freed in self._freed.items() if freed},
            notes=tuple(self._notes),
        )

    def _held(self, tapes: "Ledger | None") -> list[Removable]:
        sizes, used = self.attempt(self.builds.sizes) or {}, self.attempt(self.builds.used) or {}
        found = [Removable("builds", key, size, used.get(key, 0.0)) for key, size in sizes.items()]
        recorded = self.attempt(partial(tapes_in, tapes)) if tapes else None
        return found + [
            Removable("tapes", each.key, each.bytes, each.used) for each in recorded or ()
        ]

    def _forget(self, chosen: Iterable[tuple[str, str]], tapes: "Ledger | None") -> None:
        """Remove builds one by one, so that one that may not be removed keeps no other."""
        for kind, key in sorted(chosen):
            if kind == "builds":
                self.free(kind, partial(self.builds.forget, [key]))
        keys = [key for kind, key in chosen if kind == "tapes"]
        if tapes and keys:
            self.free("tapes", partial(tapes.forget, keys))

    def _excess(self, held: Iterable[Removable]) -> int:
        kept = sum(map(memory_bytes, self._memories))
        return kept + sum(piece.bytes for piece in held) - self._limit
