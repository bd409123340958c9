"""Headline: what was measured on what, and how complete the judgments are, in a line."""

from assay.records import Report
from assay.records.report import NO_CORPUS
from assay.text.count_noun import count_noun

__all__ = ["headline"]

ALPHA, MARGIN = 0.05, 0.02


def headline(report: Report) -> str:
    """Write the line that names the benchmark and its data."""
    truth, judged = report.truth, report.truth.get("judged@10")
    several = report.dataset.get("collections") or ()
    said = [
        f"{count_noun(len(several), 'collection')} (scores are means over them)" if several else "",
        count_noun(report.dataset["queries"], "query", "queries")
        if "queries" in report.dataset
        else "",
        _documents(report),
    ]
    if truth.get("resolved", 0) < truth.get("total", 0):
        found, lost = truth.get("resolved", 0), truth["total"] - truth.get("resolved", 0)
        missed = count_noun(lost, "counts as missed", "count as missed")
        said.append(f"{found:,} of {truth['total']:,} judgments resolved ({missed})")
    if truth.get("leaked"):
        said.append(
            f"{count_noun(truth['leaked'], 'leaked query')} (verbatim in a relevant document)"
        )
    if judged is not None:
        said.append(f"{judged:.1%} of the top 10 judged")
    said += _criteria(report)
    if report.status == "cancelled":
        said.append("cancelled before everything was measured")
    told = ", ".join(filter(None, said))
    return f"{report.benchmark['name']}: {told}." if told else str(report.benchmark["name"])


def _documents(report: Report) -> str:
    """Count the documents; a report of run files says nothing about a corpus."""
    if "documents" in report.corpus:
        return count_noun(report.corpus["documents"], "document")
    return "no corpus" if report.corpus.get("name") == NO_CORPUS else ""


def _criteria(report: Report) -> list[str]:
    """Name the criteria that are not the usual ones."""
    told, said = report.benchmark, list[str]()
    if (unit := told.get("unit", "document")) != "document":
        said.append(f"evaluated by {unit}")
    if (alpha := told.get("alpha", ALPHA)) != ALPHA:
        said.append(f"alpha {alpha:g}")
    if (margin := told.get("margin", MARGIN)) != MARGIN:
        said.append(f"margin {margin * 100:g}%")
    if told.get("unjudged") == "zero":
        said.append("unjudged documents count as not relevant")
    return said
