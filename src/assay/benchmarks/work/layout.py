"""One configuration over one corpus, and the pieces of work that it takes."""

from dataclasses import dataclass, replace

from assay.benchmarks.collections.open_collections import Site
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.route import Route
from assay.records import Configuration
from assay.records.run_settings import Settings
from assay.searches.configuration.configuration import describe
from assay.searches.parts import fingerprint_of

__all__ = ["Trial", "beginnings", "named"]


@dataclass(frozen=True, eq=False)
class Trial:
    """One configuration over one corpus, built for the nth time.

    ``build`` is the key of its index, if it is one of ours, and ``search`` that of the whole
    search, if it is asked as a whole; else its queries take a ``route``. What is ``swept`` is
    replayed from what another trial retrieves: the route is then that of this one.
    """

    chosen: Configuration
    site: Site
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


def named(trial: Trial, opened: OpenIndexes | None, *, settings: Settings, benchmark: str) -> Trial:
    """Name the index of a trial by its content; what others search is asked by one benchmark."""
    parts = [str(trial.number)] if trial.number else []
    parts += [benchmark] if settings.fresh else []
    if opened is not None and trial.chosen.system is None:
        return replace(trial, build=opened.key(trial.site, trial.chosen, salt="/".join(parts)))
    about = (describe(trial.chosen), trial.site.name, trial.site.asked, trial.number)
    return replace(trial, search=fingerprint_of("search", benchmark, *about))


def beginnings(
    trial: Trial, opened: OpenIndexes, *, settings: Settings, benchmark: str
) -> dict[str, str]:
    """Name what all stages of a trial depend on, and what the vectors of its queries do."""
    fresh = benchmark if settings.fresh else ""
    model = opened.embedder(trial.chosen)
    about = (model.fingerprint if model else "", trial.site.asked, trial.number, fresh)
    return {
        "origin": fingerprint_of(trial.build, trial.site.asked, *settings.load),
        "embedding": fingerprint_of("embed", opened.code, *about, *settings.load),
    }
