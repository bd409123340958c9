"""Tell whether MMR had anything to do, of a search that was asked for it."""

from collections.abc import Callable, Iterator
from typing import Any

from assay.engines.redundancy import redundancy
from assay.engines.search import Searched
from assay.records import Ints, MmrSettings, Vectors

__all__ = ["diversity", "never_acts", "not_acted"]

SAME = "results are as they were: MMR acts"
HINT = "mmr.always=true lets it act"


def diversity(
    searched: Searched, settings: MmrSettings | None, vectors: Callable[[Ints], Vectors]
) -> dict[str, Any] | None:
    """Say whether the first k were chosen anew, and how alike they were; None without MMR."""
    stages = [one.stage for one in searched.traced]
    if settings is None or "diversify" not in stages:
        return None
    at = stages.index("diversify")
    before = searched.traced[at - 1].found.rows
    k = min(settings.k, len(before))
    return {
        "acted": searched.traced[at].found.kind == "mmr",
        "k": k,
        "redundancy": redundancy(vectors(before[:k])),
        "min_k": settings.min_k,
        "min_redundancy": settings.min_redundancy,
        "always": settings.always,
    }


def never_acts(settings: MmrSettings) -> Iterator[str]:
    """Tell of settings that leave every query as it is."""
    if not settings.always and settings.k <= settings.min_k:
        yield f"{SAME} for k above {settings.min_k} (here k is {settings.k}); {HINT}"


def not_acted(told: dict[str, Any] | None, settings: MmrSettings | None) -> Iterator[str]:
    """Tell of a query that was left as it is, if others would not be."""
    if told is None or settings is None or told["acted"]:
        return
    if settings.always or any(never_acts(settings)):
        return
    alike = "-" if told["redundancy"] is None else f"{told['redundancy']:.2f}"
    needs = f"for k above {told['min_k']} (here {told['k']})"
    yield f"{SAME} {needs} and redundancy above {told['min_redundancy']:g} (here {alike}); {HINT}"
