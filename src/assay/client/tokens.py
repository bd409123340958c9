"""Access tokens of a service; for administrators."""

from collections.abc import Iterator

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.records.service import NewToken, Role, TokenEntry

__all__ = ["TokenVerbs"]

PLACE = "tokens"


class TokenVerbs:
    """Create, list and revoke tokens."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, name: str, role: Role, *, days: float | None = None) -> NewToken:
        """Make a token, valid for some ``days`` or without limit; it can be read only here."""
        body = {"name": name, "role": role, "days": days}
        made = self._connection.send("POST", f"/{PLACE}", body)
        return NewToken(decode(TokenEntry, made["entry"]), str(made["token"]))

    def list(self) -> Iterator[TokenEntry]:
        """List all tokens without their secrets, the newest first, also revoked ones."""
        return self._connection.pages(f"/{PLACE}", TokenEntry)

    def get(self, token: str) -> TokenEntry:
        """Return what is known of a token, by its id."""
        return decode(TokenEntry, self._connection.get(item_path(PLACE, token)))

    def revoke(self, token: str) -> TokenEntry:
        """Let a token give access no more, for good; ``token`` is its id."""
        return decode(TokenEntry, self._connection.send("DELETE", item_path(PLACE, token)))
