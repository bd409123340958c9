"""What a workspace holds, for programs: bytes as they are, times in UTC."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from assay.reports.cache.table import CachePart

__all__ = ["json"]


def json(parts: Sequence[CachePart], *, limit: int, workspace: str) -> dict[str, Any]:
    """Gather all parts by name."""
    return {
        "workspace": workspace,
        "limit_bytes": limit,
        "limited_bytes": sum(part.bytes for part in parts if part.limited),
        "parts": {part.name: _part(part) for part in parts},
    }


def _part(part: CachePart) -> dict[str, Any]:
    used = None if part.used is None else datetime.fromtimestamp(part.used, UTC).isoformat()
    return {
        "count": part.count,
        "bytes": part.bytes,
        "last_used": used,
        "limited": part.limited,
        "place": str(part.place),
    }
