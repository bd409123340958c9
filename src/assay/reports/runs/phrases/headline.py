"""Headline: what was asked of what, and how far the judgments carry, in a line."""

from assay.records import Report
from assay.text.count_noun import count_noun

__all__ = ["headline"]


def headline(report: Report) -> str:
    """Write the line above a summary."""
    truth, judged = report.truth, report.truth.get("judged@10")
    several = report.dataset.get("collections") or ()
    said = [
        f"{count_noun(len(several), 'dataset')} (scores are means over them)" if several else "",
        count_noun(report.dataset["queries"], "query", "queries")
        if "queries" in report.dataset
        else "",
        count_noun(report.corpus["documents"], "document") if "documents" in report.corpus else "",
    ]
    if truth.get("resolved", 0) < truth.get("total", 0):
        said.append(f"{truth.get('resolved', 0):,} of {truth['total']:,} judgments resolved")
    if truth.get("leaked"):
        said.append(f"leaked queries: {truth['leaked']:,}")
    if judged is not None:
        said.append(f"judged@10 {judged:.1%}")
    if report.status == "cancelled":
        said.append("stopped before its end")
    return f"{report.benchmark['name']}: {', '.join(filter(None, said))}"
