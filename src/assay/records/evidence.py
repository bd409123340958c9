"""What a test, a selection or a set of scores has shown, in figures."""

from dataclasses import dataclass

from assay.records.arrays import Bools, Floats, Ints

__all__ = ["BestSet", "CorrectedGain", "Effect", "NonInferiority", "RaceStanding"]


@dataclass(frozen=True, slots=True)
class Effect:
    """How large a paired difference is.

    ``sd`` is the spread of one query's difference: its square over the number of queries is the
    variance of ``difference``, also when collections are weighted equally; infinite when a single
    query hides it. ``standardised`` is ``difference / sd`` (0 when every difference is 0, infinite
    when all are equal otherwise). ``flip_sd`` is the spread that counts for sign flips: larger than
    ``sd`` where collections differ, since flips around 0 count their differences, too.
    """

    difference: float
    sd: float
    flip_sd: float
    standardised: float
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class NonInferiority:
    """Whether a candidate is non-inferior within the margin, with the one-sided lower end."""

    noninferior: bool
    p: float
    low: float
    margin: float


@dataclass(frozen=True, slots=True)
class BestSet:
    """Which configurations are not significantly different from the best, and the p of each."""

    members: Bools
    p: Floats
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class CorrectedGain:
    """The winner's gain as observed, and as expected on new queries; None if unknown."""

    winner: int
    observed: float
    corrected: float | None
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class RaceStanding:
    """How a race stands, configuration by configuration.

    ``after`` counts the queries after which each was stopped, 0 where it was not. ``e_values`` are
    the largest evidence reached against its being the best (infinite: it cannot be), and ``by`` is
    the column of the leader when it was stopped, or now.
    """

    after: Ints
    e_values: Floats
    by: Ints
