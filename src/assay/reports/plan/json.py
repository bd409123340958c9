"""What a benchmark will cost, for programs: every figure with its basis."""

from dataclasses import asdict
from typing import Any

from assay.records.plan import Plan

__all__ = ["json"]


def json(plan: Plan) -> dict[str, Any]:
    """Gather all of it, with the sums."""
    told = asdict(plan)
    for made, index in zip(told["indexes"], plan.indexes, strict=True):
        made["seconds"] = index.seconds
    for made, stage in zip(told["stages"], plan.stages, strict=True):
        made["left"] = stage.left
    sums = {
        "searches": plan.searches,
        "searches_left": plan.searches_left,
        "building_s": plan.building_s,
        "searching_s": plan.searching_s,
        "seconds": plan.building_s + plan.searching_s,
        "disk_bytes": plan.disk_bytes,
    }
    return {**told, **sums}
