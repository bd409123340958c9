"""JSON of a resolution, with the keys that other programs rely on."""

from dataclasses import asdict
from typing import Any

from assay.records import KEYS, Resolution, ResolvedReference
from assay.records.skipped_files import unread_files
from assay.reports.resolutions.summary import by_key

__all__ = ["json"]

EXAMPLES = 10  # documents that are named of those that meet one reference


def json(resolution: Resolution) -> dict[str, Any]:
    """Return what ``assay dataset resolve --json`` prints."""
    lost = [row for row in resolution.rows if row.reason]
    return {
        "status": resolution.status,
        "total": resolution.total,
        "resolved": resolution.resolved,
        "ambiguous": resolution.ambiguous,
        "missing": resolution.missing,
        "corpus": resolution.corpus,
        "documents": resolution.documents,
        "skipped": dict(resolution.skipped),
        **unread_files(resolution.skipped),
        "by_key": by_key(resolution),
        "parts": [_several(row) for row in resolution.rows if row.by_part],
        "respelled": [_several(row) for row in resolution.rows if row.respelled],
        "several": [_several(row) for row in resolution.rows if len(row.documents) > 1],
        "unresolved": [_lost(row) for row in lost if not row.spared],
        "spared": [_lost(row) for row in lost if row.spared],
        "unknown_symbols": [asdict(one) for one in resolution.unknown_symbols],
    }


def _several(row: ResolvedReference) -> dict[str, Any]:
    """Tell what a reference meets; a short part may meet most of a corpus."""
    return {
        "query": row.query,
        "reference": str(row.reference),
        "key": row.key,
        "documents": len(row.documents),
        "examples": list(row.documents[:EXAMPLES]),
    }


def _lost(row: ResolvedReference) -> dict[str, Any]:
    keys = {key: getattr(row.reference, key) for key in (*KEYS, "symbol")}
    return {
        "query": row.query,
        "reference": str(row.reference),
        "reason": row.reason,
        "candidates": list(row.candidates),
        "keys": {key: value for key, value in keys.items() if value},
    }
