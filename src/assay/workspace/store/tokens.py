"""Tokens that give access to the service: made, checked, revoked; no secret is ever stored."""

import hmac
import re
import secrets
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, get_args

from assay.errors import AccessError, AssayError, InputError, NotFoundError
from assay.records.service import NewToken, Page, Role, TokenEntry
from assay.text.join_list import join_list
from assay.text.quote import quote, quote_value
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Access
from assay.workspace.store._cursors import check_limit, make_page, read_cursor
from assay.workspace.store._entries import new_id, unique
from assay.workspace.store.texts import from_column, label

if TYPE_CHECKING:
    from sqlalchemy import Row

__all__ = ["Tokens"]

SEEN_S = 60.0  # how exact it is known when a token was last used: not every request writes
SECRET_BYTES = 32
ROLES = get_args(Role)
_PLAIN = re.compile(r"assay_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_NEW = """INSERT INTO access_tokens (id, name, role, hash, author, created, expires)
    VALUES (:id, :name, :role, :hash, :author, :now, :expires) RETURNING *"""
_FIND = "SELECT t.* FROM access_tokens t WHERE id = :id"
_PAGE = "SELECT t.* FROM access_tokens t WHERE number < :before ORDER BY number DESC LIMIT :page"
_USED = """UPDATE access_tokens SET last_used = :now
    WHERE id = :id AND (last_used IS NULL OR last_used < :now)"""
_REVOKE = "UPDATE access_tokens SET revoked = :now WHERE id = :id AND revoked IS NULL"
_ENDED = "DELETE FROM access_tokens WHERE revoked < :before OR expires < :before RETURNING id"


class Tokens:
    """All tokens of a store.

    A token holds 256 random bits, so that nobody can try all of them: one round of SHA-256 hides it
    as well as a slow hash would, which protects passwords that can be guessed, and would cost each
    request a tenth of a second. A key beside the hashes would lie in the same workspace.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def create(
        self, name: str, role: Role, *, expires: float | None = None, author: str
    ) -> NewToken:
        """Make a token; what is returned is the only place where it can be read."""
        if role not in ROLES:
            hint = f"available: {join_list(ROLES)}"
            raise InputError(f"unknown role {quote_value(role, 40)}", where="token", hint=hint)
        with self._access.writing(author) as change:
            if expires is not None and not expires > change.now:
                hint = "expected a future time in seconds since 1970"
                raise InputError(
                    f"invalid expiry {quote_value(expires, 40)}", where="token", hint=hint
                )
            number = new_id()
            plain = f"assay_{number}_{secrets.token_urlsafe(SECRET_BYTES)}"
            about: dict[str, Any] = {"id": number, "name": label(name, "name"), "role": role}
            about |= {"hash": _hash(plain), "author": change.author, "now": change.now}
            hint = "choose another name, or revoke the other token"
            with unique(f"a token named {quote(name[:60])} already exists", hint=hint):
                row = run(change.connection, _NEW, {**about, "expires": expires}).one()
            after = {"name": row.name, "role": role, "expires": expires}
            change.audit("token.create", number, after=after)
            return NewToken(_entry(row), plain)

    def check(self, plain: str) -> TokenEntry:
        """Return the token that this is; AccessError if it is unknown, expired or revoked."""
        parts = _PLAIN.fullmatch(plain) if isinstance(plain, str) else None
        with self._access.reading() as connection:
            found = run(connection, _FIND, {"id": parts[1]}).one_or_none() if parts else None
            now = self._access.now(connection)
        known = bytes(found.hash) if found is not None else bytes(SECRET_BYTES)
        same = hmac.compare_digest(_hash(plain if parts else ""), known)
        if found is None or not same:
            hint = "check that the token is complete, or create a new one"
            raise AccessError("unknown token", hint=hint)
        if found.revoked is not None:
            raise AccessError("the token was revoked", hint="create a new token")
        if found.expires is not None and found.expires <= now:
            raise AccessError("the token has expired", hint="create a new token")
        return self._note_use(found, now)

    def get(self, token: str) -> TokenEntry:
        """Return what is known of a token, also of one that is revoked."""
        with self._access.reading() as connection:
            return _entry(_find(connection, token))

    def page(self, *, limit: int = 50, cursor: str = "") -> Page[TokenEntry]:
        """List all tokens, the newest first, also those that are revoked."""
        asked = {"before": read_cursor(cursor, "tokens", first=2**62), "page": check_limit(limit)}
        with self._access.reading() as connection:
            rows = run(connection, _PAGE, asked).all()
        return make_page(rows, limit, "tokens", _entry)

    def revoke(self, token: str, *, author: str) -> TokenEntry:
        """Let a token give access no more, for good."""
        with self._access.writing(author) as change:
            row = _find(change.connection, token)
            if run(change.connection, _REVOKE, {"id": token, "now": change.now}).rowcount:
                change.audit("token.revoke", token, before={"name": row.name, "role": row.role})
            return _entry(_find(change.connection, token))

    def purge(self, before: float, *, author: str) -> int:
        """Remove tokens that were revoked, or had expired, before a time, and count them."""
        with self._access.writing(author) as change:
            ended = run(change.connection, _ENDED, {"before": before}).scalars().all()
            for token in ended:
                change.audit("token.purge", token)
            return len(ended)

    def _note_use(self, row: "Row[Any]", now: float) -> TokenEntry:
        """Note when a token was used; a store that can only be read gives access all the same."""
        from sqlalchemy.exc import SQLAlchemyError

        if row.last_used is None or row.last_used < now - SEEN_S:
            with (
                suppress(AssayError, SQLAlchemyError, OSError),
                self._access.database.writing() as connection,
            ):
                run(connection, _USED, {"id": row.id, "now": now})
                row = run(connection, _FIND, {"id": row.id}).one()
        return _entry(row)


def _find(connection: Any, token: str) -> "Row[Any]":  # noqa: ANN401
    known = isinstance(token, str) and re.fullmatch("[0-9a-f]{12}", token)
    found = run(connection, _FIND, {"id": token}).one_or_none() if known else None
    if found is None:
        hint = "list the tokens to see which ones exist"
        raise NotFoundError(f"unknown token {quote(str(token)[:60])}", hint=hint)
    return found


def _hash(plain: str) -> bytes:
    return sha256(b"assay access token\0" + plain.encode("utf-8", "surrogatepass")).digest()


def _entry(row: "Row[Any]") -> TokenEntry:
    return TokenEntry(
        id=row.id,
        name=from_column(row.name),
        role=row.role,
        author=from_column(row.author),
        created=row.created,
        expires=row.expires,
        last_used=row.last_used,
        revoked=row.revoked,
    )
