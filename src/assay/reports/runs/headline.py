"""Headline: what was asked of what, and how far the judgments carry, in a line."""

from assay.records import Report

__all__ = ["headline"]


def headline(report: Report) -> str:
    """Write the line above a summary."""
    truth, judged = report.truth, report.truth.get("judged@10")
    said = [
        f"{report.benchmark['name']}: {report.dataset['queries']:,} queries",
        f"{report.corpus['documents']:,} documents",
    ]
    if truth["resolved"] < truth["total"]:
        said.append(f"{truth['resolved']:,} of {truth['total']:,} judgments resolved")
    if truth["leaked"]:
        said.append(f"leaked queries: {truth['leaked']:,}")
    if judged is not None:
        said.append(f"judged@10 {judged:.1%}")
    return ", ".join(said)
