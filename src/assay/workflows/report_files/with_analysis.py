"""A report with its analysis, also if it was written by an older version."""

from dataclasses import replace

from assay import catalogue
from assay.records import Report

__all__ = ["with_analysis"]


def with_analysis(report: Report) -> Report:
    """Add the parts of the analysis that the report does not have; the others stay as they are."""
    from assay.benchmarks import analysis
    from assay.benchmarks.analysis.analyse import analyse

    if {*catalogue.files(analysis)} - {"analyse"} <= {*report.analysis}:
        return report
    seed = report.environment.get("seed")
    found = analyse(report, seed=seed if isinstance(seed, int) else 0)
    return replace(report, analysis={**found, **report.analysis})
