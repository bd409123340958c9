"""The metric whose loss a waterfall tells: an nDCG, whatever runs are compared by."""

import re

from assay.records import Report

__all__ = ["lost_metric"]

K = "10"  # where the primary metric looks at all documents


def lost_metric(report: Report) -> str:
    """Name the first nDCG of the benchmark, or one at the primary's k, as it was measured."""
    metrics = [str(one) for one in report.benchmark.get("metrics") or ()]
    primary = str(report.benchmark.get("primary") or "")
    every = [*([primary] if primary else []), *metrics]
    named = [one for one in every if re.match(r"ndcg(_exp)?\b", one)]
    return named[0] if named else f"ndcg@{_cutoff(every[0] if every else '')}"


def _cutoff(metric: str) -> str:
    found = re.search(r"@(\d+)$", metric)
    return found[1] if found else K
