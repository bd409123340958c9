"""How far two judges agree -> the tables that an audit shows of it, and plain words."""

from dataclasses import replace
from typing import Any

from assay.records import Agreement, Audit, Coefficient, Table
from assay.reports.audits.json import json
from assay.reports.audits.sections import sections

__all__ = ["agreement_tables", "agreement_value"]

WORDS = {0.2: "slight", 0.4: "fair", 0.6: "moderate", 0.8: "substantial"}
BEST = "almost perfect"
WEIGHTED = ("kappa_linear", "kappa_quadratic")
SOURCE = "The labels for kappa are those of Landis and Koch (1977)."


def agreement_tables(agreement: Agreement) -> list[tuple[str, Table | None]]:
    """Return the coefficients, the table of grades and the disagreements, each with its words.

    Few judgments have no coefficients: what these would say is chance.
    """
    told = _told(agreement)
    few = _too_few(agreement)
    coefficients = {} if few else told.coefficients
    first, *rest = sections(_audit(replace(told, coefficients=coefficients)))
    said = f"{first.said} {few}".strip()
    words = {*WORDS.values(), BEST}
    said += f" {SOURCE}" if any(one.note in words for one in coefficients.values()) else ""
    table = first.table if coefficients else None
    return [
        (f"{first.title}: {said}", table),
        *((f"{one.title}: {one.said}", one.table) for one in rest),
    ]


def agreement_value(agreement: Agreement) -> dict[str, Any]:
    """Return the same for programs: no value where there are too few judgments."""
    few = _too_few(agreement)
    none = {name: Coefficient(None, note=few) for name in agreement.coefficients}
    told = replace(agreement, coefficients=none) if few else agreement
    return {"agreement": json(_audit(told))["agreement"]}


def _too_few(agreement: Agreement) -> str:
    """Say how many judgments it takes: twice the square of the grades (Cicchetti 1981).

    D. V. Cicchetti, Testing the normal approximation and minimal sample size requirements of
    weighted kappa when the number of categories is large, Applied Psychological Measurement 5.
    """
    grades = max(2, len(agreement.grades))
    needed = 2 * grades * grades
    if agreement.pairs >= needed:
        return ""
    said = f"Kappa and alpha need at least {needed:,} judgments in common for {grades} grades"
    return f"{said} (Cicchetti 1981)."


def _told(agreement: Agreement) -> Agreement:
    """Put words beside kappas; of two grades all kappas are one."""
    every = agreement.coefficients
    kept = {
        name: replace(one, note=one.note or _word(one))
        for name, one in every.items()
        if not (name in WEIGHTED and len(agreement.grades) <= 2)
    }
    return replace(agreement, coefficients=kept)


def _word(one: Coefficient) -> str:
    """Call it as Landis and Koch (Biometrics 1977) do; chance is chance, whatever the value."""
    if one.value is None or one.interval is None or one.interval.note:
        return ""
    if one.interval.low <= 0:
        below = one.interval.high < 0
        return "worse than chance" if below else "not significantly different from chance"
    return next((word for end, word in WORDS.items() if one.value <= end), BEST)


def _audit(agreement: Agreement) -> Audit:
    """Take it for an audit that looked at nothing else."""
    return Audit("", 0, 0, {}, {}, {}, {}, agreement=agreement)
