"""Overview: what was looked at, below the headline, as the first table of a written report."""

from assay.records import Audit, Table
from assay.reports.audits.headline import headline

__all__ = ["overview"]


def overview(audit: Audit) -> Table:
    """Give the sizes of a dataset and its corpus a row, with the headline as its caption."""
    titles = ("dataset", "queries", "judgments", "corpus", "documents", "defects")
    corpus = (audit.corpus, audit.documents) if audit.corpus else (None, None)
    row = (audit.dataset, audit.queries, audit.judgments, *corpus, audit.defects)
    return Table(titles, [row], caption=headline(audit))
