"""What two runs differ by, metric by metric, and how sure that is."""

from dataclasses import dataclass, field

__all__ = ["Comparison", "Interval"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that holds the true value with the stated confidence.

    ``note`` says what a reader must know, e.g. that all values were equal.
    """

    low: float
    high: float
    level: float = 0.95
    note: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric of one candidate against the baseline, paired by query.

    ``p`` belongs to the randomisation test; ``tests`` holds the p of each other test by its name.
    ``sd`` is the spread of the differences, ``standardised`` their mean over it. ``holes`` bounds
    the difference over every grading of the unjudged documents; None where no exact bound is known.
    """

    metric: str
    queries: int
    baseline: float
    candidate: float
    baseline_interval: Interval
    candidate_interval: Interval
    difference: float
    interval: Interval
    p: float
    p_corrected: float
    standardised: float
    wins: int
    ties: int
    losses: int
    smallest_detectable: float
    sd: float = 0.0
    holes: tuple[float, float] | None = None
    tests: dict[str, float] = field(default_factory=dict)
