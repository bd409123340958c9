"""Again: the command that measures a report again, as far as it is known."""

from assay.records import Report

__all__ = ["UNKNOWN", "again"]

DEMO = ("demo", "stdlib")  # the benchmark that comes with Assay, and its dataset
UNKNOWN = "FILE"


def again(report: Report, file: str) -> str:
    """Return what one types; ``file`` is the benchmark's, or stands for one that is not known."""
    known = report.benchmark
    is_demo = (known.get("name"), known.get("dataset")) == DEMO
    return "assay demo" if is_demo else f"assay run {file}"
