"""Headline: what a dataset can detect and what is wrong with it, in a sentence to act on."""

from assay.records import Audit
from assay.text.count_noun import count_noun

__all__ = ["headline"]


def headline(audit: Audit) -> str:
    """Say what can be detected, then what was found."""
    wrong = [finding.brief for finding in audit.findings.values() if finding.brief]
    undone = any(finding.undone for finding in audit.findings.values())
    clean = "no defects found, some checks skipped" if undone else "no defects found"
    return f"{_detects(audit)}; {', '.join(wrong) or clean}"


def _detects(audit: Audit) -> str:
    number = count_noun(audit.queries, "query")
    least = _least(audit)
    if least is None:
        return f"{number} cannot detect any difference in {audit.metric}"
    sd = f"sd {audit.spread:.2g} {'measured on the runs' if audit.measured else 'assumed'}"
    found = f"minimum detectable difference {least:.3f} in {audit.metric}"
    return f"{number}: {found} ({sd}, 80% power)"


def _least(audit: Audit) -> float | None:
    if not audit.measured:
        least: float | None = audit.smallest_detectable[f"sd={audit.spread:g}"]
        return least
    pairs = audit.smallest_detectable["runs"]
    found = [pair["smallest_detectable"] for pair in pairs if pair["sd"]]
    return None if None in found else max(found)
