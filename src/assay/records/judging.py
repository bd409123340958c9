"""A sitting of a judge: what is shown of a document, what was answered, and what is still open."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.records.audit import Agreement

__all__ = [
    "Ask",
    "Card",
    "Contest",
    "GivenGrade",
    "JudgingResult",
    "JudgingView",
    "Pair",
    "Seen",
    "Sitting",
    "View",
]

Pair = tuple[str, str]
"""A query and a document, by key and id."""
View = Literal["few", "more", "all"]
EMPTY = "(the document is empty)"


@dataclass(frozen=True, slots=True)
class Card:
    """What a judge is shown of a document: neither the runs that found it, nor where.

    ``collection`` is the dataset of the query, where several ask about different corpora. ``empty``
    is shown in place of a text.
    """

    query: str
    text: str
    document: str
    title: str = ""
    category: str = ""
    lines: tuple[str, ...] = ()
    collection: str = ""
    empty: str = EMPTY


@dataclass(frozen=True, slots=True)
class GivenGrade:
    """A grade for a query and a document, None where it was skipped, and the view it came from."""

    pair: Pair
    grade: int | None
    view: View = "few"


@dataclass(frozen=True, slots=True)
class Sitting:
    """How far a judge is: what waits, in this order, and what was answered, the last at the end.

    ``view`` tells how much of the first document that waits is looked at, ``said`` what the last
    key led to, where that needs words. It is over when the judge quits, or after ``most`` grades.
    ``before`` counts what was graded in earlier sittings.
    """

    scale: int
    waiting: tuple[Pair, ...] = ()
    answered: tuple[GivenGrade, ...] = ()
    view: View = "few"
    help: bool = False
    over: bool = False
    said: str = ""
    most: int | None = None
    before: int = 0

    @property
    def graded(self) -> int:
        """How many grades were given."""
        return sum(one.grade is not None for one in self.answered)


@dataclass(frozen=True, slots=True)
class Contest:
    """Two runs that are compared: the ends of the difference, whatever the unjudged are worth.

    ``documents`` counts the unjudged that can move it; ``undecided`` tells that the report's
    verdict on it is open. The ends are None where the metric has no rule for them.
    """

    baseline: str
    candidate: str
    documents: int
    low: float | None = None
    high: float | None = None
    undecided: bool = False

    @property
    def open(self) -> bool:
        """Whether some grading of the unjudged documents would turn it round."""
        if self.low is None or self.high is None:
            return self.documents > 0
        return self.low < self.high and self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True)
class JudgingView:
    """All that a judge is shown at once; so many documents are ``left``, at most, to be asked."""

    sitting: Sitting
    card: Card
    left: int
    contests: tuple[Contest, ...] = ()


Ask = Callable[[JudgingView], str]
"""Shows a document to a judge and returns the key that was pressed; ``q`` ends the sitting."""

Seen = Callable[[Card, View], tuple[int, int] | None]
"""Tells which lines of a document a judge saw who had this view of it: the first and the last."""


@dataclass(frozen=True, slots=True)
class JudgingResult:
    """The result of a judging session: where the grades are, and what is open ``after`` it.

    ``before`` and ``after`` have the same comparisons. ``agreement`` is that of two judges. For
    several datasets ``output`` is the folder, ``outputs`` has the file of each, and ``agreements``
    the agreement on each, since their scales may differ. ``graded_before`` counts the grades of
    earlier sessions; ``is_own`` is whether the file is the benchmark's dataset. ``report`` is the
    report of the documents, by its id and date.
    """

    output: str
    graded: int
    skipped: int = 0
    left: int = 0
    before: tuple[Contest, ...] = ()
    after: tuple[Contest, ...] = ()
    agreement: Agreement | None = None
    notes: tuple[str, ...] = ()
    outputs: Mapping[str, str] = field(default_factory=dict)
    agreements: Mapping[str, Agreement] = field(default_factory=dict)
    graded_before: int = 0
    is_own: bool = False
    report: str = ""
