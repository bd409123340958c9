"""One who watches progress: a WebSocket, or a request that waits."""

import asyncio
from collections.abc import Iterable

from assay.server.progress.messages import Message

__all__ = ["GOING_AWAY", "OVERLOADED", "Viewer"]

GOING_AWAY = 1001
OVERLOADED = 1013
_SNAPSHOT = ""


class Viewer:
    """The newest message of each benchmark, until the viewer takes them.

    A slow viewer skips states, but never the last one. ``has_snapshot`` and ``sent_at`` belong to
    the thread of the hub, everything else to the event loop that made it.
    """

    def __init__(self, ids: Iterable[str], ended_within_s: float) -> None:
        self.ids = frozenset(ids)
        self.ended_within_s = ended_within_s
        self.loop = asyncio.get_running_loop()
        self.has_snapshot = False
        self.sent_at = 0.0
        self.code = 0
        self._pending: dict[str, Message] = {}
        self._woken = asyncio.Event()

    def wants(self, benchmark: str) -> bool:
        """Tell whether to send news of a benchmark; a viewer without ids wants all."""
        return not self.ids or benchmark in self.ids

    def put(self, message: Message, benchmark: str = _SNAPSHOT) -> None:
        """Add a message; it replaces an older one of the same benchmark."""
        self._pending.pop(benchmark, None)  # so that what is newer comes later
        self._pending[benchmark] = message
        self._woken.set()

    def close(self, code: int) -> None:
        """Let the viewer know that nothing follows, and why (a code of WebSockets)."""
        self.code = self.code or code
        self._woken.set()

    async def take(self) -> list[Message]:
        """Wait for messages; none once the viewer is closed."""
        await self._woken.wait()
        self._woken.clear()
        messages, self._pending = [*self._pending.values()], {}
        if self.code:
            self._woken.set()  # for whoever asks again
            return []
        return messages
