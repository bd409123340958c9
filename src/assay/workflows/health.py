"""Health: the index of a corpus as it is -> what is wrong with it, and what to do."""

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.errors import InputError, UsageError
from assay.index_health.health import EXPECTED, IndexState, health_of
from assay.records import Configuration, Dataset, Health, Track, untracked
from assay.searches.configuration.configuration import effective
from assay.searches.current_index import (
    CorpusSource,
    IndexLocation,
    IndexRequest,
    index_command,
    locate_index,
)
from assay.workflows._options import refuse_wrong_count
from assay.workflows.load_dataset import load_dataset
from assay.workspace.index.index_store import IndexStore, Snapshot

__all__ = ["health"]

Expected = int | tuple[int | None, int | None]
Span = tuple[float | None, float | None]
WRITTEN = "the index was written while it was looked at: look again"
RANGE = "it is a number, or a pair of the least and the most, e.g. (5000, 6000)"


def health(  # noqa: PLR0913 (each is a choice of its own)
    corpus: CorpusSource,
    *,
    dataset: str | Path | Dataset | None = None,
    expect: Mapping[str, Expected] | None = None,
    configuration: Configuration | Mapping[str, Any] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    workspace: str | Path | None = None,
    seed: int = 0,
    track: Track = untracked,
) -> Health:
    """IndexState at the index of a corpus as it is, without bringing it up to date.

    ``expect`` names what the index should hold, by ``documents``, ``chunks``, ``texts``,
    ``vectors``, ``words``, ``bytes`` or ``generation``; what is left out is expected to be as the
    corpus is now. With the queries of a ``dataset`` it is measured how near they lie to their
    answers, and what an approximate index misses of them (its graph is kept, as after a search).
    ``seed`` chooses the samples. Nothing can be expected of words or vectors that a search has not.
    """
    chosen = effective(configuration)
    if chosen.system is not None:
        problem = "only an index of Assay's own can be looked at, not a system that searches itself"
        raise UsageError(problem, hint="leave the system out")
    refuse_wrong_count("seed", seed)
    spans = _spans({} if expect is None else expect, chosen)
    asked = None if dataset is None else load_dataset(dataset)
    wanted = IndexRequest(corpus, chosen, workspace, tuple(include), tuple(exclude))
    found = locate_index(wanted, track=track)
    with closing(_snapshot(found, index_command(wanted, configuration))) as snapshot:
        looked = health_of(
            IndexState(snapshot, chosen, found.embedder, spans, seed),
            found.corpus,
            sizes=found.store.sizes(),
            age_s=_age_s(found.store),
            others=_others(found),
            dataset=asked,
            track=track,
        )
        written = found.store.generation != snapshot.generation
    return replace(looked, notes=(*looked.notes, WRITTEN)) if written else looked


def _spans(expect: object, chosen: Configuration) -> dict[str, Span]:
    """Refuse to expect what is never counted, since that would never be off."""
    if not isinstance(expect, Mapping):
        hint = 'give names and numbers, e.g. {"documents": 1200}'
        raise UsageError(f"nothing can be expected by {expect!r:.60}", hint=hint)
    missing = {"words"} if chosen.lexical is None else set()
    missing |= {"vectors"} if chosen.model is None else set()
    counted = [name for name in EXPECTED if name not in missing]
    for name in expect:
        if name not in counted:
            idle = f"{name} are not counted: this search has none"
            problem = idle if name in missing else f"nothing is counted that is called {name!r}"
            raise UsageError(problem, hint=f"it can be {', '.join(counted)}")
    return {name: _span(name, value) for name, value in expect.items()}


def _span(name: str, value: object) -> Span:
    """Take a number for both ends of what is expected."""
    ends = value if isinstance(value, tuple | list) else (value, value)
    if len(ends) != 2 or not all(_is_count(end) for end in ends) or list(ends) == [None, None]:
        raise UsageError(f"{name} cannot be expected to be {value!r}", hint=RANGE)
    least, most = ends
    if least is not None and most is not None and least > most:
        raise UsageError(f"{name} cannot be at least {least} and at most {most}", hint=RANGE)
    return least, most


def _is_count(end: object) -> bool:
    return end is None or (isinstance(end, int) and not isinstance(end, bool) and end >= 0)


def _snapshot(found: IndexLocation, command: str) -> Snapshot:
    """Open the index; where there is none, say how it is built."""
    try:
        return found.store.snapshot()
    except InputError as error:
        if found.store.generation:
            raise
        others = _others(found)
        more = f" ({others} of other settings or patterns)" if others else ""
        problem, hint = f"{error.problem} for this search{more}", f"build it first: {command}"
        raise InputError(problem, where=found.corpus.name, hint=hint) from None


def _age_s(store: IndexStore) -> float:
    """Return the seconds since the index was written last, by the times of its files."""
    places = [store.folder / name for name in ("index.sqlite", "index.sqlite-wal")]
    found = [place.stat() for place in places if place.exists()]
    written = [one.st_mtime for one in found if one.st_size]  # a reader leaves an empty log
    return max(0.0, time.time() - max(written, default=0.0))


def _others(found: IndexLocation) -> int:
    """Count the other indexes of a corpus of this name."""
    folder = found.store.folder
    start = f"{folder.name.rpartition('-')[0]}-"
    try:
        names = [place.name for place in folder.parent.iterdir()]
    except OSError:
        return 0
    alike = [name for name in names if name.rpartition("-")[0] + "-" == start]
    return len(set(alike) - {folder.name})
