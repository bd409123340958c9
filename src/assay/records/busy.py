"""Busy: whether latencies were measured while other work kept the machine from searching."""

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["IDLE", "is_busy", "kept_waiting", "was_built_busy"]

IDLE = 0.8  # of a core: a search within this process that gets less had to wait for other work


def kept_waiting(times: Iterable[Mapping[str, float]]) -> bool:
    """Tell whether searches got too little of a core; more cores for one do not help others.

    Each has its milliseconds of all (``total``) and of what this process worked (``cpu``).

    >>> kept_waiting([{"total": 10.0, "cpu": 4.0}, {"total": 10.0, "cpu": 30.0}])
    True
    """
    known = [one for one in times if "cpu" in one]
    took = sum(one["total"] for one in known)
    return sum(min(one["cpu"], one["total"]) for one in known) < IDLE * took


def is_busy(latency_ms: Mapping[str, Any]) -> bool:
    """Tell whether these times decide nothing, given the ``latency_ms`` of a run.

    ``busy`` says so; reports from before it was kept have only the cores that a search got.

    >>> is_busy({"busy": True}), is_busy({"cpu": {"cores": 0.4}}), is_busy({"p95": 3.0})
    (True, True, False)
    """
    if "busy" in latency_ms:
        return bool(latency_ms["busy"])
    cores = (latency_ms.get("cpu") or {}).get("cores")
    return cores is not None and float(cores) < IDLE


def was_built_busy(latency_ms: Mapping[str, Any], indexing: Mapping[str, Any]) -> bool:
    """Tell whether the seconds of an index decide nothing.

    Several processes worked at once, the searches of the same run had to wait for other work, or
    the index was built ``elsewhere``: on another machine than the searches were timed on.

    >>> was_built_busy({}, {"busy": True}), was_built_busy({"busy": True}, {})
    (True, True)
    >>> was_built_busy({}, {"elsewhere": True})
    True
    """
    known = bool(indexing.get("busy")) or bool(indexing.get("elsewhere"))
    return known or is_busy(latency_ms)
