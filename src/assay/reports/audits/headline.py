"""Headline: what a dataset can detect and what is wrong with it, in a sentence to act on."""

from assay.records import Audit
from assay.text.count_noun import count_noun

__all__ = ["headline"]


def headline(audit: Audit) -> str:
    """Say what can be detected, then what was found."""
    wrong = [finding.brief for finding in audit.findings.values() if finding.brief]
    undone = any(finding.undone for finding in audit.findings.values())
    clean = "nothing found in what could be checked" if undone else "no defect found"
    return f"{_detects(audit)}; {', '.join(wrong) or clean}"


def _detects(audit: Audit) -> str:
    number = count_noun(audit.queries, "query")
    least = _least(audit)
    if least is None:
        return f"{number} cannot tell any difference in {audit.metric} from chance"
    how = f"sd {audit.spread:.2g}{' of the runs' if audit.measured else ''}, 80 % power"
    return f"{number} can detect a difference of {least:.3f} in {audit.metric} ({how})"


def _least(audit: Audit) -> float | None:
    if not audit.measured:
        least: float | None = audit.smallest_detectable[f"sd={audit.spread:g}"]
        return least
    pairs = audit.smallest_detectable["runs"]
    found = [pair["smallest_detectable"] for pair in pairs if pair["sd"]]
    return None if None in found else max(found)
