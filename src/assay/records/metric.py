"""A metric as a value: its text reads back, and it carries what a reader must know of it."""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from assay.records.arrays import PerQuery
from assay.records.judged import JudgedRankings

__all__ = ["TOKENS", "Formula", "Kind", "Metric"]

TOKENS = "tokens"  # behind a cut-off that is a number of tokens, as in recall@4000tokens


@dataclass(frozen=True, slots=True)
class Kind:
    """What holds for a metric at any cut-off.

    ``cutoff`` says whether ``@k`` must, may or must not be given; ``parameters`` their defaults;
    ``shown`` those that the name contains even at their default; ``levels`` whether ``rel=`` moves
    the lowest relevant grade; ``measures`` what it tells of: how good the shown documents are, or
    how well they are known; ``ideal`` whether the ideal ranking scores the best value there is.
    """

    summary: str
    cutoff: Literal["required", "optional", "none"] = "optional"
    graded: bool = False
    levels: bool = True
    ideal: bool = True
    measures: Literal["relevance", "judgments"] = "relevance"
    higher_is_better: bool = True
    bounds: tuple[float, float] = (0.0, 1.0)
    parameters: dict[str, float] = field(default_factory=dict)
    shown: tuple[str, ...] = ()


class Formula(Protocol):
    """The arithmetic of a metric, with its kind."""

    kind: Kind

    def __call__(self, judged: JudgedRankings, k: int | None, **parameters: float) -> PerQuery:
        """Score every query."""
        ...


@dataclass(frozen=True)
class Metric:
    """A formula at a cut-off, with its parameters and its lowest relevant grade.

    The cut-off is ``k`` results, or what fits into a number of ``tokens``.
    """

    name: str
    formula: Formula
    k: int | None = None
    parameters: tuple[tuple[str, float], ...] = ()
    level: int = 1
    tokens: int | None = None

    @property
    def kind(self) -> Kind:
        """What holds for this metric at any cut-off."""
        return self.formula.kind

    def score(self, judged: JudgedRankings) -> PerQuery:
        """Score every query of a judged run."""
        level = self.threshold(judged.factor)
        judged = judged if self.tokens is None else judged.within_tokens(self.tokens, str(self))
        return self.formula(judged.at_level(level), self.k, **dict(self.parameters))

    def threshold(self, factor: int) -> int:
        """Return the lowest relevant grade: ``rel`` is a rating, and grades are ratings x factor.

        Without ``rel`` whatever is above 0 is relevant.
        """
        return self.level if self.level == 1 else self.level * factor

    def __str__(self) -> str:
        defaults, shown = self.kind.parameters, self.kind.shown
        given = [f"rel={self.level}"] if self.level != 1 else []
        given += [f"{n}={_number(v)}" for n, v in self.parameters if v != defaults[n] or n in shown]
        arguments = f"({','.join(given)})" if given else ""
        cutoff = f"@{self.tokens}{TOKENS}" if self.tokens is not None else f"@{self.k}"
        return f"{self.name}{arguments}{'' if self.tokens is self.k is None else cutoff}"


def _number(value: float) -> str:
    """Write a number as short as it can be and still read back."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
