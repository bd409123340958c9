"""How a value of a finding reads, and what was expected of it."""

from assay.records import HealthFinding
from assay.text.count_noun import count_noun
from assay.text.join_list import first_few

__all__ = ["cases", "expected", "value"]

NAMED = 3  # cases that are named
UNITS = ("bytes", "KB", "MB", "GB", "TB")


def value(finding: HealthFinding) -> str:
    """Write a value with its unit.

    >>> value(HealthFinding("staleness", "age", 0.5, "good", "", unit="days"))
    '12.0 hours'
    """
    found = finding.value
    if found is None:
        return "-"
    if isinstance(found, str):
        return found
    return "0" if found == 0 and finding.unit.startswith("of ") else _number(found, finding.unit)


def expected(finding: HealthFinding) -> str:
    """Write what was expected: a number, a range, or one end of it."""
    least, most, unit = finding.least, finding.most, finding.unit
    if unit.startswith("of "):
        least, unit = 0 if most == 0 else least, ""  # no count is below 0
    if least is not None and most is not None:
        one = _number(least, unit)
        return one if least == most else f"{one} to {_number(most, unit)}"
    if most is not None:
        return f"at most {_number(most, unit)}"
    return "" if least is None else f"at least {_number(least, unit)}"


def cases(finding: HealthFinding) -> str:
    """Name the first of what a value was found in, behind a sentence."""
    return f" See: {first_few(finding.cases, NAMED)}." if finding.cases else ""


def _number(number: float, unit: str) -> str:
    if unit == "share":
        return f"{number:.1%}" if number < 1 else "100%"
    if unit == "bytes":
        return _bytes(number)
    if unit == "days":
        return _days(number)
    shown = f"{number:,.0f}" if float(number).is_integer() else f"{number:,.2f}"
    return f"{shown} {unit}".rstrip()


def _bytes(number: float) -> str:
    for unit in UNITS:
        if abs(number) < 1000 or unit == UNITS[-1]:
            break
        number /= 1000
    return f"{number:,.0f} bytes" if unit == "bytes" else f"{number:,.1f} {unit}"


def _days(days: float) -> str:
    for size, unit in ((1, "days"), (1 / 24, "hours")):
        if days >= size:
            return f"{days / size:,.1f} {unit}"
    minutes = round(days * 24 * 60)
    return count_noun(minutes, "minute")
