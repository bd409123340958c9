"""Search: a corpus + a query -> the documents that answer it, and why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, UsageError
from assay.records import Answer, Configuration, Loss, Track, untracked
from assay.reports.searches.about import about
from assay.searches.configuration.configuration import effective
from assay.searches.current_index import Opened, Wanted, Where, asked_of
from assay.workflows._named import absent, spelled
from assay.workspace.blobs import silent

if TYPE_CHECKING:
    from assay.searches.searcher import Searcher

__all__ = ["search"]


def search(  # noqa: PLR0913 (each is a choice of its own)
    corpus: Where,
    query: str,
    *,
    top: int = 10,
    explain: bool = False,
    why_not: str | None = None,
    configuration: Configuration | Mapping[str, Any] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    workspace: str | Path | None = None,
    track: Track = untracked,
    waiting: Callable[[str], None] | None = None,
    note: Callable[[str], None] = silent,
) -> Answer:
    """Find the ``top`` documents of a corpus for a query; the index is brought up to date first.

    ``explain`` adds the terms that matched and what each stage made of a hit; ``why_not`` names a
    document, and the answer's ``loss`` says which stage lost it.
    """
    if not isinstance(query, str):
        raise UsageError(f"a query cannot be {type(query).__name__}", hint="give a text")
    chosen = effective(configuration)
    if (chosen.mmr or {}).get("k", 0) > top:
        hint = "lower it, or ask for more results"
        raise InputError(f"is above the number of results ({top})", where="mmr.k", hint=hint)
    chosen = replace(chosen, top_k=top, depth=max(top, chosen.depth))
    wanted = Wanted(corpus, chosen, workspace, tuple(include), tuple(exclude))

    def ask(searcher: "Searcher", opened: Opened) -> Answer:
        found = _answer(searcher, query, wanted, opened, explain=explain, lost=why_not)
        return replace(found, notes=(*about(opened.indexed), *found.notes))

    return asked_of(wanted, ask, track=track, waiting=waiting, note=note)


def _answer(
    searcher: "Searcher",
    query: str,
    wanted: Wanted,
    opened: Opened,
    *,
    explain: bool,
    lost: str | None,
) -> Answer:
    """Ask; a document that is not indexed is lost, too, if there is such a file."""
    if lost is None:
        return searcher.answer(query, explained=explain)
    where = wanted.corpus
    name = spelled(lost, where, opened.corpus.name, lambda one: bool(searcher.named([one])))
    reason = absent(lost, where)
    if name is None and reason:
        return replace(searcher.answer(query, explained=explain), loss=Loss("index", reason))
    found = searcher.answer(query, explained=explain, lost=name or lost)
    if found.loss and found.loss.stage == "index":
        found = replace(found, loss=Loss("index", reason or "it is empty"))
    return found
