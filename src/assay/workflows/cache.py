"""Cache: a workspace -> what it holds, and less of it when it is too much."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
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
    """Return what a workspace stores; nothing is changed."""
    limit, place = cache_limit(), locate(given=workspace)
    return Cache(place.folder, usage(place), limit)


def prune_cache(
    *, limit: str | int | None = None, workspace: str | Path | None = None
) -> PruneResult:
    """Remove the least recently used data until the rest is within the limit.

    ``limit`` is in bytes or a text such as "500MB"; default: ASSAY_CACHE_LIMIT, or 5 GB.
    """
    allowed = cache_limit(limit)
    return prune(locate(given=workspace), allowed)


def clear_cache(
    kinds: Sequence[str] = REBUILT, *, workspace: str | Path | None = None
) -> tuple[ClearResult, ...]:
    """Remove all data of these kinds without confirmation; reports only if listed."""
    wrong = [kind for kind in kinds if kind not in KINDS]
    if wrong:
        hint = did_you_mean(str(wrong[0]), KINDS, otherwise=f"available: {', '.join(KINDS)}")
        raise InputError(f"unknown kind {quote_value(wrong[0])}", hint=hint)
    return clear(locate(given=workspace), kinds)
