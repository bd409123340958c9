"""Busy: whether latencies were measured while the machine did other work, and what to do."""

from assay.records import Report
from assay.records.command import command

__all__ = ["busy"]


def busy(report: Report) -> str:
    """Warn of latencies that other work made longer, in a sentence; nothing where none did."""
    shares, runs = _shares(report), (report.analysis.get("load") or {}).get("runs") or {}
    if not shares:
        return ""
    some = "" if len(shares) == len(runs) else f" of {len(shares)} of {len(runs)} runs"
    none = ", so no run is named the fastest" if len(runs) > 1 else ""
    return (
        f"Latencies{some} were measured on a busy machine (a search got as little as "
        f"{min(shares):.0%} of a core){none}: `{command(report, 'run')}` on an idle machine "
        "measures them again."
    )


def _shares(report: Report) -> list[float]:
    """Return what share of a core each run got that got too little."""
    runs = (report.analysis.get("load") or {}).get("runs") or {}
    return [float(one["cores_busy"]) for one in runs.values() if one.get("busy_machine")]
