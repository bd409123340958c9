"""Pauses within responses on loopback -> a note that TCP makes them, not the search.

A server that writes the head and the body of a response apart has the second packet held back until
the first is acknowledged (Nagle, RFC 896), and Linux acknowledges after 40 ms at the earliest
(delayed acknowledgement, RFC 1122 4.2.3.2; TCP_DELACK_MIN). Not so on a new connection, whose first
packets are acknowledged at once. Measured: 41 to 48 ms between the first and the last byte, and
0.1 ms on new connections or with TCP_NODELAY.
"""

import threading
from statistics import median

from assay.http.connections import HttpReply

__all__ = ["HeldPackets"]

PAUSE_MS = (38.0, 60.0)
FRESH_MS = 20.0  # a server that is slow on a new connection, too, is slow by itself
FEWEST = 5  # responses
SHARE = 0.5


class HeldPackets:
    """Collects how long responses take from their first byte to their last."""

    def __init__(self, host: str | None) -> None:
        self._local = host in ("localhost", "::1") or (host or "").startswith("127.")
        self._kept: list[float] = []
        self._fresh: list[float] = []
        self._lock = threading.Lock()

    def add(self, reply: HttpReply) -> None:
        """Note a response."""
        if self._local:
            with self._lock:
                (self._kept if reply.kept else self._fresh).append(reply.arriving_ms)

    @property
    def note(self) -> str:
        """Say what most of the latency is, if it is that."""
        paused = [one for one in self._kept if PAUSE_MS[0] <= one <= PAUSE_MS[1]]
        few = len(paused) < max(FEWEST, SHARE * len(self._kept))
        if few or (self._fresh and median(self._fresh) > FRESH_MS):
            return ""
        which = f"{len(paused):,} of {len(self._kept):,} responses over kept connections"
        return (
            f"{which} stopped for about {median(paused):.0f} ms between their first and last byte: "
            "on loopback that is Nagle's algorithm and delayed acknowledgements, not the search; "
            "set TCP_NODELAY on the server"
        )
