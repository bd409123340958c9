"""Refuse a WebSocket with an answer, without an error in the log of the web server."""

from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

__all__ = ["DeniedWebSockets"]


class DeniedWebSockets(WebSocketsSansIOProtocol):
    """The protocol of uvicorn, which takes a complete answer for a handshake without an end."""

    async def send(self, message: "ASGISendEvent") -> None:
        """Send a message; the last one of an answer completes the handshake."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True
