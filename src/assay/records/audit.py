"""The audit of a dataset: findings, what it can detect, and how far judges agree."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.records.interval import Interval
from assay.records.table import Table

__all__ = ["Agreement", "Audit", "AuditSettings", "Coefficient", "Finding"]


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """The thresholds of the checks.

    ``near`` is the fraction of common words from which two queries are near-duplicates. A query is
    leaked if all of it, and at least ``leaked_whole`` words, occurs in a relevant document; or if
    ``leaked_share`` of it does, and at least ``leaked_words`` words. A category with fewer than
    ``category_queries`` queries is too small for conclusions.
    """

    near: float = 0.8
    leaked_whole: int = 4
    leaked_share: float = 0.8
    leaked_words: int = 6
    category_queries: int = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    ``said`` tells it in a sentence, ``brief`` in two or three words for a headline (empty where
    nothing is worth a headline). ``rows`` are the cases, of which people see the keys named in
    ``shown``, or ``table`` instead; ``figures`` is what was counted, and ``listed`` the name of the
    rows beside it. ``defects`` counts what spoils a measurement; ``noted`` is worth a line
    even where there is no case; ``undone`` says why the check could not look.
    """

    said: str = ""
    brief: str = ""
    rows: tuple[Mapping[str, Any], ...] = ()
    shown: tuple[str, ...] = ()
    table: Table | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    listed: str = ""
    defects: int = 0
    noted: str = ""
    undone: str = ""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement; ``value`` is None where it is undefined, and ``note`` says why.

    ``interval`` is None where no standard error is known.
    """

    value: float | None
    interval: Interval | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two judges agree on the judgments that both gave.

    ``confusion`` counts pairs of grades (first judge's, then the second's). ``only_first`` and
    ``only_second`` count judgments that the other did not give. ``disagreements`` lists the largest
    first.
    """

    judges: tuple[str, str]
    pairs: int
    equal: int
    only_first: int
    only_second: int
    grades: tuple[int, ...]
    confusion: tuple[tuple[int, ...], ...]
    coefficients: Mapping[str, Coefficient]
    disagreements: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """The audit of a dataset: whether it can answer a question before anything is run.

    ``smallest_detectable``, ``power`` and ``queries_needed`` are keyed by the spread of paired
    differences, as ``sd=0.2``; an entry is None where no difference between 0 and 1 can be
    detected, e.g. with a single query. ``spread`` is the one that a headline uses,
    and ``measured`` whether it comes from runs.
    """

    dataset: str
    queries: int
    judgments: int
    findings: Mapping[str, Finding]
    smallest_detectable: Mapping[str, Any]
    power: Mapping[str, Mapping[str, float]]
    queries_needed: Mapping[str, Mapping[str, int]]
    spread: float = 0.2
    measured: bool = False
    metric: str = "ndcg@10"
    corpus: str = ""
    documents: int = 0
    agreement: Agreement | None = None
    notes: tuple[str, ...] = ()

    @property
    def defects(self) -> int:
        """Count what must be repaired before the dataset can be trusted."""
        return sum(finding.defects for finding in self.findings.values())
