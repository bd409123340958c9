"""python -m performance.service.bare FILE: a FastAPI handler that returns a constant list."""

import json
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

__all__ = ["bare"]


def bare(content: Any) -> FastAPI:  # noqa: ANN401 - JSON
    """Make an application with one handler and nothing around it."""
    app = FastAPI()

    @app.get("/")
    def constant() -> Any:  # noqa: ANN401
        return content

    return app


def _main() -> None:
    app = bare(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as `assay serve` does
        print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


if __name__ == "__main__":
    _main()
