"""Searches as requests have them."""

from typing import Annotated, Any

from pydantic import Field

from assay.server.models.bodies import Body, ItemId, JsonObject

__all__ = ["SearchBody"]

OVERRIDES = (
    "Settings of coherence, which is then switched on, e.g. {'alpha': 0.2}; with the prefix `mmr.` "
    "those of MMR. The answer has the receipt."
)


class SearchBody(Body):
    """A query to the corpus of a mapping, or to a corpus."""

    query: str = Field(
        pattern=r"\S", max_length=10_000, description="Plain text; there is no query syntax."
    )
    mapping: ItemId | None = Field(None, description="Search the corpus of this mapping.")
    corpus: ItemId | None = Field(None, description="Search this corpus, in place of a mapping.")
    configuration: JsonObject = Field({}, description="Settings as in a benchmark.")
    k: int = Field(10, ge=1, le=1000, description="How many documents to return.")
    explain: bool = Field(default=False, description="Say which terms matched, and where.")
    why_not: Annotated[str, Field(min_length=1, max_length=1000)] | None = Field(
        None, description="Say at which stage this document was lost."
    )
    filters: JsonObject | None = Field(None, description="Only documents with this metadata.")
    overrides: JsonObject | None = Field(None, description=OVERRIDES)

    def request(self) -> dict[str, Any]:
        """Return what was given, for `search_stored`."""
        return self.model_dump()
