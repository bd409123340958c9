"""JSON in the layout of another program -> a report, with as much as the layout holds."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report
from assay.reports.ancestors.read._fields import Fields
from assay.reports.ancestors.read._layout import AncestorLayout
from assay.reports.ancestors.read.akashic import AKASHIC
from assay.reports.ancestors.read.consciousdb import CONSCIOUSDB
from assay.reports.ancestors.read.exocortex import EXOCORTEX
from assay.reports.ancestors.read.semantik import SEMANTIK
from assay.reports.ancestors.read.sia_code import SIA_CODE

__all__ = ["read_ancestor"]

# Semantik before Akashic: both have a summary.
LAYOUTS = (SEMANTIK, AKASHIC, SIA_CODE, EXOCORTEX, CONSCIOUSDB)


def read_ancestor(value: object, *, where: str) -> Report | None:
    """Read JSON of Akashic, Semantik, sia-code, Exocortex or ConsciousDB; None if it is neither.

    The layout is recognised by its keys. ``where`` is the file, as messages call it.
    """
    if not isinstance(value, Mapping):
        return None
    several = value.get("reports")
    if not isinstance(several, list):
        layout = _layout_of(value)
        return None if layout is None else layout.read([Fields(value, where)])
    layout = next(filter(None, map(_layout_of, several)), None)
    return None if layout is None else layout.read(_each(value, layout, where))


def _layout_of(value: Any) -> AncestorLayout | None:  # noqa: ANN401
    if not isinstance(value, Mapping):
        return None
    return next((one for one in LAYOUTS if one.is_one(value)), None)


def _each(value: Mapping[str, Any], layout: AncestorLayout, where: str) -> list[Fields]:
    """Return the reports of a file, which must all be of one program."""
    found = Fields(value, where).rows("reports")
    for one in found:
        if not layout.is_one(one.value):
            hint = f"expected the same keys as in the other reports of {layout.name}"
            raise one.error("", f"not a report of {layout.name}", hint=hint)
    return found
