"""Index a corpus in the background."""

from collections.abc import Mapping
from typing import Any

from assay.records import Track, untracked
from assay.workflows.index import index
from assay.workspace.locate import Workspace

__all__ = ["index_corpus"]


def index_corpus(
    _job: str, content: Mapping[str, Any], place: Workspace, *, track: Track = untracked
) -> dict[str, Any]:
    """Bring the index of ``corpus`` up to date: only what changed is read again.

    ``configuration``, ``include`` and ``exclude`` are those of `assay.index`.
    """
    done = index(
        content["corpus"],
        configuration=content.get("configuration"),
        include=content.get("include", ()),
        exclude=content.get("exclude", ()),
        workspace=place.folder,
        track=track,
    )
    names = ("documents", "chunks", "added", "changed", "removed", "seconds")
    return {name: getattr(done, name) for name in names}
