"""Index: a corpus -> an index on disk that holds exactly what the corpus holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.records import Configuration, Track, untracked
from assay.searches.configuration.configuration import effective
from assay.searches.current_index import CorpusSource, IndexRequest, current_index
from assay.searches.indexing import IndexUpdate
from assay.workspace.blobs import silent

__all__ = ["index"]


def index(
    corpus: CorpusSource,
    *,
    configuration: Configuration | Mapping[str, Any] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    workspace: str | Path | None = None,
    track: Track = untracked,
    waiting: Callable[[str], None] | None = None,
    note: Callable[[str], None] = silent,
) -> IndexUpdate:
    """Build the index of a corpus, or bring it up to date: only what changed is read again.

    ``configuration`` may be a mapping, as in a benchmark file. An interruption at any time leaves
    the index as it was. ``waiting`` is called while another process writes it, ``note`` with what
    else a person should know: a memory of vectors that is damaged, for one.
    """
    chosen = effective(configuration)
    wanted = IndexRequest(corpus, chosen, workspace, tuple(include), tuple(exclude))
    opened = current_index(wanted, track=track, waiting=waiting, note=note)
    return replace(opened.indexed, storage=opened.store.sizes())
