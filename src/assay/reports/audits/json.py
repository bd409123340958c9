"""JSON of an audit, lossless, with the keys that other programs rely on."""

from collections.abc import Mapping
from typing import Any

from assay.records import Agreement, Audit, Coefficient, Finding

__all__ = ["json"]


def json(audit: Audit) -> dict[str, Any]:
    """Return what ``assay dataset audit --json`` prints."""
    found = {
        "dataset": audit.dataset,
        "corpus": audit.corpus or None,
        "queries": audit.queries,
        "judgments": audit.judgments,
        "documents": audit.documents,
        "metric": audit.metric,
        "defects": audit.defects,
        "smallest_detectable": audit.smallest_detectable,
        "power": audit.power,
        "queries_needed": audit.queries_needed,
        **{name: _finding(finding) for name, finding in audit.findings.items()},
        "undone": {name: one.undone for name, one in audit.findings.items() if one.undone},
        "notes": list(audit.notes),
    }
    return found | ({"agreement": _agreement(audit.agreement)} if audit.agreement else {})


def _finding(finding: Finding) -> Mapping[str, Any] | list[Mapping[str, Any]]:
    """Give what only lists cases as a list, and what also counts as a mapping."""
    if not finding.figures and not finding.listed:
        return list(finding.rows)
    return {**finding.figures, **({finding.listed: finding.rows} if finding.listed else {})}


def _agreement(agreement: Agreement) -> dict[str, Any]:
    return {
        "judges": agreement.judges,
        "pairs": agreement.pairs,
        "equal": agreement.equal,
        "only_first": agreement.only_first,
        "only_second": agreement.only_second,
        "grades": agreement.grades,
        "confusion": agreement.confusion,
        **{name: _coefficient(one) for name, one in agreement.coefficients.items()},
        "disagreements": agreement.disagreements,
    }


def _coefficient(one: Coefficient) -> dict[str, Any]:
    ends = one.interval and [one.interval.low, one.interval.high]
    return {"value": one.value, "ci": ends, "note": one.note}
