"""JUnit XML of a gate: one test case per check and run, with stable names."""

import re
from xml.etree import ElementTree as Xml  # nosec - it is written, not read

from assay.records.gate import CheckResult, Gate
from assay.reports.gates.lines import compared

__all__ = ["junit"]

# Characters that XML 1.0 cannot hold, even escaped.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(gate: Gate, *, date: str, strict: bool = False) -> bytes:
    """Write a suite; what is inconclusive is skipped, and failed if that ``strict``ly counts."""
    cases = [_case(one, gate, strict=strict) for one in gate.results]
    counts = {
        "tests": len(cases),
        "failures": sum(case.find("failure") is not None for case in cases),
        "errors": 0,
        "skipped": sum(case.find("skipped") is not None for case in cases),
    }
    told = {name: str(number) for name, number in counts.items()}
    name = _text(f"assay gate: {gate.benchmark or gate.current}")
    suite = Xml.Element("testsuite", {"name": name, **told, "time": "0", "timestamp": date})
    suite.extend(cases)
    lines = [compared(gate), *(f"note: {text}" for text in gate.notes)]
    Xml.SubElement(suite, "system-out").text = _text("\n".join(lines))
    told.pop("skipped")  # which the schemas allow a suite alone
    suites = Xml.Element("testsuites", {"name": "assay gate", **told, "time": "0"})
    suites.append(suite)
    Xml.indent(suites)
    content: bytes = Xml.tostring(suites, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _case(one: CheckResult, gate: Gate, *, strict: bool) -> Xml.Element:
    check = one.check
    about = {
        "classname": _text(f"{gate.benchmark or 'gate'}.{one.run}"),
        "name": _text(f"{check.name} {check.kind} {check.amount_text}"),
        "time": "0",
    }
    case = Xml.Element("testcase", about)
    if one.outcome == "fail" or (strict and one.outcome == "inconclusive"):
        found = Xml.SubElement(case, "failure", {"message": _text(one.reason), "type": one.outcome})
        found.text = _text("\n".join([one.reason, *_queries(one, gate)]))
    elif one.outcome == "inconclusive":
        Xml.SubElement(case, "skipped", {"message": _text(one.reason)})
    else:
        Xml.SubElement(case, "system-out").text = _text(one.reason)
    return case


def _queries(one: CheckResult, gate: Gate) -> list[str]:
    """Name the queries that lost most, one per line."""
    return [
        f"{change.query}: {change.baseline:.4f} -> {change.candidate:.4f}"
        + (f"  {gate.texts[change.query]}" if change.query in gate.texts else "")
        for change in one.changes
    ]


def _text(value: str) -> str:
    return FORBIDDEN.sub("�", value)
