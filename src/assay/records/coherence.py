"""How candidates are ranked by their structure: the settings of coherence and of diversity."""

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["CoherenceSettings", "MmrSettings"]


@dataclass(frozen=True, slots=True)
class CoherenceSettings:
    """What coherence ranking can be told; what is left out is as DEFINITIONS has it.

    ``alpha`` is the share of the coherence drop in the score. Where the first cosine is more than
    ``gap_margin`` above the tenth, or the energy falls by less than ``min_drop``, the order of the
    cosines stays. ``ground``, ``smoothing`` and ``anchor`` weigh the three terms of the energy.
    ``graph`` is exact, or approximate: then neighbours are looked for along ``directions`` random
    directions, and a query whose graph shares less than ``min_overlap`` of the exact edges is
    ranked with the exact one (0: nobody looks).
    """

    alpha: float = 0.1
    gap_margin: float = 0.15
    min_drop: float = 0.01
    max_iterations: int = 20
    tolerance: float = 1e-3
    force_fallback: bool = False
    use_mmr: bool = False
    neighbours: int = 5
    ground: float = 1.0
    smoothing: float = 0.5
    anchor: float = 4.0
    graph: str = "exact"
    directions: int = 32
    min_overlap: float = 0.25

    def in_effect(self) -> dict[str, Any]:
        """Return all settings but the number of directions, where an exact graph needs none."""
        told = asdict(self)
        if self.graph == "exact":
            del told["directions"]
        return told


@dataclass(frozen=True, slots=True)
class MmrSettings:
    """What diversification can be told.

    ``relevance`` is lambda: how much of the say the score has, the rest goes to being different.
    The first ``k`` are chosen out of ``pool`` candidates (None: five times k), only where k is
    above ``min_k`` and the redundancy of the first k above ``min_redundancy``; or ``always``.
    """

    relevance: float = 0.3
    k: int = 10
    pool: int | None = None
    min_k: int = 8
    min_redundancy: float = 0.35
    always: bool = False
