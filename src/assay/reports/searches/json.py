"""An answer as JSON: the keys that other programs rely on."""

from collections.abc import Mapping
from typing import Any

from assay.records import Answer, Hit

__all__ = ["json"]


def json(answer: Answer, more: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Return the query, its hits and what each stage took; ``more`` stands behind them."""
    return {
        "query": answer.query,
        "hits": [_hit(hit) for hit in answer.hits],
        "latency_ms": dict(answer.latency_ms),
        **(more or {}),
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "document": hit.document,
        "path": hit.path,
        "lines": list(hit.lines),
        "symbols": list(hit.symbols),
        "kind": hit.kind,
        "title": hit.title,
        "score": hit.score,
        "stages": {stage: dict(about) for stage, about in hit.stages.items()},
        "text": hit.text,
    }
