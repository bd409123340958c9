"""Index: a corpus -> an index on disk that holds exactly what the corpus holds."""

from collections.abc import Callable, Sequence
from pathlib import Path

from assay.benchmarks.indexing import Indexed
from assay.records import Configuration, Track, untracked
from assay.workflows._indexes import Wanted, Where, current_index

__all__ = ["index"]


def index(
    corpus: Where,
    *,
    configuration: Configuration | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    workspace: str | Path | None = None,
    track: Track = untracked,
    waiting: Callable[[str], None] | None = None,
) -> Indexed:
    """Build the index of a corpus, or bring it up to date: only what changed is read again.

    An interruption at any time leaves the index as it was. ``waiting`` is called while another
    process writes it.
    """
    chosen = configuration or Configuration()
    wanted = Wanted(corpus, chosen, workspace, tuple(include), tuple(exclude))
    return current_index(wanted, track=track, waiting=waiting).indexed
