"""The audit log as answers have it."""

from typing import Any

from pydantic import BaseModel

__all__ = ["AuditItem", "AuditPage"]


class AuditItem(BaseModel):
    """Who did what to which object, and when."""

    number: int
    time: float
    author: str
    act: str
    kind: str
    object: str
    before: dict[str, Any]
    after: dict[str, Any]


class AuditPage(BaseModel):
    """Some entries, the newest first."""

    items: list[AuditItem]
    next: str | None
