"""Busy: whether latencies were measured while the machine did other work, and what to do."""

from assay.records import Report
from assay.records.busy import IDLE, is_busy
from assay.records.command import command
from assay.records.times import timed_runs

__all__ = ["busy"]


def busy(report: Report) -> str:
    """Warn of latencies that other work made longer, in a sentence; nothing where none did."""
    timed = [run for run in timed_runs(report.runs) if not run.configuration.get("system")]
    slow = [run.latency_ms for run in timed if is_busy(run.latency_ms)]
    if not slow:
        return ""
    some = "" if len(slow) == len(timed) else f" of {len(slow)} of {len(timed)} runs"
    shares = [float((one.get("cpu") or {}).get("cores") or 1.0) for one in slow]
    least = f" (a search got as little as {min(shares):.0%} of a core)"
    none = ", so no run is named the fastest" if len(timed) > 1 else ""
    return (
        f"Latencies{some} were measured on a busy machine{least if min(shares) < IDLE else ''}"
        f"{none}: `{command(report, 'run')}` on an idle machine measures them again."
    )
