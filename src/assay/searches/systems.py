"""Ask a system of somebody else as it is, and make of its answers what can be scored."""

import inspect
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from assay.catalogue import find
from assay.errors import InputError
from assay.records import (
    Configuration,
    Embedder,
    Floats,
    Query,
    Rankings,
    StructureStudy,
    System,
    SystemReply,
)
from assay.records.fingerprint import fingerprint_of
from assay.records.model import Vectors, embedder_input
from assay.searches.built_search import AnswerCheck, BuiltSearch, KnownDocuments
from assay.searches.open_models import OpenModels
from assay.text import conceal, sanitize

__all__ = ["IDS", "build_system", "check_answers", "open_system"]

SHOWN = 100  # letters of an id
# Where to look if the documents of a system are not those of the corpus.
IDS = {
    "http": "check response.document, which can also map ids",
    "callable": "check the ids that the function returns",
    "run_file": "check that the run file was made for this corpus",
}
# Where to look if a system finds nothing at all.
NOTHING = {
    "http": "check request, response.hits and the content of its index",
    "callable": "check what the function returns",
    "run_file": "check the query ids in the run file",
}


def build_system(
    configuration: Configuration,
    *,
    home: str,
    models: OpenModels,
    known: KnownDocuments,
    confined: bool = False,
) -> BuiltSearch:
    """Open the system of a configuration; its own paths are relative to ``home``.

    A ``confined`` one was named by somebody else: no query leads out of the address that it has.
    """
    settings = dict(configuration.system or {})
    model = settings.get("model")
    named = None if model is None else replace(configuration, model=str(model))
    embedder = None if named is None else models.embedder(named)
    embed = _embed(embedder) if embedder else None
    system = open_system(settings, home=home, embed=embed, known=known, confined=confined)
    return _OutsideSearch(system, configuration, known=known, embedder=embedder)


def open_system(
    settings: dict[str, Any],
    *,
    home: str,
    embed: Callable[[Query], Vectors] | None = None,
    check: str = "reach",
    run: bool = True,
    known: KnownDocuments | None = None,
    confined: bool = False,
) -> System:
    """Make a system, and find out whether it is there (or, as a trial, whether it answers).

    A run file may write the paths of documents that are ``known`` in another way.
    """
    from assay.engines import systems
    from assay.rankings.align import align_to, known_names
    from assay.rankings.load import load as load_run

    def load(*file: Any, **how: Any) -> Rankings:  # noqa: ANN401
        run = load_run(*file, distances=True, **how)
        return align_to(run, known_names(known.paths.items()), known.source) if known else run

    make = cast("Callable[..., System]", find(systems, str(settings.pop("kind"))))
    given: dict[str, object] = {"home": home, "embed": embed, "rankings": load, "run": run}
    given["confined"] = confined
    takes = inspect.signature(make).parameters
    system = make(**settings, **{name: one for name, one in given.items() if name in takes})
    try:
        getattr(system, check, lambda: None)()
    except InputError:
        system.close()
        raise
    return system


def _embed(embedder: Embedder) -> Callable[[Query], Vectors]:
    def embed(query: Query) -> Vectors:
        asked = embedder_input(embedder, name=query.key, text=query.text)
        vector: Vectors = embedder.embed([asked], query=True)[0]
        return vector

    return embed


class _OutsideSearch:
    """A system that is asked, and what is odd about the documents that it returns."""

    def __init__(
        self,
        system: System,
        configuration: Configuration,
        *,
        known: KnownDocuments,
        embedder: Embedder | None = None,
    ) -> None:
        self._system, self._top, self._embedder = system, configuration.top_k, embedder
        self._kind = str((configuration.system or {}).get("kind"))
        self._known, self._paths = known, known.paths
        self.timed = bool(getattr(system, "timed", True))
        self.concurrency = system.concurrency
        self._shown: Callable[[str, int], str] = getattr(system, "shown", lambda text, n: text[:n])
        self._lock = threading.Lock()
        self._results = self._repeats = self._strangers = 0
        self._stranger = ""

    @property
    def fingerprint(self) -> str:
        """Name what is asked, for how many results, and how many at once: times depend on it."""
        return fingerprint_of(self._system.fingerprint, self._top, self.concurrency)

    @property
    def indexing(self) -> Mapping[str, Any]:
        """Tell nothing: it was built elsewhere."""
        return {}

    @property
    def storage(self) -> Mapping[str, Any]:
        """Tell nothing: its files are elsewhere."""
        return {}

    @property
    def notes(self) -> Sequence[str]:
        """Tell what a reader must know."""
        return tuple(sanitize(conceal(one)) for one in (*self._system.notes, *self._odd()))

    def found(
        self, query: Query, *, exclude: Collection[str] = ()
    ) -> tuple[list[str], Floats, Mapping[str, float]]:
        """Return documents, best first, each once, without those to ``exclude``, and the times."""
        start, before = time.perf_counter(), self._waited
        replied = self._replied(query, self._top + len(exclude))
        waited = replied.waited_ms + self._waited - before
        scores = np.asarray(replied.scores, np.float64)
        if len(scores) != len(replied.documents):
            raise InputError(
                f"received {len(replied.documents)} documents but {len(scores)} scores"
            )
        named = [one if one in self._paths else conceal(one) for one in replied.documents]
        first: dict[str, int] = {}
        for at, document in enumerate(named):
            first.setdefault(document, at)
        kept = [at for one, at in first.items() if not self._is_named(one, exclude)][: self._top]
        documents = [named[at] for at in kept]
        spent = (time.perf_counter() - start) * 1e3 - waited
        self._count([replied.documents[at] for at in kept], len(replied.documents) - len(first))
        return documents, scores[kept], {"search": spent, "waits": waited}

    def studied(self, query: Query) -> StructureStudy | None:
        """Have no structure to study: only the system knows its vectors."""
        return None

    def checked(self, answers: Mapping[str, Sequence[str]]) -> AnswerCheck:
        """Tell documents that the corpus does not have, and whether nothing can be scored."""
        return check_answers(answers, self._known, kind=self._kind, show=self._shown)

    def close(self) -> None:
        """Let go of the system."""
        self._system.close()

    @property
    def _waited(self) -> float:
        """Milliseconds that a model over a network has cost this thread with failed attempts."""
        return float(getattr(self._embedder, "waited_ms", 0.0))

    def _is_named(self, document: str, names: Collection[str]) -> bool:
        return document in names or self._paths.get(document) in names

    def _replied(self, query: Query, top: int) -> SystemReply:
        """Ask; a query that fails is told of in one sentence, so its hint goes into that."""
        try:
            return self._system.search(query, top)
        except InputError as error:
            raise InputError("; ".join(filter(None, (error.problem, error.hint)))) from None

    def _count(self, documents: Sequence[str], repeats: int) -> None:
        known = self._paths if self._known.complete else documents
        strangers = [one for one in documents if one not in known]
        with self._lock:
            self._results += len(documents) + repeats
            self._repeats += repeats
            self._strangers += len(strangers)
            self._stranger = self._stranger or next(iter(strangers), "")

    def _odd(self) -> Iterator[str]:
        look = IDS.get(self._kind, "check its ids")
        share = self._strangers / max(self._results - self._repeats, 1)
        if 0 < share < 1:  # if it is all of them, the run has failed for it, and says so
            what = "of the returned documents are not in the corpus"
            yield f"{_percent(share)} {what}, e.g. {self._shown(self._stranger, 100)}: {look}"
        if self._repeats:
            repeats = _percent(self._repeats / self._results)
            yield f"{repeats} of the results are duplicate documents: only the first one counts"


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "less than 1%"


def check_answers(
    answers: Mapping[str, Sequence[str]],
    known: KnownDocuments,
    *,
    kind: str,
    show: Callable[[str, int], str],
) -> AnswerCheck:
    """Look through the answers to judged queries.

    A system that found nothing for any of them, or only what is not ``known``, was not asked
    rightly: its scores, all 0, would say nothing about it.
    """
    found = dict.fromkeys(one for documents in answers.values() for one in documents)
    if not found:
        several = f"no results for any of the {len(answers):,} judged queries"
        told = several if len(answers) > 1 else "no results for the only judged query"
        look = NOTHING.get(kind, "check that it contains documents")
        return AnswerCheck(failure=f"{told}: {look}")
    unknown = frozenset(one for one in found if one not in known.paths)
    foreign = unknown if known.complete else frozenset[str]()  # else they may well be there
    if len(unknown) < len(found):
        return AnswerCheck(foreign)
    every = f"none of the {len(found):,} returned documents is in {known.source}"
    about = every if len(found) > 1 else f"the only returned document is not in {known.source}"
    one, near = _nearest(found, known.paths)
    examples = f"e.g. {show(one, SHOWN)}; {known.source_has} e.g. {near[:SHOWN]}"
    failure = f"{about} ({examples}): {IDS.get(kind, 'check its ids')}"
    return AnswerCheck(foreign, sanitize(failure))


def _nearest(found: Mapping[str, object], known: Mapping[str, str]) -> tuple[str, str]:
    """Return a result and a known document that are called alike, or else any two."""
    named = {_stem(one): one for one in known}
    pairs = ((one, named[_stem(one)]) for one in found if _stem(one) in named)
    return next(pairs, (next(iter(found)), next(iter(known))))


def _stem(name: str) -> str:
    """Return the last part of a path or address, without its ending."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return last.rpartition(".")[0] or last
