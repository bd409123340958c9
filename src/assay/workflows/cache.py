"""Cache: a workspace -> what it holds, and less of it when it is too much."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.workspace.cache_limit import cache_limit
from assay.workspace.clear import KINDS, REBUILT, ClearResult, clear
from assay.workspace.locate import locate
from assay.workspace.prune import PruneResult, prune
from assay.workspace.usage import UsagePart, usage

__all__ = ["Cache", "cache", "clear_cache", "prune_cache"]


@dataclass(frozen=True, slots=True)
class Cache:
    """What a workspace holds, and how many bytes of it may be kept."""

    workspace: Path
    parts: tuple[UsagePart, ...]
    limit: int


def cache(*, workspace: str | Path | None = None) -> Cache:
    """Look at what a workspace holds; nothing is changed."""
    limit, place = cache_limit(), locate(given=workspace)
    return Cache(place.folder, usage(place), limit)


def prune_cache(
    *, limit: str | int | None = None, workspace: str | Path | None = None
) -> PruneResult:
    """Remove what was not used for longest until the rest is within the limit.

    ``limit`` is in bytes or like "500MB"; without it ASSAY_CACHE_LIMIT counts, or else 5 GB.
    """
    allowed = cache_limit(limit)
    return prune(locate(given=workspace), allowed)


def clear_cache(
    kinds: Sequence[str] = REBUILT, *, workspace: str | Path | None = None
) -> tuple[ClearResult, ...]:
    """Remove all of these kinds, without asking; reports only if they are named."""
    wrong = [kind for kind in kinds if kind not in KINDS]
    if wrong:
        hint = f"it can be {', '.join(KINDS)}"
        raise InputError(f"there is nothing called {wrong[0]!r} to clear", hint=hint)
    return clear(locate(given=workspace), kinds)
