"""Benchmarks as requests and answers have them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["BenchmarkBody", "BenchmarkItem", "BenchmarkList", "RetriedItem", "SettingsBody"]

Id = Annotated[str, Field(min_length=1, max_length=64)]
Text = Annotated[str, Field(max_length=2000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
State = Literal["pending", "running", "completed", "failed", "cancelled", "interrupted"]


class SettingsBody(BaseModel):
    """What is measured, and how: the options of `assay run`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    seed: int | None = Field(None, ge=0, le=2**63 - 1, description="Random seed.")
    sample: int | None = Field(None, ge=1, le=10**9, description="Run only N queries.")
    asks: int | None = Field(None, ge=1, le=1000, description="Run each query N times.")
    repeats: int | None = Field(None, ge=1, le=100, description="Build each index N times.")
    live: bool | None = Field(None, description="Time whole searches.")
    untimed: bool | None = Field(None, description="Do not measure latency.")
    race: bool | None = Field(None, description="Stop clearly worse configurations early.")


class BenchmarkBody(BaseModel):
    """A benchmark over mappings; the other keys are those of a benchmark file."""

    model_config = ConfigDict(extra="forbid")

    mappings: list[Id] | None = Field(None, max_length=100, description="Mappings to search.")
    mapping_id: Id | None = Field(None, description="A single mapping, in place of a list.")
    name: Name | None = None
    description: Text | None = None
    configurations: list[dict[str, Any]] | None = Field(None, max_length=1000)
    matrix: dict[str, Any] | None = None
    suite: Name | None = None
    config_matrix: dict[str, Any] | None = Field(None, description="Semantik's matrix.")
    metrics: list[Name] | Name | None = None
    metrics_to_compute: list[Name] | None = None
    primary: Name | None = None
    top_k: int | None = Field(None, ge=1, le=100_000)
    baseline: Name | None = None
    budgets: dict[str, float | None] | None = None
    margin: float | None = None
    alpha: float | None = None
    ship_if: Name | None = None
    unjudged: Name | None = None
    query_weights: Name | None = None
    unit: Name | None = None
    race: bool | dict[str, Any] | None = None
    match_weights: bool | None = None
    breakdowns: list[Name] | Name | None = None
    settings: SettingsBody | None = None
    parallel: int | None = Field(None, ge=1, le=64, description="Workers at the same time.")


class BenchmarkItem(BaseModel):
    """A benchmark: its state, and those of its runs."""

    id: str
    name: str
    state: State
    cancelling: bool
    author: str
    created: float
    started: float | None
    finished: float | None
    error: str
    parallel: int
    runs: dict[str, str]
    done: int
    total: int
    reported: bool
    deleted: bool
    revision: int


class BenchmarkList(BaseModel):
    """Some benchmarks, the newest first."""

    items: list[BenchmarkItem]
    next: str | None


class RetriedItem(BaseModel):
    """A benchmark that goes on, and how much of it is done again."""

    retried: int
    benchmark: BenchmarkItem
