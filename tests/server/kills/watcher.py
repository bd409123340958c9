"""A viewer of progress that connects again, wherever the service is, and misses nothing."""

import json
import threading
import time

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

__all__ = ["Watcher"]


class Watcher:
    """Follows all benchmarks and jobs over the WebSocket; ``states`` has the last one of each.

    After a lost connection it asks for what has changed ``after`` the last version that it saw.
    """

    def __init__(self, base, token):
        self._url = f"{base.replace('http', 'ws', 1)}/api/v1/progress"
        self._headers = {"Authorization": f"Bearer {token}"}
        self.states, self.version, self.connections = {}, 0, 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopped.set()
        self._thread.join(60.0)

    def wait_for(self, states, *, seconds=60.0):
        """Wait until these states were shown."""
        until = time.monotonic() + seconds
        while not states.items() <= self.states.items():
            assert time.monotonic() < until, (states, self.states)
            time.sleep(0.02)

    def _work(self):
        while not self._stopped.is_set():
            try:
                url = f"{self._url}?after={self.version}"
                with connect(url, additional_headers=self._headers, open_timeout=20) as socket:
                    self.connections += 1
                    self._receive(socket)
            except (OSError, WebSocketException):
                time.sleep(0.05)

    def _receive(self, socket):
        while not self._stopped.is_set():
            try:
                message = json.loads(socket.recv(timeout=0.1))
            except TimeoutError:
                continue
            self.version = message["version"]
            found = [message["benchmark"]] if "benchmark" in message else []
            for one in message.get("benchmarks", found):
                self.states[one["id"]] = one["state"]
