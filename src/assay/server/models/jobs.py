"""Jobs other than benchmarks as answers have them."""

from typing import Any, Literal

from pydantic import BaseModel, Field

__all__ = ["JobItem", "JobKindName", "JobList", "JobState"]

JobKindName = Literal["import", "index", "resolve"]
JobState = Literal["pending", "running", "completed", "failed", "cancelled", "interrupted"]


class JobItem(BaseModel):
    """A job in the background, which workers do."""

    id: str
    kind: str
    name: str
    state: JobState
    created: float
    finished: float | None
    error: str
    result: dict[str, Any] = Field(description="What it came to, once it is completed.")


class JobList(BaseModel):
    """Some jobs, the newest first."""

    items: list[JobItem]
    next: str | None
