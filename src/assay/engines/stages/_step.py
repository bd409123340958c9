"""A stage that also answers for what it did: scores at any depth, matched terms, lost documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from assay.engines.rank_rows import best_of
from assay.records import Floats, FoundRows, Ints, Loss, SearchInput, StructureStudy

__all__ = ["Lose", "Step", "left_out"]

Lose = Callable[[SearchInput, Sequence[FoundRows], FoundRows, Ints], Loss]
"""Says why rows that came in (or exist) did not go on: the query, what came in and went out."""


def left_out(
    _asked: SearchInput, before: Sequence[FoundRows], _kept: FoundRows, rows: Ints
) -> Loss:
    """Say no more than that rows were left out, with the rank that they came with."""
    place = best_of(before[0], rows) if before else None
    return Loss("", "left out", None if place is None else place + 1)


@dataclass(frozen=True, eq=False)
class Step:
    """One stage of a search, as ``assay.records.Stage`` asks, and what explains it.

    ``identify`` gives the fingerprint when somebody asks. The next five are those of a stage that
    retrieves: the scores of any rows, what matched in one row, mean and standard deviation of the
    scores of all rows, the share of the query that rows hold, and whether it knows best. ``study``
    belongs to a stage that ranks by structure: it gives the account of what that did, and what
    other ways of ranking would have done.
    """

    name: str
    identify: Callable[[], str]
    run: Callable[[SearchInput, Sequence[FoundRows]], FoundRows]
    lose: Lose = left_out
    needs_vector: bool = False
    scores: Callable[[SearchInput, Ints], Floats] | None = None
    terms: Callable[[SearchInput, int], Sequence[Mapping[str, object]]] | None = None
    spread: Callable[[SearchInput], tuple[float, float]] | None = None
    coverage: Callable[[SearchInput, Ints], Floats] | None = None
    decisive: Callable[[SearchInput], bool] | None = None
    study: Callable[[SearchInput, Sequence[FoundRows]], StructureStudy] | None = None

    @cached_property
    def fingerprint(self) -> str:
        """Change whenever the output may."""
        return self.identify()

    def __call__(self, asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        """Answer a query, given what the stages before found."""
        return self.run(asked, found)
