"""One configuration over one corpus, and the pieces of work that it takes."""

from dataclasses import dataclass, replace

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.route import Route
from assay.records import Configuration
from assay.records.fingerprint import fingerprint_of
from assay.records.run_settings import RunSettings
from assay.searches.configuration.configuration import describe
from assay.searches.searcher import Searcher

__all__ = ["REPLAYED", "Trial", "beginnings", "is_swept", "named", "sweep_key"]

REPLAYED = {"fuse", "threshold", "collapse", "cut"}  # what follows from lists that were retrieved


@dataclass(frozen=True, eq=False)
class Trial:
    """One configuration over one corpus, built for the nth time.

    ``build`` is the key of its index, if it is one of ours, and ``search`` that of the whole
    search, if it is asked as a whole; else its queries take a ``route``. What is ``swept`` is
    replayed from what another trial retrieves: the route is then that of this one.
    """

    chosen: Configuration
    collection: OpenCollection
    number: int = 0
    build: str = ""
    search: str = ""
    route: Route | None = None
    swept: tuple[object, ...] = ()

    @property
    def keys(self) -> list[str]:
        """The pieces of work that it takes."""
        nodes = [node.key for node in self.route.all] if self.route else []
        return [*filter(None, [self.build, self.search]), *nodes]


def named(
    trial: Trial, opened: OpenIndexes | None, *, settings: RunSettings, benchmark: str
) -> Trial:
    """Name the index of a trial by its content; what others search is asked by one benchmark."""
    parts = [str(trial.number)] if trial.number else []
    parts += [benchmark] if settings.fresh else []
    if opened is not None and trial.chosen.system is None:
        return replace(
            trial, build=opened.key(trial.collection, trial.chosen, salt="/".join(parts))
        )
    about = (describe(trial.chosen), trial.collection.name, trial.collection.asked, trial.number)
    return replace(trial, search=fingerprint_of("search", benchmark, *about))


def beginnings(
    trial: Trial, opened: OpenIndexes, *, settings: RunSettings, benchmark: str
) -> dict[str, str]:
    """Name what all stages of a trial depend on, and what the vectors of its queries do."""
    fresh = benchmark if settings.fresh else ""
    model = opened.embedder(trial.chosen)
    about = (model.fingerprint if model else "", trial.collection.asked, trial.number, fresh)
    return {
        "origin": fingerprint_of(trial.build, trial.collection.asked, *settings.load),
        "embedding": fingerprint_of("embed", opened.code, *about, *settings.load),
    }


def is_swept(searcher: Searcher) -> bool:
    """Tell whether all that follows on retrieval can be replayed in memory."""
    return {step.name for step in searcher.pipeline.refine} <= REPLAYED


def sweep_key(build: str, chosen: Configuration, searcher: Searcher) -> tuple[object, ...]:
    """Name what is retrieved: configurations that share it differ only in what is replayed.

    A shorter list is the beginning of a longer one, unless documents are made of a number of
    chunks, or an approximate index is asked.
    """
    stages = searcher.stages
    fixed = stages.joined or stages.approximate
    retrieved = (chosen.search, chosen.lexical, chosen.lexical_unit, chosen.dense, chosen.precision)
    how = (chosen.depth, chosen.collapse) if fixed else ()
    return (build, *retrieved, *how)
