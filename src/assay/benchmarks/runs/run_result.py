"""A run, and what comparing it with others takes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.records import (
    Evaluation,
    Rankings,
    Run,
)
from assay.text.count_noun import count_noun

__all__ = ["TIES", "RunResult", "tie_notes"]

TIES = "results with equal scores keep their order (score saved runs with --ties order)"


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """A run, with what comparing it takes: None where no judged query has an answer to score.

    ``unknown`` are documents among its answers that the corpus does not have. ``stopped`` is for
    one that a race stopped, failed or not, what it scored by then on each query by the primary.
    """

    run: Run
    rankings: Rankings | None = None
    evaluation: Evaluation | None = None
    unknown: frozenset[str] = frozenset()
    stopped: Mapping[str, float] | None = None


def tie_notes(rankings: Rankings) -> Iterator[str]:
    """Say of one run how many of its neighbours have equal scores."""
    if rankings.tied:
        yield f"{TIES}: {count_noun(rankings.tied, 'result')}"
