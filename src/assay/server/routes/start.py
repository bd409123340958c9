"""The start page: where everything is, for whoever opens the address of the service."""

from fastapi import APIRouter

from assay import __version__
from assay.server.models.health_items import StartItem
from assay.server.security.access import Viewer

__all__ = ["router"]

router = APIRouter(tags=["health"])


@router.get("/", summary="Tell where everything is")
def get_start(person: Viewer) -> StartItem:
    """Name the version, who is signed in, and the paths of the API, its description and health."""
    return StartItem(version=__version__, name=person.name, role=person.role)
