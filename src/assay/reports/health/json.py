"""JSON of a look at an index, lossless, with the keys that other programs rely on."""

from typing import Any

from assay.records import Health, HealthFinding

__all__ = ["json"]

BAD = "A bad value means: "  # so that it reads right beside a good one, too


def json(health: Health) -> dict[str, Any]:
    """Return what ``assay health --json`` prints."""
    return {
        "corpus": health.corpus,
        "index": dict(health.index),
        "findings": [_finding(one) for one in health.findings],
        "embedding": dict(health.embedding),
        "notes": list(health.notes),
    }


def _finding(one: HealthFinding) -> dict[str, Any]:
    """Give what is expected as a number, or as its two ends."""
    ends = [one.least, one.most]
    expected = one.least if one.least == one.most else ends
    return {
        "section": one.section,
        "name": one.name,
        "value": one.value,
        "expected": expected,
        "state": one.state,
        "says": one.says,
        "meaning": f"{BAD}{one.meaning}" if one.compared else one.meaning,
        "unit": one.unit or None,
        "cases": list(one.cases),
        "reason": one.reason or None,
    }
