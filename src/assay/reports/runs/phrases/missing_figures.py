"""Missing figures: what a report lacks that was written before it was measured."""

from assay.records import Report

__all__ = ["missing_figures"]


def missing_figures(report: Report) -> str:
    """Say it in a sentence; nothing where any run has it, or none has results."""
    done = [run for run in report.runs if run.status == "completed" and run.per_query]
    if not done or any(run.waterfall or run.reading for run in done):
        return ""
    return (
        "This report was written by an older version, without loss by stage and reading effort: "
        "run its benchmark again to measure both."
    )
