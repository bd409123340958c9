"""Gate: whether a report is worse than its baseline, by more than is allowed."""

from typing import Any

from fastapi import APIRouter, Response

from assay.server.computing import computing
from assay.server.models.parameters import Here
from assay.server.models.report_bodies import GateBody
from assay.server.routes._answers import OBJECT_ANSWER, json_answer
from assay.server.security.access import Viewer

__all__ = ["router"]

router = APIRouter(prefix="/api/v1", tags=["gate"])


@router.post("/gate", summary="Check a report against its baseline", responses=OBJECT_ANSWER)
def check_gate(body: GateBody, _person: Viewer, service: Here) -> Response:
    """Tell whether a check failed, and on which evidence: what `assay gate --json` prints.

    `outcome` is pass, fail or inconclusive. Without checks the primary metric may be 5% worse.
    """
    from assay.reports.gates.json import json
    from assay.workflows.gate import gate
    from assay.workflows.service.stored_sides import open_stored_side

    asked: dict[str, Any] = {name: getattr(body, name) for name in ("allow", "min", "max")}
    asked |= {name: getattr(body, name) for name in ("preset", "bare", "strict_env", "seed")}
    named = {"baseline": body.baseline, "current": body.current}
    with computing(service):
        sides = [
            open_stored_side(service.ledger, one.request(), where)
            for where, one in named.items()
            if one is not None
        ]
        folder = service.place.folder
        found = gate(*sides, **asked, workspace=folder, baselines=folder / "baselines")
        return json_answer(json(found))
