"""How a formula becomes a metric: it is given its kind."""

from collections.abc import Callable
from typing import Literal, cast

from assay.records import Formula, Kind, PerQuery

__all__ = ["metric"]


def metric(
    *,
    cutoff: Literal["required", "optional", "none"] = "optional",
    graded: bool = False,
    levels: bool = True,
    ideal: bool = True,
    measures: Literal["relevance", "judgments"] = "relevance",
    higher_is_better: bool = True,
    parameters: dict[str, float] | None = None,
    shown: tuple[str, ...] = (),
) -> Callable[[Callable[..., PerQuery]], Formula]:
    """Declare what holds for a metric; the first line of its docstring becomes its summary."""

    def declare(formula: Callable[..., PerQuery]) -> Formula:
        summary = (formula.__doc__ or "").strip().partition("\n")[0]
        kind = Kind(
            summary=summary,
            cutoff=cutoff,
            graded=graded,
            levels=levels,
            ideal=ideal,
            measures=measures,
            higher_is_better=higher_is_better,
            parameters=parameters or {},
            shown=shown,
        )
        formula.kind = kind  # type: ignore[attr-defined]
        return cast("Formula", formula)

    return declare
