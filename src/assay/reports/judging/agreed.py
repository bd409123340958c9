"""How far two judges agree -> the tables that an audit shows of it."""

from typing import Any

from assay.records import Agreement, Audit, Table
from assay.reports.audits.json import json
from assay.reports.audits.sections import sections

__all__ = ["agreed", "agreed_value"]


def agreed(agreement: Agreement) -> list[tuple[str, Table | None]]:
    """Return the coefficients, the table of grades and the disagreements, each with its words."""
    return [(f"{one.title}: {one.said}", one.table) for one in sections(_audit(agreement))]


def agreed_value(agreement: Agreement) -> dict[str, Any]:
    """Return the same for programs."""
    return {"agreement": json(_audit(agreement))["agreement"]}


def _audit(agreement: Agreement) -> Audit:
    """Take it for an audit that looked at nothing else."""
    return Audit("", 0, 0, {}, {}, {}, {}, agreement=agreement)
