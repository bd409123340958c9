"""Access tokens and the audit log as requests and answers have them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from assay.server.models.bodies import Body, ItemName

__all__ = ["AuditItem", "AuditPage", "CreatedToken", "TokenBody", "TokenItem", "TokenList"]

RoleName = Literal["viewer", "editor", "admin"]


class TokenBody(Body):
    """A token to make."""

    name: ItemName
    role: RoleName
    days: Annotated[float, Field(gt=0, le=36_500)] | None = Field(
        None, description="After how many days it expires; never without."
    )


class TokenItem(BaseModel):
    """A token without its secret."""

    id: str
    name: str
    role: RoleName
    author: str
    created: float
    expires: float | None
    last_used: float | None
    revoked: float | None


class CreatedToken(BaseModel):
    """A new token, whose secret is shown only here."""

    token: str
    entry: TokenItem


class TokenList(BaseModel):
    """Some tokens, the newest first."""

    items: list[TokenItem]
    next: str | None


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
