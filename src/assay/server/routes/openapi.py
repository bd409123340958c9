"""The OpenAPI document."""

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse

__all__ = ["router"]

router = APIRouter()


@router.api_route("/openapi.json", methods=["GET", "HEAD"], include_in_schema=False)
def get_openapi(request: Request) -> JSONResponse:
    """Return the document; the first request makes it, in a thread, as that takes a moment."""
    return JSONResponse(request.app.openapi())
