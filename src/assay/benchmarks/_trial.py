"""One configuration over one corpus, and the pieces of work that it takes."""

from dataclasses import dataclass

from assay.benchmarks.plan import Route
from assay.benchmarks.sites import Site
from assay.records import Configuration

__all__ = ["Trial"]


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
