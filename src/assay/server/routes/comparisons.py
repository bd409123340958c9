"""Comparisons: any two runs or reports, tested query by query."""

from fastapi import APIRouter, Response

from assay.server.computing import computing
from assay.server.models.parameters import Here
from assay.server.models.report_bodies import ComparisonBody
from assay.server.routes._answers import OBJECT_ANSWER, json_answer
from assay.server.security.access import Viewer

__all__ = ["router"]

router = APIRouter(prefix="/api/v1", tags=["comparisons"])


@router.post("/comparisons", summary="Compare reports or runs", responses=OBJECT_ANSWER)
def compare_stored(body: ComparisonBody, _person: Viewer, service: Here) -> Response:
    """Test each candidate against the baseline, and decide: what `assay compare --json` prints.

    Without a run, the runs of the same name are compared.
    """
    from assay.reports.comparisons.since_json import since_json
    from assay.workflows.compare_reports import compare_reports
    from assay.workflows.service.stored_sides import open_stored_side

    with computing(service):
        baseline = open_stored_side(service.ledger, body.baseline.request(), "baseline")
        candidates = [
            open_stored_side(service.ledger, one.request(), f"candidates[{at}]")
            for at, one in enumerate(body.candidates)
        ]
        found = compare_reports(
            baseline,
            candidates,
            primary=body.primary,
            alpha=body.alpha,
            margin=body.margin,
            flips=body.flips,
            seed=body.seed,
            workspace=service.place.folder,
        )
        return json_answer(since_json(found))
