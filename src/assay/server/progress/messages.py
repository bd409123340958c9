"""What viewers of progress receive: each message holds the whole state of what it is about."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from assay.records.service import BenchmarkProgress

__all__ = [
    "Message",
    "count_finished",
    "encode_ping",
    "encode_progress",
    "encode_snapshot",
    "is_over",
]

_ALIVE = ("pending", "running")


@dataclass(frozen=True, slots=True)
class Message:
    """A message, encoded once for all who receive it; ``tag`` stands for a snapshot's content."""

    text: str
    tag: str = ""


def encode_snapshot(version: int, at: float, benchmarks: Iterable[BenchmarkProgress]) -> Message:
    """Encode the state of several benchmarks and jobs, by their ids."""
    states = [_described(each) for each in sorted(benchmarks, key=lambda each: each.id)]
    tag = hashlib.sha256(_json(states).encode()).hexdigest()[:32]
    about = {"type": "snapshot", "version": version, "at": at, "benchmarks": states}
    return Message(_json(about), tag)


def encode_progress(version: int, at: float, benchmark: BenchmarkProgress) -> Message:
    """Encode the state of a benchmark or job."""
    about = {"type": "progress", "version": version, "at": at, "benchmark": _described(benchmark)}
    return Message(_json(about))


def encode_ping(version: int, at: float) -> Message:
    """Encode a sign of life, for connections on which nothing else was sent for a while."""
    return Message(_json({"type": "ping", "version": version, "at": at}))


def is_over(benchmark: BenchmarkProgress) -> bool:
    """Tell whether a benchmark or job has ended."""
    return benchmark.state not in _ALIVE


def count_finished(benchmark: BenchmarkProgress) -> int:
    """Count the finished queries of all runs, or what a job without runs has done."""
    return sum(run.done for run in benchmark.runs) if benchmark.runs else benchmark.done


def _described(benchmark: BenchmarkProgress) -> dict[str, Any]:
    names = ("name", "state", "done", "total")
    return {
        "id": benchmark.id,
        "name": benchmark.name,
        "kind": benchmark.kind,
        "state": benchmark.state,
        "done": benchmark.done,
        "total": benchmark.total,
        "runs": [{name: getattr(run, name) for name in names} for run in benchmark.runs],
        "stage": benchmark.stage,
        "error": benchmark.error,
    }


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
