"""A query to a corpus of the store, as a request asks it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.benchmarks.collections.stored_datasets import DATASET, open_stored_corpus
from assay.errors import ConflictError, UsageError
from assay.records import Answer, Configuration, untracked
from assay.records.service import CorpusEntry
from assay.searches.configuration.configuration import configuration, effective
from assay.searches.current_index import CorpusSource, IndexRequest, locate_index
from assay.workflows.search import search
from assay.workflows.service.allowed import Allowed
from assay.workspace.locate import Workspace
from assay.workspace.store.store import ServiceStore

__all__ = ["SearchRequest", "search_stored"]

SMALL = 2_000  # documents of a corpus that is indexed while the caller waits


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked, of which corpus, and how it is searched.

    ``overrides`` are settings of coherence, which they switch on; ``mmr.`` before a name means MMR.
    """

    query: str
    mapping: str | None = None
    corpus: str | None = None
    configuration: Mapping[str, Any] | None = None
    k: int = 10
    explain: bool = False
    why_not: str | None = None
    filters: Mapping[str, Any] | None = None
    overrides: Mapping[str, Any] | None = None


def search_stored(
    asked: SearchRequest,
    *,
    place: Workspace,
    store: ServiceStore,
    allowed: Allowed,
    may_index: bool,
) -> Answer:
    """Search a corpus whose index is there, or that is small enough to be indexed meanwhile.

    Each index takes disk, so it is only built for a caller who ``may_index``.
    """
    chosen = _configuration(asked, allowed)
    entry = _corpus(asked, store)
    allowed.refuse_corpus(entry.where)  # the list may have changed since it was noted
    opened: CorpusSource = dict(entry.where)
    if entry.where.get("source") == DATASET:
        opened = open_stored_corpus(store, entry.where)
    small = entry.documents is not None and entry.documents <= SMALL
    if chosen.system is None and not (small and may_index):  # the search itself refuses systems
        advice = "index it first:" if may_index else "an editor can index it:"
        _refuse_unindexed(entry, IndexRequest(opened, effective(chosen), place.folder), advice)
    return search(
        opened,
        asked.query,
        top=asked.k,
        explain=asked.explain or asked.overrides is not None,  # easy queries have a receipt, too
        why_not=asked.why_not,
        configuration=chosen,
        filters=asked.filters,
        workspace=place.folder,
    )


def _configuration(asked: SearchRequest, allowed: Allowed) -> Configuration:
    given = {"name": "search", **_overridden(asked.configuration or {}, asked.overrides)}
    allowed.refuse_settings("configuration", given)
    return configuration(given)


def _overridden(given: Mapping[str, Any], overrides: Mapping[str, Any] | None) -> dict[str, Any]:
    """Add settings of coherence and of MMR to a configuration; coherence needs dense search."""
    if overrides is None:
        return dict(given)
    stages: dict[str, dict[str, Any]] = {"coherence": _stage(given.get("coherence"))}
    for key, value in overrides.items():
        stage, _, name = key.rpartition(".")
        if stage not in ("", "mmr", "coherence"):
            hint = "expected a setting of coherence (alpha), or of MMR (mmr.lambda)"
            raise UsageError(f"overrides: unknown stage {stage[:60]!r}", hint=hint)
        stage = stage or "coherence"
        stages.setdefault(stage, _stage(given.get(stage)))[name] = value
    return {"search": "dense", **given, **stages}


def _stage(given: object) -> dict[str, Any]:
    return dict(given) if isinstance(given, Mapping) else {}


def _corpus(asked: SearchRequest, store: ServiceStore) -> CorpusEntry:
    if (asked.corpus is None) == (asked.mapping is None):
        hint = "give the id of a mapping, or that of a corpus"
        raise UsageError("expected either mapping or corpus", hint=hint)
    if asked.corpus is not None:
        return store.corpora.get(asked.corpus)
    return store.corpora.get(store.mappings.get(str(asked.mapping)).corpus)


def _refuse_unindexed(entry: CorpusEntry, wanted: IndexRequest, advice: str) -> None:
    """Refuse a search that would have to build an index: a worker does that as a job."""
    if locate_index(wanted, track=untracked).store.generation:
        return
    hint = f"{advice} POST /api/v1/corpora/{entry.id}/index with this configuration"
    problem = "the corpus has no index yet for this configuration"
    raise ConflictError(problem, where=entry.id, hint=hint)
