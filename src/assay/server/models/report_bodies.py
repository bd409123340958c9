"""Reports as requests and answers have them: their queries, comparisons, gates."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from assay.server.models.bodies import Body, ItemId, ItemName, at_most
from assay.workflows.service.stored_sides import SideRequest

__all__ = ["ComparisonBody", "GateBody", "QueryResultList", "ReportKind", "SideBody"]

Share = Annotated[float, Field(ge=0, le=1)]
Level = Annotated[float, Field(gt=0, lt=1)]
Seed = Annotated[int, Field(ge=0, le=2**63 - 1, description="Random seed.")]
Text = Annotated[str, Field(min_length=1, max_length=500)]
MOST = 100  # checks of a kind
Checks = (
    Annotated[list[Text], Field(max_length=MOST)]
    | Annotated[dict[Text, float | Text], *at_most(MOST)]
)
ReportKind = Literal["json", "html", "md", "csv", "tex", "parquet"]


class SideBody(Body):
    """A whole report, or one run of it: that of a benchmark, or a report as JSON."""

    benchmark: ItemId | None = Field(None, description="The id of a benchmark.")
    report: dict[str, Any] | None = Field(
        None,
        max_length=1_000,
        description="In place of a benchmark: what `assay run -o report.json` wrote.",
    )
    run: Annotated[str, Field(max_length=500)] = Field("", description="One run; else all.")

    def request(self) -> SideRequest:
        """Return what was given, for `open_stored_side`."""
        return SideRequest(self.benchmark, self.report, self.run)


class ComparisonBody(Body):
    """Reports or runs that are compared with a baseline, paired by query."""

    baseline: SideBody
    candidates: list[SideBody] = Field(min_length=1, max_length=20)
    primary: ItemName | None = Field(None, description="The metric that decides.")
    alpha: Level | None = Field(None, description="Significance level, after correction.")
    margin: Share | None = Field(None, description="Smallest gain that matters, relative.")
    flips: int = Field(10_000, ge=100, le=100_000, description="Sign flips of the test.")
    seed: Seed = 0


class GateBody(Body):
    """A report that must not be worse than its baseline, by more than is allowed."""

    current: SideBody
    baseline: SideBody | None = Field(None, description="Not needed where all checks are limits.")
    allow: Checks = Field([], description='How much worse, e.g. ["ndcg@10:5%"].')
    min: Checks = Field([], description='Limits, e.g. {"mrr@10": 0.6}.')
    max: Checks = Field([], description='Limits, e.g. {"latency_p95_ms": 100}.')
    preset: list[Text] = Field([], max_length=20, description="Sets of checks by name.")
    bare: bool = Field(default=False, description="Compare values only, without a test.")
    strict_env: bool = Field(
        default=False,
        description="Let times fail that were measured elsewhere, or while it was busy.",
    )
    seed: Seed = 0


class FoundDocument(BaseModel):
    """A document of a ranking; ``grade`` is null where nobody judged it."""

    document: str
    score: float | None
    grade: float | None


class QueryResult(BaseModel):
    """What a run found for a query; a query with an ``error`` has no scores."""

    query: str
    text: str
    scores: dict[str, float | None]
    latency_ms: float | None
    error: str | None
    results: list[FoundDocument]


class QueryResultList(BaseModel):
    """Some queries of a run, in the order of its report."""

    items: list[QueryResult]
    next: str | None
