"""Health: whether the process answers, and how the service is."""

from fastapi import APIRouter

from assay import __version__
from assay.server.models.health_items import HealthItem, LiveItem
from assay.server.models.parameters import Here
from assay.server.security.access import Viewer

__all__ = ["router"]

router = APIRouter(tags=["health"])


@router.get("/health/live", summary="Tell whether the process answers")
async def live() -> LiveItem:
    """Answer without a token and without a look at the database."""
    # A coroutine needs no thread, so it answers also while all threads are taken.
    return LiveItem(status="ok")


@router.get("/api/v1/health", summary="Tell how the service is")
def health(_person: Viewer, service: Here) -> HealthItem:
    """Look at the database, the workers and the disk; 503 if the database cannot be reached."""
    from assay.workflows.service.vitals import read_vitals

    vitals = read_vitals(service.ledger, service.place)
    found = HealthItem.model_validate(vitals)
    status = "warning" if found.problems else "ok"
    return found.model_copy(update={"status": status, "version": __version__})
