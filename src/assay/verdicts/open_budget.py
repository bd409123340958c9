"""Open budget: why it is not known whether a run keeps a budget."""

from collections.abc import Mapping
from typing import Any

from assay.records.costs import is_minimum

__all__ = ["open_budget"]


def open_budget(checked: Mapping[str, Any]) -> str:
    """Say what is wrong with the figure that a budget limits, given how it was checked.

    >>> open_budget({"value": None}), open_budget({"value": 3.0, "busy": True})
    ('was not measured', 'was measured on a busy machine')
    """
    if checked["value"] is None:
        return "was not measured"
    if checked.get("busy"):
        return "was measured on a busy machine"
    if not checked.get("exceeded", True):
        return "was measured only in part"
    return "may be below its minimum" if is_minimum(checked) else "may be exceeded"
