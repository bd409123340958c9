"""WebSockets that are refused before they are accepted: an answer, and no error in the log."""

import logging
import socket
import threading
from contextlib import contextmanager

import pytest
import uvicorn
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from assay.server.progress.denied_websockets import DeniedWebSockets

WAIT_S = 30


async def app(scope, receive, send):
    """Refuse what is not for /open; the answer comes in two pieces."""
    await receive()
    if scope["path"] == "/open":
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": "hello"})
        await send({"type": "websocket.close", "code": 1000})
        return
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"4")]
    await send({"type": "websocket.http.response.start", "status": 401, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": b"no", "more_body": True})
    await send({"type": "websocket.http.response.body", "body": b"pe"})


@contextmanager
def serving():
    config = uvicorn.Config(app, ws=DeniedWebSockets, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(WAIT_S)


def test_a_refusal_is_an_answer_and_no_error(caplog):
    caplog.set_level(logging.WARNING)
    with serving() as address:
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{address}/closed", open_timeout=WAIT_S)
        with connect(f"{address}/open", open_timeout=WAIT_S) as opened:
            assert opened.recv(WAIT_S) == "hello"
    assert (refused.value.response.status_code, refused.value.response.body) == (401, b"nope")
    assert [one.getMessage() for one in caplog.records] == []
