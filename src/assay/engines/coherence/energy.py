"""What it costs candidates to be where they are, term by term, and what the query's pull saves."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.engines.coherence.solve import CoherenceSolution
from assay.records import CoherenceSettings, Floats

__all__ = ["Drop", "condition_bound", "energy", "fall"]

ROUNDING = 1e-12  # of the baseline's energy: a fall that is smaller is none


@dataclass(frozen=True, slots=True, eq=False)
class Drop:
    """The energies of baseline and solution, and the signed drop of each candidate by term."""

    baseline: float
    solution: float
    items: Mapping[str, Floats]

    @property
    def total(self) -> float:
        """How far the energy falls: the solve never raises it, so a rise is rounding, and is 0.

        Rounding is below 1e-6 H(Qb) unless smoothing is 1e10 times ground and more.
        """
        fallen = self.baseline - self.solution
        return fallen if fallen > ROUNDING * (self.baseline + ROUNDING) else 0.0

    @property
    def terms(self) -> dict[str, float]:
        """How far each term falls; one of them may rise."""
        return {name: float(drops.sum()) for name, drops in self.items.items()}

    @property
    def coherence_fraction(self) -> float | None:
        """The share of the coherence term, which may lie below 0 and above 1."""
        return self.terms["coherence"] / self.total if self.total else None


def fall(
    vectors: Floats, query: Floats, solved: CoherenceSolution, settings: CoherenceSettings
) -> Drop:
    """Compare the energy of the solution with that of the baseline, not of the vectors."""
    before, after = (
        energy(one.values, vectors, query, solved, settings)
        for one in (solved.baseline, solved.solution)
    )
    return Drop(
        baseline=_total(before),
        solution=_total(after),
        items={name: before[name] - after[name] for name in before},
    )


def energy(
    places: Floats,
    vectors: Floats,
    query: Floats,
    solved: CoherenceSolution,
    settings: CoherenceSettings,
) -> dict[str, Floats]:
    """Return the terms of H for each candidate.

    coherence_i = lc q_i.(LQ)_i, anchor_i = lq b_i |q_i - y|^2, ground_i = lg |q_i - x_i|^2.
    """
    return {
        "coherence": settings.smoothing * _dot(places, solved.laplacian @ places),
        "anchor": settings.anchor * solved.anchor * _squares(places - query),
        "ground": settings.ground * _squares(places - vectors),
    }


def condition_bound(anchor: Floats, settings: CoherenceSettings) -> float:
    """Bound the condition number of the system from above: (lg + 2 lc + lq max b) / lg.

    The eigenvalues of a normalised Laplacian lie in 0..2 (Chung 1997, lemma 1.7).
    """
    largest = settings.ground + 2 * settings.smoothing + settings.anchor * float(anchor.max())
    return largest / settings.ground


def _total(terms: Mapping[str, Floats]) -> float:
    """Sum up: no energy is below 0, which only the rounding of q.(LQ) could make it."""
    return max(float(sum(term.sum() for term in terms.values())), 0.0)


def _dot(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", left, right))


def _squares(values: Floats) -> Floats:
    return _dot(values, values)
