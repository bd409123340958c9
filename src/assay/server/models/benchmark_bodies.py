"""Benchmarks as requests and answers have them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from assay.records.options import Option, options_of
from assay.records.run_settings import Invocation, RunSettings
from assay.records.service import BenchmarkStatus
from assay.server.models.bodies import Body, ItemId, ItemName, JsonObject, Note, at_most

__all__ = [
    "BenchmarkBody",
    "BenchmarkDetail",
    "BenchmarkItem",
    "BenchmarkList",
    "BenchmarkRun",
    "BenchmarkRuns",
    "BenchmarkState",
    "DefinitionItem",
    "PinnedMapping",
    "PlanItem",
    "PlannedRun",
    "RetriedItem",
    "SettingsBody",
    "item_of",
]

LARGEST = 2**63 - 1
MOST_METRICS = 200
Metrics = Annotated[list[ItemName], Field(max_length=MOST_METRICS)]
BenchmarkState = Literal["pending", "running", "completed", "failed", "cancelled", "interrupted"]


def _field(one: Option) -> tuple[Any, Any]:
    """Describe an option of a record as a field; left out, it has the default of the record."""
    if one.kind is bool:
        return bool | None, Field(None, description=one.help)
    most = LARGEST if one.most is None else one.most
    return int | None, Field(None, ge=one.least, le=most, description=one.help)


_FIELDS: dict[str, Any] = {one.name: _field(one) for one in options_of(RunSettings)}
_PARALLEL = next(one for one in options_of(Invocation) if one.name == "parallel")
_FRESH = "Use nothing that was recorded or built before; later benchmarks do not use it either."
_Options: type[BaseModel] = create_model("_Options", __base__=Body, **_FIELDS)


class SettingsBody(_Options):  # type: ignore[misc, valid-type] # its fields are those of a record
    """What is measured, and how: the options of `assay run`."""

    fresh: bool | None = Field(None, description=_FRESH)


class BenchmarkBody(Body):
    """A benchmark over mappings; the other keys are those of a benchmark file."""

    mappings: list[ItemId] | None = Field(
        None, min_length=1, max_length=100, description="Mappings to search."
    )
    mapping_id: ItemId | None = Field(None, description="A single mapping, in place of a list.")
    name: ItemName | None = None
    description: Note | None = None
    configurations: list[JsonObject] | None = Field(
        None, max_length=1000, description="Settings by name; a list of values multiplies."
    )
    matrix: JsonObject | None = Field(None, description="Settings with lists that multiply.")
    suite: ItemName | None = Field(
        None, description="A set of configurations: GET /api/v1/lists/suites lists them."
    )
    config_matrix: JsonObject | None = Field(None, description="Semantik's matrix.")
    metrics: Metrics | ItemName | None = None
    metrics_to_compute: Metrics | None = None
    primary: ItemName | None = None
    top_k: int | None = Field(None, ge=1, le=100_000)
    baseline: ItemName | None = None
    budgets: Annotated[dict[str, float | None], *at_most(MOST_METRICS)] | None = None
    margin: float | None = None
    alpha: float | None = None
    ship_if: ItemName | None = None
    unjudged: ItemName | None = None
    query_weights: ItemName | None = None
    unit: ItemName | None = None
    race: bool | JsonObject | None = None
    match_weights: bool | None = None
    breakdowns: Annotated[list[ItemName], Field(max_length=100)] | ItemName | None = None
    settings: SettingsBody | None = None
    parallel: int | None = Field(
        None, ge=_PARALLEL.least, le=_PARALLEL.most, description="Workers at the same time."
    )

    def request(self) -> dict[str, Any]:
        """Return what was given, for `create_benchmark`."""
        given = self.model_dump(exclude_unset=True)
        return {key: value for key, value in given.items() if value is not None}


class BenchmarkItem(BaseModel):
    """A benchmark: its state, and those of its runs.

    ``done`` of ``total`` units of work are completed; how far that is in queries, the runs tell.
    """

    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    state: BenchmarkState
    cancelling: bool
    author: str
    created: float
    started: float | None
    finished: float | None
    error: str
    parallel: int
    runs: dict[str, BenchmarkState]
    done: int
    total: int
    reported: bool
    deleted: bool
    revision: int


class BenchmarkList(BaseModel):
    """Some benchmarks, the newest first."""

    items: list[BenchmarkItem]
    next: str | None


class PlannedRun(BaseModel):
    """A run of a benchmark: its settings, and the names of cells that come to the same."""

    name: str
    aliases: list[str]
    configuration: dict[str, Any]


class PinnedMapping(BaseModel):
    """A mapping as it was when the benchmark was created."""

    mapping: str
    name: str
    dataset: str
    version: int
    corpus: str


class PlanItem(BaseModel):
    """What a benchmark is made of: of ``cells`` combinations, ``merged`` come to the same run."""

    name: str
    description: str
    mappings: list[PinnedMapping]
    metrics: list[str]
    primary: str
    baseline: str
    cells: int
    merged: int
    notes: list[str]
    runs: list[PlannedRun]


class DefinitionItem(PlanItem):
    """What a stored benchmark is made of, and how it measures."""

    settings: dict[str, Any]


class BenchmarkDetail(BenchmarkItem):
    """A benchmark with all that it was asked for; null for one that was started elsewhere."""

    definition: DefinitionItem | None


class BenchmarkRun(BaseModel):
    """How far a run is, in queries over all its stages, and its settings."""

    name: str
    state: BenchmarkState
    done: int
    total: int
    aliases: list[str]
    configuration: dict[str, Any]


class BenchmarkRuns(BaseModel):
    """All runs of a benchmark, in their order."""

    items: list[BenchmarkRun]


class RetriedItem(BaseModel):
    """A benchmark that goes on, and how much of it is done again."""

    retried: int
    benchmark: BenchmarkItem


def item_of(status: BenchmarkStatus) -> BenchmarkItem:
    """Describe a benchmark of the ledger."""
    return BenchmarkItem.model_validate(status)
