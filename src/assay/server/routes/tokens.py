"""Access tokens: created, listed, revoked; for administrators."""

import time
from dataclasses import asdict

from fastapi import APIRouter, Response

from assay.records.service import TokenEntry
from assay.server.models.administration import CreatedToken, TokenBody, TokenItem, TokenList
from assay.server.models.parameters import Cursor, Here, Identifier, Limit
from assay.server.routes._answers import created, listed
from assay.server.security.access import Admin

__all__ = ["router"]

DAY_S = 86_400.0

router = APIRouter(prefix="/api/v1/tokens", tags=["administration"])


@router.post("", status_code=201, summary="Create a token")
def create_token(body: TokenBody, person: Admin, service: Here, response: Response) -> CreatedToken:
    """Make a token; the answer is the only place where it can be read."""
    expires = None if body.days is None else time.time() + body.days * DAY_S
    made = service.store.tokens.create(body.name, body.role, expires=expires, author=person.name)
    created(response, f"/api/v1/tokens/{made.entry.id}")
    return CreatedToken(token=made.plain, entry=_item(made.entry))


@router.get("", summary="List tokens")
def list_tokens(_person: Admin, service: Here, limit: Limit = 50, cursor: Cursor = "") -> TokenList:
    """List all tokens without their secrets, the newest first, also those that are revoked."""
    page = service.store.tokens.page(limit=limit, cursor=cursor)
    return TokenList.model_validate(listed(page, asdict))


@router.get("/{token}", summary="Show a token")
def get_token(token: Identifier, _person: Admin, service: Here) -> TokenItem:
    """Tell what is known of a token, without its secret."""
    return _item(service.store.tokens.get(token))


@router.delete("/{token}", summary="Revoke a token")
def revoke_token(token: Identifier, person: Admin, service: Here) -> TokenItem:
    """Let a token give access no more, for good."""
    return _item(service.store.tokens.revoke(token, author=person.name))


def _item(entry: TokenEntry) -> TokenItem:
    return TokenItem.model_validate(asdict(entry))
