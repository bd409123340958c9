"""An answer as JSON: the keys that other programs rely on."""

from dataclasses import asdict
from typing import Any

from assay.records import Answer, Hit
from assay.reports.searches.receipt_json import receipt_json

__all__ = ["json"]


def json(answer: Answer) -> dict[str, Any]:
    """Return the query, its hits and what each stage took; why a document was lost, if asked."""
    told = {
        "query": answer.query,
        "hits": [_hit(hit) for hit in answer.hits],
        "latency_ms": dict(answer.latency_ms),
        "documents": answer.documents,
        "chunks": answer.chunks,
        "notes": list(answer.notes),
    }
    if answer.mmr is not None:
        told["mmr"] = dict(answer.mmr)
    if answer.receipt is not None:
        told["receipt"] = receipt_json(answer.receipt)
    return told if answer.loss is None else told | {"why_not": asdict(answer.loss)}


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "document": hit.document,
        "path": hit.path,
        "lines": list(hit.lines),
        "page": hit.page or None,
        "pages": [hit.page, hit.last_page] if hit.page else None,
        "symbols": list(hit.symbols),
        "kind": hit.kind,
        "title": hit.title,
        "score": hit.score,
        "stages": {stage: dict(about) for stage, about in hit.stages.items()},
        "text": hit.text,
        "metadata": dict(hit.metadata),
    }
