"""A stage that also answers for what it did: scores at any depth, matched terms, lost documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from assay.engines.rank_rows import best_of
from assay.records import Floats, FoundRows, Ints, Loss, SearchInput, StructureStudy

__all__ = ["Lose", "Step", "left_out"]

Lose = Callable[[SearchInput, Sequence[FoundRows], FoundRows, Ints], Loss]
"""Explains why a stage dropped rows, given the query, its input, its output and the rows."""


def left_out(
    _asked: SearchInput, before: Sequence[FoundRows], _kept: FoundRows, rows: Ints
) -> Loss:
    """Report that rows were dropped, and the rank that they had before."""
    place = best_of(before[0], rows) if before else None
    return Loss("", "dropped", None if place is None else place + 1)


@dataclass(frozen=True, eq=False)
class Step:
    """One stage of a search, as defined by ``assay.records.Stage``, and how to explain it.

    ``identify`` computes the fingerprint. The next five belong to retrieval stages: the scores of
    any rows, the terms that matched in a row, mean and standard deviation of the scores of all
    rows, the fraction of the query that rows cover, and whether this stage decides. ``study``
    belongs to the coherence stage: it explains what the stage did, and what other rankings would
    have returned.
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
