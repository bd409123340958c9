"""Search: a corpus + a query -> the best matching documents, and why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, UsageError
from assay.records import Answer, Configuration, Loss, Track, untracked
from assay.records.chunk import split_place
from assay.records.configuration import GIVEN
from assay.records.filters import Filters
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
CHUNKS = "a place within a document is followed through a search for chunks, as with `unit: chunk`"


def search(  # noqa: PLR0913 (each is a choice of its own)
    corpus: CorpusSource,
    query: str,
    *,
    top: int = 10,
    explain: bool = False,
    why_not: str | None = None,
    configuration: Configuration | Mapping[str, Any] | None = None,
    filters: Mapping[str, Any] | Sequence[str] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_file_size: int | str | None = None,
    workspace: str | Path | None = None,
    track: Track = untracked,
    waiting: Callable[[str], None] | None = None,
    note: Callable[[str], None] = silent,
) -> Answer:
    """Return the ``top`` documents of a corpus for a query.

    ``corpus`` is a folder, a .jsonl file, ``git:REPOSITORY@REVISION``, ``stdlib``, a mapping as in
    a benchmark file, a corpus object, or a list of documents. Its index is built on the first call
    and updated on every further call, so results are never stale. ``query`` is plain text: there is
    no query syntax.

    ``configuration`` has the same settings as a configuration in a benchmark file, e.g.
    ``{"search": "lexical"}`` or ``{"search": "dense", "model": "ollama:nomic-embed-text"}``; the
    default is hybrid search with the model ``minilm``. ``filters`` leave out documents by their
    metadata: ``{"language": "de", "year": {">=": 2020}}``, or ``["language=de", "year>=2020"]``;
    all of them must match. ``include`` and ``exclude`` are patterns in
    .gitignore syntax, and files larger than ``max_file_size`` are skipped. ``workspace`` is the
    folder that stores the index (default: the nearest ``.assay``).

    With ``explain``, each hit has its matched terms and its rank and score at every stage. With
    ``why_not``, the path or id of a document, ``answer.loss`` names the stage that lost it;
    ``FILE::SYMBOL`` or ``FILE:LINES`` ask for the chunks that define or overlap it.
    ``track`` shows progress, ``waiting`` is called while another process writes the index, and
    ``note`` receives warnings. Invalid input raises ``InputError`` or ``UsageError``.

    Example::

        answer = assay.search("docs", "how to reset a password", top=5)
        for hit in answer.hits:
            print(hit.rank, hit.path, hit.lines, hit.score)
    """
    if not isinstance(query, str):
        problem = f"the query must be a text, not {type(query).__name__}"
        raise UsageError(problem, hint='pass a string, e.g. "how to reset a password"')
    kept = Filters.of(filters)
    chosen = effective(configuration)
    if chosen.unit != "document":
        hint = "remove it: a search returns documents, and their best chunks"
        raise InputError("is a setting of benchmarks only", where="unit", hint=hint)
    if chosen.model == GIVEN:
        hint = (
            "search with a model, e.g. minilm; `assay run` searches with the vectors of a dataset"
        )
        raise InputError("a typed query has no vector", where="model: given", hint=hint)
    if (chosen.mmr or {}).get("k", 0) > top:
        hint = "lower it, or request more results with top (--top)"
        raise InputError(f"exceeds the number of results ({top})", where="mmr.k", hint=hint)
    chosen = replace(chosen, top_k=top, depth=max(top, chosen.depth))
    wanted = IndexRequest(corpus, chosen, workspace, tuple(include), tuple(exclude), max_file_size)

    def ask(searcher: "Searcher", opened: CurrentIndex) -> tuple[Answer, str]:
        answer = partial(searcher.answer, query, filters=kept, explained=explain)
        found, place = _answer(answer, searcher, wanted, opened, lost=why_not)
        return replace(found, notes=(*about(opened.indexed), *found.notes)), place

    def lose(searcher: "Searcher", _: CurrentIndex) -> Loss:
        return searcher.lose(query, place, filters=kept)

    asking = partial(ask_index, track=track, waiting=waiting, note=note)
    found, place = asking(wanted, ask)
    if not place:
        return found
    loss = asking(replace(wanted, configuration=_of_chunks(chosen)), lose)
    return replace(found, loss=loss, notes=(*found.notes, CHUNKS))


def _answer(
    answer: Callable[..., Answer],
    searcher: "Searcher",
    wanted: IndexRequest,
    opened: CurrentIndex,
    *,
    lost: str | None,
) -> tuple[Answer, str]:
    """Search; a file of the corpus that is not indexed counts as lost, too.

    Also name a place within a document, which only a search of chunks can have lost.
    """
    if lost is None:
        return answer(), ""
    where, part = wanted.corpus, ""
    known = partial(_known_name, where=where, corpus=opened.corpus.name, known=_knows(searcher))
    if (name := known(lost)) is None:
        document, part = split_place(lost)
        lost, name = (document, known(document)) if part else (lost, None)
    if name and part:
        return answer(), f"{name}{part}"
    reason = _why_absent(lost, where, wanted.max_file_size)
    if name is None and reason:
        return replace(answer(), loss=Loss("index", reason)), ""
    found = answer(lost=name or lost)
    if found.loss and found.loss.stage == "index":
        found = replace(found, loss=Loss("index", reason or "not indexed: it is empty"))
    return found, ""


def _of_chunks(chosen: Configuration) -> Configuration:
    """Return the same search with chunks as results."""
    lexical_unit = None if chosen.lexical_unit is None else "chunk"
    return replace(chosen, unit="chunk", lexical_unit=lexical_unit)


def _knows(searcher: "Searcher") -> Callable[[str], bool]:
    return lambda name: bool(searcher.named([name]))


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


def _why_absent(name: str, where: object, max_file_size: int | str | None) -> str:
    """Say why a file of a corpus's folder is not in its index; nothing if there is none."""
    for root, path in _below(name, where):
        if os.path.isdir(root / path):  # noqa: PTH112 (never raises)
            return "not indexed: it is a folder; only files are indexed"
        if os.path.lexists(root / path):
            return f"not indexed: {_reason(root, path, max_file_size)}"
    return ""


def _reason(root: Path, path: Path, max_file_size: int | str | None) -> str:
    """Read the one file as a corpus would, but for what git ignores."""
    only = "/" + re.sub(r"([\\*?\[\]!# ])", r"\\\1", path.as_posix())
    where = {"source": "folder", "path": root, "include": [only], "ignored": True}
    limit = {} if max_file_size is None else {"max_file_size": max_file_size}
    try:
        corpus = open_corpus(where | limit)
        found = list(corpus.documents())
    except AssayError as error:
        return error.problem
    if not found:
        return skipped_as(corpus.skipped) or "its folder is always skipped"
    if not found[0].text.strip():
        return "it is empty"
    return "ignored by git, or excluded by --include or --exclude"
