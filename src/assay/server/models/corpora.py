"""Corpora as requests and answers have them."""

from typing import Any

from pydantic import BaseModel, Field

from assay.server.models.bodies import Body, ItemName, JsonObject

__all__ = ["CorpusBody", "CorpusItem", "CorpusList", "CorpusPatch", "IndexBody"]

WHERE = 'Where it is, as in a benchmark file: {"path": "/srv/docs", "include": ["**/*.md"]}.'


class CorpusBody(Body):
    """A corpus that the service can read."""

    name: ItemName
    where: JsonObject = Field(description=WHERE)


class CorpusPatch(Body):
    """What to change; a corpus in another place has to be read again."""

    name: ItemName | None = None
    where: JsonObject | None = Field(None, description=WHERE)


class IndexBody(Body):
    """The configuration to index a corpus for."""

    configuration: JsonObject = Field({}, description="Settings as in a benchmark file.")


class CorpusItem(BaseModel):
    """A corpus; what is known of its content is from its last reading."""

    id: str
    name: str
    where: dict[str, Any]
    revision: int
    created: float
    updated: float
    fingerprint: str
    documents: int | None
    skipped: dict[str, int]
    last_read: float | None
    deleted: float | None


class CorpusList(BaseModel):
    """Some corpora, the newest first."""

    items: list[CorpusItem]
    next: str | None
