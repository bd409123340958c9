"""Messages of progress, as the WebSocket sends them and as an answer has them."""

from typing import Literal

from pydantic import BaseModel

__all__ = [
    "BenchmarkProgressItem",
    "PingMessage",
    "ProgressMessage",
    "ProgressSnapshot",
    "RunProgressItem",
]

State = Literal["pending", "running", "completed", "failed", "cancelled", "interrupted"]


class RunProgressItem(BaseModel):
    """How far a run is, in queries over all its stages."""

    name: str
    state: State
    done: int
    total: int


class BenchmarkProgressItem(BaseModel):
    """How far a benchmark or another job is, in units of work; ``stage`` names one in progress."""

    id: str
    name: str
    kind: str
    state: State
    done: int
    total: int
    runs: list[RunProgressItem]
    stage: str
    error: str


class ProgressSnapshot(BaseModel):
    """The whole state: the first message, and the answer to a request."""

    type: Literal["snapshot"]
    version: int
    at: float
    benchmarks: list[BenchmarkProgressItem]


class ProgressMessage(BaseModel):
    """The whole state of one benchmark or job that changed."""

    type: Literal["progress"]
    version: int
    at: float
    benchmark: BenchmarkProgressItem


class PingMessage(BaseModel):
    """A sign of life, after 20 s without any other message."""

    type: Literal["ping"]
    version: int
    at: float
