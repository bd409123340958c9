"""python -m performance.service.bare FILE: FastAPI handlers that return constant lists.

The file has the content of each by its path. Nothing is around them, and they run under the same
settings as `assay serve`.
"""

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

__all__ = ["bare"]


def bare(contents: dict[str, Any]) -> FastAPI:
    """Make an application with one handler for each content."""
    app = FastAPI()
    for path, content in contents.items():
        app.get(path)(_constant(content))
    return app


def _constant(content: Any) -> Callable[[], Any]:  # noqa: ANN401 - JSON
    def constant() -> Any:  # noqa: ANN401
        return content

    return constant


def _main() -> None:
    app = bare(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        server_header=False,
        ws_per_message_deflate=False,
        ws_max_size=4096,
    )
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    _main()
