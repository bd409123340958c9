"""Busy: whether latencies were measured while the machine did other work, and what to do."""

from assay.records import Report
from assay.records.busy import IDLE, is_busy
from assay.records.command import command, is_remote
from assay.records.times import timed_runs
from assay.reports.runs.phrases.run_label import list_runs

__all__ = ["busy"]

FEW = 2  # runs that are named


def busy(report: Report) -> str:
    """Warn of latencies that other work made longer, in a sentence; nothing where none did."""
    loads = (report.analysis.get("load") or {}).get("runs") or {}
    timed = {run.name: run.latency_ms for run in timed_runs(report.runs)}
    cores = {name: (one.get("cpu") or {}).get("cores") for name, one in timed.items()}
    cores = {name: one.get("cores_busy") for name, one in loads.items()} or cores
    marked = {name for name, one in loads.items() if one.get("busy_machine")}
    slow = [name for name in cores if name in marked or is_busy(timed.get(name, {}))]
    if not slow:
        return ""
    few = list_runs(report, slow) if len(slow) <= FEW else f"{len(slow)} of {len(cores)} runs"
    some = "" if len(slow) == len(cores) else f" of {few}"
    least = min(float(cores[name] or 1.0) for name in slow)
    share = f" (a search got as little as {least:.0%} of a core)" if least < IDLE else ""
    none = ", so no run is named the fastest" if len(cores) > 1 else ""
    again = command(report, "run", *(["--fresh"] if is_remote(report) else []))
    return (
        f"Latencies{some} were measured on a busy machine{share}{none}: "
        f"`{again}` on an idle machine measures them again."
    )
