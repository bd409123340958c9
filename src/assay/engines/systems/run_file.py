"""Saved run file (TREC or JSON): its rankings are scored, its latency is unknown."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.records import Query, Rankings, System, SystemReply, decode
from assay.records.fingerprint import fingerprint_settings
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

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
    """Make a system of a run file (relative to ``home``), which ``rankings`` reads.

    ``ties`` is the order of equal scores: by document id, as in trec_eval, or as in the file.
    """
    if ties not in TIES:
        hint = f"expected {' or '.join(TIES)}"
        raise InputError(f"invalid value {quote_value(ties)}", where="ties", hint=hint)
    if not isinstance(path, str) or not path or "\0" in path:
        hint = "specify a run file, e.g. path: runs/bm25.run"
        raise InputError(f"invalid value {quote_value(path)}", where="path", hint=hint)
    place = Path(home) / path
    if not place.is_file():
        hint = "check path; it is relative to the benchmark file"
        raise InputError("file not found", where=str(place), hint=hint)
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
        told = [*self._rankings.notes, "latency unknown: results were read from a run file"]
        if self._lacking:
            one = min(self._lacking)
            queries = count_noun(len(self._lacking), "query")
            said = f"{queries} missing in the run file, e.g. {one}"
            known = f"; it contains e.g. {next(iter(self._at))}" if self._at else ""
            told.append(said + known)
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
