"""The effect of coherence: every method beside the cosines, and figures of its receipts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.records.interval import Interval

__all__ = [
    "Correlation",
    "Distribution",
    "Method",
    "Relation",
    "Structure",
    "Target",
    "Uplift",
    "UpliftTrial",
    "UpliftTrials",
]

ALPHA = 0.05  # where all differences are equal their interval has no width, and p decides
MARGIN = 0.02  # the share of a score that nobody would notice: what loses less does as well


@dataclass(frozen=True, slots=True)
class Uplift:
    """What one ranking gains over another, paired by query; above 0 is always better.

    ``interval`` is Student's, ``p`` belongs to the randomisation test, and ``relative`` is the
    share of the baseline (None where that is 0).
    """

    queries: int
    baseline: float
    score: float
    difference: float
    interval: Interval
    relative: float | None
    p: float
    wins: int
    ties: int
    losses: int

    @property
    def gains(self) -> bool:
        """Whether a gain is shown: the whole interval is above 0, and chance is not as good."""
        return self.interval.low > 0 and (self.interval.high > self.interval.low or self.p < ALPHA)

    @property
    def loses(self) -> bool:
        """Whether a loss is shown: the whole interval is below 0, and chance is not as bad."""
        return self.interval.high < 0 and (self.interval.high > self.interval.low or self.p < ALPHA)

    @property
    def shown(self) -> str:
        """What is shown of one against the other: better, worse, alike or unknown.

        Alike: the other loses less than 2% of the score, which its interval must say, too.
        """
        if self.gains or self.loses:
            return "better" if self.gains else "worse"
        same = self.interval.high > self.interval.low or not self.wins + self.losses
        return "alike" if same and self.interval.high < MARGIN * abs(self.score) else "unknown"


@dataclass(frozen=True, slots=True)
class Method:
    """One way of ranking the candidates: its scores by metric, and its uplift over the cosines.

    ``uplift`` is empty for the cosines themselves. ``redundancy`` is the mean over queries of that
    of the first k; ``latency_ms`` has p50 and p95 where they were measured.
    """

    name: str
    scores: Mapping[str, float]
    intervals: Mapping[str, Interval]
    uplift: Mapping[str, Uplift] = field(default_factory=dict)
    redundancy: float | None = None
    latency_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a figure is spread over queries; ``missing`` counts the queries that do not have it.

    ``counts[i]`` of the values lie from ``edges[i]`` to ``edges[i + 1]``.
    """

    values: int
    missing: int
    mean: float
    least: float
    most: float
    percentiles: Mapping[str, float]
    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient between -1 and 1; None where a side does not vary, or there are too few."""

    r: float | None
    interval: Interval | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Relation:
    """How a figure of the receipts goes with the uplift of a method, and what that means.

    ``low`` and ``high`` are the uplift of the queries up to and above the figure's median.
    """

    queries: int
    spearman: Correlation
    pearson: Correlation
    low: Uplift | None
    high: Uplift | None
    reading: str
    method: str = "coherence_open"


@dataclass(frozen=True, slots=True)
class Target:
    """One aim of the preset; ``met`` is None where it was not measured."""

    aim: str
    value: float | None
    met: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """What coherence did over all queries, beside its controls.

    Scores and uplift are over the ``queries`` that were both studied and judged; gates, fallbacks
    and distributions over all ``studied`` ones. ``returned`` is the method whose order the run
    returns: coherence or coherence_mmr. ``against`` is its uplift over each control, and
    ``against_open`` that of coherence_open over controls without gates. ``parts`` tells, for
    ungated, gated, easy, low_impact and fallback queries apart, the uplift of coherence, of what
    is returned, and of coherence_open: what it would have been without the gates. The rate of
    fallbacks leaves forced ones out. ``redundancy`` is the mean before and after diversifying, with
    its uplift (a fall counts as above 0). ``suggested_alpha`` is a median over the queries.
    """

    primary: str
    queries: int
    studied: int
    methods: tuple[Method, ...]
    against: Mapping[str, Uplift]
    gates: Mapping[str, int]
    fallbacks: Mapping[str, int]
    rates: Mapping[str, float | None]
    parts: Mapping[str, Mapping[str, Uplift]]
    distributions: Mapping[str, Distribution]
    redundancy: Uplift | None
    diversified: int
    relations: Mapping[str, Relation]
    suggested_alpha: float | None
    targets: Mapping[str, Target]
    verdict: str
    notes: tuple[str, ...] = ()
    returned: str = "coherence"
    against_open: Mapping[str, Uplift] = field(default_factory=dict)

    def method(self, name: str) -> Method | None:
        """Return a method by its name, None if it was not studied."""
        return next((one for one in self.methods if one.name == name), None)

    def beside(self, control: str) -> str:
        """What is shown against a control: better, gated, worse, alike or unknown.

        ``gated`` is who is better than a control without gates, but by its own gates alone.
        """
        shown = self.against[control].shown
        free = self.against_open.get(control)
        return "gated" if shown == "better" and free is not None and not free.gains else shown


@dataclass(frozen=True, slots=True, eq=False)
class UpliftTrial:
    """One cell of the synthetic benchmark: how noisy queries are, how loose clusters."""

    noise: float
    spread: float
    structure: Structure


@dataclass(frozen=True, slots=True, eq=False)
class UpliftTrials:
    """The synthetic benchmark: what was planted, and what each cell showed."""

    settings: Mapping[str, Any]
    trials: tuple[UpliftTrial, ...]
    verdict: str
    notes: tuple[str, ...] = ()
