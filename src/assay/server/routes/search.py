"""Search: the best documents of a corpus for a query, and why."""

from fastapi import APIRouter, Response

from assay.server.computing import computing
from assay.server.models.parameters import Here
from assay.server.models.search_bodies import SearchBody
from assay.server.routes._answers import OBJECT_ANSWER, json_answer
from assay.server.security.access import Viewer

__all__ = ["router"]

router = APIRouter(prefix="/api/v1", tags=["search"])


@router.post("/search", summary="Search a corpus", responses=OBJECT_ANSWER)
def search_corpus(body: SearchBody, person: Viewer, service: Here) -> Response:
    """Return the best documents for a query: what `assay search --json` prints.

    For an editor, a small corpus is indexed at once; a larger one is refused (409) until a job has
    indexed it. A viewer may only search what is indexed for the configuration.
    """
    from assay.reports.searches.json import json
    from assay.workflows.service.search_stored import SearchRequest, search_stored

    with computing(service):
        found = search_stored(
            SearchRequest(**body.request()),
            place=service.place,
            store=service.store,
            allowed=service.allowed,
            may_index=person.role != "viewer",
        )
        return json_answer(json(found))
