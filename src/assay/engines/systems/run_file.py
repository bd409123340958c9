"""Take the answers of a run that was saved before: its rankings count, its time is unknown."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.records import Query, Rankings, System, SystemReply, decode
from assay.records.fingerprint import fingerprint_settings

__all__ = ["run_file"]

TIES = ("docid", "order")
READING = 2  # how files are read: with another number, recorded answers are read again
Load = Callable[..., Rankings]  # (path, *, ties, format)


def run_file(
    *,
    path: str,
    rankings: Load,
    format: str | None = None,  # noqa: A002
    ties: str = "docid",
    home: str = "",
) -> System:
    """Make a system of a run file (beside ``home``), which ``rankings`` reads.

    ``ties`` says what orders equal scores: the ids of documents, as trec_eval does, or the file.
    """
    if ties not in TIES:
        hint = f"it can be {' or '.join(TIES)}"
        raise InputError(f"cannot be {ties!r:.60}", where="ties", hint=hint)
    if not isinstance(path, str) or not path or "\0" in path:
        raise InputError(f"cannot be {path!r:.60}", where="path", hint="name a run file")
    place = Path(home) / path
    if not place.is_file():
        hint = "check path, which is relative to the benchmark file"
        raise InputError("there is no such file", where=str(place), hint=hint)
    found = rankings(place, ties=ties, format=format)
    content = sha256(place.read_bytes()).hexdigest()
    name = fingerprint_settings(kind="run_file", content=content, ties=ties, reading=READING)
    return _RunFileSystem(found, name)


class _RunFileSystem:
    """Rankings that are looked up."""

    concurrency = 1
    timed = False

    def __init__(self, rankings: Rankings, fingerprint: str) -> None:
        self._rankings, self.fingerprint = rankings, fingerprint
        self._at = {query: at for at, query in enumerate(rankings.queries)}
        self._lacking: set[str] = set()

    @property
    def notes(self) -> Sequence[str]:
        """Tell what a reader must know."""
        told = [*self._rankings.notes, "its latency is unknown: it was read from a file"]
        if self._lacking:
            one = min(self._lacking)
            said = f"queries that the file does not have: {len(self._lacking):,}, e.g. {one}"
            told.append(f"{said}; it has e.g. {next(iter(self._at))}" if self._at else said)
        return tuple(told)

    def search(self, query: Query, top: int) -> SystemReply:
        """Look a query up by its id."""
        at = self._at.get(query.key)
        if at is None:
            self._lacking.add(query.key)
            return SystemReply((), np.empty(0))
        start, end = (int(one) for one in self._rankings.offsets[at : at + 2])
        rows = slice(start, min(end, start + top))
        scores = self._rankings.scores[rows].astype(np.float64)
        return SystemReply(decode(self._rankings.documents[rows]), scores)

    def close(self) -> None:
        """Have nothing to let go of."""
