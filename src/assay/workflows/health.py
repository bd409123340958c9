"""Health: the index of a corpus as it is -> what is wrong with it, and what to do."""

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.corpora.refuse_empty import refuse_empty
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
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workflows.load_dataset import load_dataset
from assay.workflows.options import refuse_wrong_count
from assay.workspace.index.index_store import IndexStore, Snapshot

__all__ = ["health"]

Expected = int | tuple[int | None, int | None]
Span = tuple[float | None, float | None]
WRITTEN = "the index changed during this check: run the check again"
RANGE = "expected a whole number >= 0, or a pair (least, most), e.g. (5000, 6000)"


def health(  # noqa: PLR0913 (each is a choice of its own)
    corpus: CorpusSource,
    *,
    dataset: str | Path | Dataset | None = None,
    expect: Mapping[str, Expected] | None = None,
    configuration: Configuration | Mapping[str, Any] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_file_size: int | str | None = None,
    workspace: str | Path | None = None,
    seed: int = 0,
    track: Track = untracked,
) -> Health:
    """Check the index of a corpus as it is, without updating it.

    ``expect`` maps ``documents``, ``chunks``, ``texts``, ``vectors``, ``words`` (lexical entries),
    ``bytes`` or ``generation`` to the expected number or range; other counts are compared with the
    current corpus. Words and vectors can be expected only if the search has them. With a
    ``dataset``, its queries measure the distance to their relevant documents, and the recall of an
    approximate index (whose graph is stored, as after a search). ``seed`` selects the samples.
    """
    chosen = effective(configuration)
    if chosen.system is not None:
        problem = "an external system has no index that Assay could check"
        raise UsageError(problem, hint="omit the system")
    refuse_wrong_count("seed", seed)
    spans = _spans({} if expect is None else expect, chosen)
    asked = None if dataset is None else load_dataset(dataset)
    wanted = IndexRequest(corpus, chosen, workspace, tuple(include), tuple(exclude), max_file_size)
    found = locate_index(wanted, dataset=asked, track=track)
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
        hint = 'expected names and numbers, e.g. {"documents": 1200}'
        raise UsageError(f"expect: invalid value {quote_value(expect)}", hint=hint)
    missing = {"words"} if chosen.lexical is None else set()
    missing |= {"vectors"} if chosen.model is None else set()
    counted = [name for name in EXPECTED if name not in missing]
    for name in expect:
        if name not in counted:
            absent = f"expect: this search has no {name}"
            problem = absent if name in missing else f"expect: unknown count {quote_value(name)}"
            hint = did_you_mean(str(name), counted, otherwise=f"available: {', '.join(counted)}")
            raise UsageError(problem, hint=hint)
    return {name: _span(name, value) for name, value in expect.items()}


def _span(name: str, value: object) -> Span:
    """Take a number for both ends of what is expected."""
    ends = value if isinstance(value, tuple | list) else (value, value)
    if len(ends) != 2 or not all(_is_count(end) for end in ends) or list(ends) == [None, None]:
        raise UsageError(f"expect, {name}: invalid value {quote_value(value)}", hint=RANGE)
    least, most = ends
    if least is not None and most is not None and least > most:
        problem = f"expect, {name}: the minimum {least} is greater than the maximum {most}"
        raise UsageError(problem, hint="give the smaller number first")
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
        refuse_empty(found.corpus, unread=True)
        others = _others(found)
        more = f" ({others} with other settings or patterns)" if others else ""
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
