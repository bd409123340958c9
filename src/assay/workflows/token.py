"""Token: a name and a role -> an access token of the service; all of them, and their end."""

import getpass
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time

from assay.errors import ConflictError, InputError, NotFoundError
from assay.records.service import NewToken, Role, TokenEntry
from assay.text.join_list import first_named
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workspace.backups.upgrade import upgrade_with_backup
from assay.workspace.locate import Workspace, locate
from assay.workspace.store.store import open_service_store
from assay.workspace.store.tokens import Tokens

__all__ = ["create_token", "find_token", "is_valid", "list_tokens", "revoke_token"]

PAGE = 200
DAY_S = 86_400.0
SHOWN = 5


def create_token(
    name: str,
    role: Role = "viewer",
    *,
    days: float | None = None,
    workspace: str | Path | None = None,
    clock: Callable[[], float] = time,
) -> NewToken:
    """Create a token for the services of a workspace; what is returned is its only copy.

    It is valid for some ``days``, or without limit. Services that are running accept it at once.
    """
    expires = None if days is None else clock() + days * DAY_S
    place = locate(given=workspace)
    place.folder.mkdir(parents=True, exist_ok=True)
    with _open_tokens(place) as tokens:
        return tokens.create(name, role, expires=expires, author=_login())


def list_tokens(*, workspace: str | Path | None = None) -> list[TokenEntry]:
    """List all tokens of a workspace without their secrets, the newest first."""
    place = locate(given=workspace)
    if not place.has_database:
        return []
    with _open_tokens(place) as tokens:
        return [*_every(tokens)]


def revoke_token(token: str, *, workspace: str | Path | None = None) -> TokenEntry:
    """Revoke a token for good, by its id or name; services refuse it within a second or two."""
    place = locate(given=workspace)
    if not place.has_database:
        hint = "specify the folder with --workspace, or a database with ASSAY_DATABASE_URL"
        raise InputError("the workspace has no tokens", where=str(place.folder), hint=hint)
    with _open_tokens(place) as tokens:
        return tokens.revoke(find_token(_every(tokens), token).id, author=_login())


def find_token(entries: Iterable[TokenEntry], named: str) -> TokenEntry:
    """Find a token by its id or its name; of those with one name, the one that is not revoked."""
    every = [*entries]
    if by_id := next((one for one in every if one.id == named), None):
        return by_id
    same = [one for one in every if one.name == named]
    found = [one for one in same if one.revoked is None] or same[:1]
    if len(found) == 1:
        return found[0]
    problem = f"no token {quote_value(named)}"
    if found:
        ids = first_named([one.id for one in found], SHOWN)
        hint = f"use an id: {ids}"
        raise ConflictError(f"several tokens are named {quote_value(named)}", hint=hint)
    valid = [one.name for one in every if one.revoked is None]
    raise NotFoundError(
        problem, hint=did_you_mean(named, valid, otherwise="see `assay token list`")
    )


def is_valid(entry: TokenEntry, now: float) -> bool:
    """Tell whether a token gives access."""
    return entry.revoked is None and (entry.expires is None or entry.expires > now)


@contextmanager
def _open_tokens(place: Workspace) -> Iterator[Tokens]:
    upgrade_with_backup(place)
    store = open_service_store(place.database)
    try:
        yield store.tokens
    finally:
        store.close()


def _every(tokens: Tokens) -> Iterator[TokenEntry]:
    cursor = ""
    while True:
        page = tokens.page(limit=PAGE, cursor=cursor)
        yield from page.items
        if not (cursor := page.next):
            return


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
