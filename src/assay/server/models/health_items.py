"""How the service is and where everything is, as answers have it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["HealthItem", "LiveItem", "StartItem"]


class LiveItem(BaseModel):
    """The process answers."""

    status: Literal["ok"]


class HealthItem(BaseModel):
    """How the service is; with ``problems`` it still works, and somebody should look at it."""

    model_config = ConfigDict(from_attributes=True)

    status: Literal["ok", "warning"] = "ok"
    version: str = ""
    problems: list[str]
    database: Literal["SQLite", "PostgreSQL"]
    step: str = Field(description="Of the tables of the database.")
    benchmarks: dict[str, int] = Field(description="How many, by state.")
    jobs: dict[str, int] = Field(description="Other work in the background, by state.")
    workers: int = Field(description="That work on something at this moment.")
    waiting_s: float = Field(description="For how long the oldest work has had no worker.")
    disk_free_bytes: int


class StartItem(BaseModel):
    """Where everything is, and who is signed in."""

    service: Literal["assay"] = "assay"
    version: str
    name: str = Field(description="Of the token.")
    role: Literal["viewer", "editor", "admin"]
    api: str = "/api/v1"
    openapi: str = "/openapi.json"
    progress: str = "/api/v1/progress"
    health: str = "/api/v1/health"
    metrics: str = "/metrics"
