"""Tokens that were valid a moment ago, so that not every request asks the database."""

import threading
import time
from collections.abc import Callable
from hashlib import sha256

from assay.errors import AccessError
from assay.records.service import TokenEntry
from assay.workspace.store.tokens import Tokens

__all__ = ["KnownTokens"]

FRESH_S = 1.0  # within which a token that was revoked still gives access
MOST = 10_000


class KnownTokens:
    """The tokens of a store, and which of them were valid; only their hashes are remembered."""

    def __init__(
        self,
        tokens: Tokens,
        *,
        fresh_s: float = FRESH_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tokens, self._fresh_s, self._clock = tokens, fresh_s, clock
        self._found: dict[bytes, tuple[TokenEntry, float]] = {}
        self._lock = threading.Lock()

    def fresh(self, plain: str) -> TokenEntry | None:
        """Return a token that was checked just now; None if the store has to be asked."""
        found = self._found.get(_digest(plain))
        if found is None or self._clock() - found[1] >= self._fresh_s:
            return None
        return found[0]

    def was_valid(self, plain: str) -> bool:
        """Tell whether a token was valid when it was checked last."""
        return _digest(plain) in self._found

    def check(self, plain: str) -> TokenEntry:
        """Ask the store for a token; AccessError if it gives no access (any more)."""
        digest, began = _digest(plain), self._clock()
        try:
            entry = self._tokens.check(plain)
        except AccessError:
            with self._lock:
                self._found.pop(digest, None)
            raise
        with self._lock:
            self._found.pop(digest, None)
            if len(self._found) >= MOST:
                self._found.pop(next(iter(self._found)))
            self._found[digest] = (entry, began)
        return entry


def _digest(plain: str) -> bytes:
    return sha256(plain.encode("utf-8", "surrogatepass")).digest()
