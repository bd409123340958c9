"""Metrics: what Prometheus reads."""

from typing import Any

from fastapi import APIRouter, Request, Response

from assay.server.metrics import CONTENT_TYPE_LATEST
from assay.server.security.access import Viewer

__all__ = ["router"]

DOCUMENTED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Measurements in the text format of Prometheus",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}
router = APIRouter(tags=["health"])


@router.get("/metrics", summary="Return measurements for Prometheus", responses=DOCUMENTED)
def get_metrics(_person: Viewer, request: Request) -> Response:
    """Return requests by route, status and duration, and what is open in the ledger."""
    return Response(request.app.state.metrics.text(), media_type=CONTENT_TYPE_LATEST)
