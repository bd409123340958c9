"""Search: a corpus + a query -> the documents that answer it, and why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, UsageError
from assay.records import Answer, Configuration, Loss, Track, untracked
from assay.reports.searches.about import about
from assay.searches.configuration.configuration import effective
from assay.searches.current_index import CorpusSource, CurrentIndex, IndexRequest, ask_index
from assay.workspace.blobs import silent

if TYPE_CHECKING:
    from assay.searches.searcher import Searcher
import os
import re
from collections.abc import Iterator

from assay.corpora.open_corpus import open_corpus
from assay.errors import AssayError
from assay.reports.searches.about import skipped_as

__all__ = ["search"]

LONGEST = 4096  # of a path that is looked for


def search(  # noqa: PLR0913 (each is a choice of its own)
    corpus: CorpusSource,
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
    wanted = IndexRequest(corpus, chosen, workspace, tuple(include), tuple(exclude))

    def ask(searcher: "Searcher", opened: CurrentIndex) -> Answer:
        found = _answer(searcher, query, wanted, opened, explain=explain, lost=why_not)
        return replace(found, notes=(*about(opened.indexed), *found.notes))

    return ask_index(wanted, ask, track=track, waiting=waiting, note=note)


def _answer(
    searcher: "Searcher",
    query: str,
    wanted: IndexRequest,
    opened: CurrentIndex,
    *,
    explain: bool,
    lost: str | None,
) -> Answer:
    """Ask; a document that is not indexed is lost, too, if there is such a file."""
    if lost is None:
        return searcher.answer(query, explained=explain)
    where = wanted.corpus
    name = _known_name(lost, where, opened.corpus.name, lambda one: bool(searcher.named([one])))
    reason = _why_absent(lost, where)
    if name is None and reason:
        return replace(searcher.answer(query, explained=explain), loss=Loss("index", reason))
    found = searcher.answer(query, explained=explain, lost=name or lost)
    if found.loss and found.loss.stage == "index":
        found = replace(found, loss=Loss("index", reason or "it is empty"))
    return found


def _known_name(name: str, where: object, corpus: str, known: Callable[[str], bool]) -> str | None:
    """Return the name that an index knows: as given, from a place on disk, or below the corpus."""
    return next((one for one in _spellings(name, where, corpus) if known(one)), None)


def _spellings(name: str, where: object, corpus: str) -> Iterator[str]:
    yield name
    plain = name.replace("\\", "/").removeprefix("./")
    yield plain
    yield from (path.as_posix() for _, path in _below(name, where))
    yield plain.removeprefix(f"{corpus}/")


def _below(name: str, where: object) -> Iterator[tuple[Path, Path]]:
    """Yield the corpus's folder and the paths below it that a name can mean."""
    if not isinstance(where, str | Path) or len(name) > LONGEST or "\0" in name:
        return
    for root in dict.fromkeys([Path(os.path.abspath(where)), Path(os.path.realpath(where))]):  # noqa: PTH100
        for start in (root, Path.cwd()):
            place = Path(os.path.abspath(start / name))  # noqa: PTH100 (a link is not followed)
            if place != root and place.is_relative_to(root):
                yield root, place.relative_to(root)


def _why_absent(name: str, where: object) -> str:
    """Say why a file of a corpus's folder is not in its index; nothing if there is none."""
    for root, path in _below(name, where):
        if os.path.isdir(root / path):  # noqa: PTH112 (never raises)
            return "it is a folder, and only files are indexed"
        if os.path.lexists(root / path):
            return f"it is not indexed: {_reason(root, path)}"
    return ""


def _reason(root: Path, path: Path) -> str:
    """Read the one file as a corpus would, but for what git ignores."""
    only = "/" + re.sub(r"([\\*?\[\]!# ])", r"\\\1", path.as_posix())
    try:
        corpus = open_corpus({"source": "folder", "path": root, "include": [only], "ignored": True})
        found = list(corpus.documents())
    except AssayError as error:
        return error.problem
    if not found:
        return ", ".join(map(skipped_as, corpus.skipped)) or "its folder is never looked at"
    if not found[0].text.strip():
        return "it is empty"
    return "git ignores it, or --include and --exclude leave it out"
