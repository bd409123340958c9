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


def index(  # noqa: PLR0913 (each is a choice of its own)
    corpus: CorpusSource,
    *,
    configuration: Configuration | Mapping[str, Any] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_file_size: int | str | None = None,
    workspace: str | Path | None = None,
    track: Track = untracked,
    waiting: Callable[[str], None] | None = None,
    note: Callable[[str], None] = silent,
) -> IndexUpdate:
    """Build the index of a corpus, or update it: only changed files are read again.

    ``corpus``, ``configuration``, ``include``, ``exclude``, ``max_file_size`` and ``workspace`` are
    those of ``assay.search``. The result counts the documents and chunks of the index, and what was
    added, changed, removed, read and embedded. If it is interrupted, the index stays as it was.
    ``track`` shows progress, ``waiting`` is called while another process writes the index, and
    ``note`` receives warnings, e.g. about a damaged vector cache.
    """
    chosen = effective(configuration)
    wanted = IndexRequest(corpus, chosen, workspace, tuple(include), tuple(exclude), max_file_size)
    opened = current_index(wanted, track=track, waiting=waiting, note=note)
    return replace(opened.indexed, storage=opened.store.sizes())
