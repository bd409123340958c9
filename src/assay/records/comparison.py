"""What two runs differ by, metric by metric, and how sure that is."""

from dataclasses import dataclass, field

from assay.records.interval import Interval

__all__ = ["Comparison"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric of one candidate against the baseline, paired by query.

    ``p`` is that of the randomisation test; ``tests`` holds the p of each other test by its name.
    ``sd`` is the standard deviation of the differences, ``standardised`` their mean divided by it.
    Wins are queries that improved: for a metric where lower is better, those whose score fell.
    ``holes`` bounds the difference over all possible grades of the unjudged documents; None if no
    exact bound is known, and then ``unbounded`` is whether there are unjudged documents at all.
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
    unbounded: bool = False
    higher_is_better: bool = True
    tests: dict[str, float] = field(default_factory=dict)

    @property
    def better(self) -> bool:
        """Whether the candidate's mean is the better one."""
        return self.difference > 0 if self.higher_is_better else self.difference < 0
