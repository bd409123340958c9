"""What can go wrong with a ledger, said so that somebody can act on it."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assay.errors import InputError, UnavailableError
from assay.workspace.disk.faults import BUSY, DAMAGED, code_of, explained

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

__all__ = ["damaged_ledger", "explained_ledger", "shown", "unreachable"]

_LOST = "restore a backup, or move it away and start over without the results stored in it"
_ODD = ("no such table", "no such column", "Could not decode")  # whose code is that of any mistake
_WAIT = "wait until that process ends, or stop it, and try again"
_UNREACHED = "check that the server is running and the address is right, then use --resume"


@contextmanager
def explained_ledger(place: str) -> Iterator[None]:
    """Turn what a database complains about into a message; mistakes of ours stay as they are."""
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except DBAPIError as error:
        cause = error.orig
        if not isinstance(cause, sqlite3.Error):
            raise _of_server(place, error) from None
        if code_of(cause) in DAMAGED or str(cause).startswith(_ODD):
            raise damaged_ledger(place, cause) from None
        if code_of(cause) in BUSY:
            problem = f"is in use by another process ({cause})"
            raise UnavailableError(problem, where=place, hint=_WAIT) from None
        with explained(Path(place)):
            raise cause from None
    except (JSONDecodeError, UnicodeError, zlib.error) as error:  # of a row that was read
        raise damaged_ledger(place, error) from None


def damaged_ledger(place: str, reason: object) -> InputError:
    """Say that a ledger cannot be read, and what is lost with it."""
    problem = f"the workspace database is damaged ({reason})"
    return InputError(problem, where=shown(place), hint=_LOST)


def shown(place: str) -> str:
    """Write a place without its password."""
    if "://" not in place:
        return place
    try:
        parts = urlsplit(place)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    except ValueError:
        return place.partition("://")[0] + "://..."


def unreachable(place: str, error: object) -> UnavailableError:
    """Say that a database server does not answer."""
    reason = (str(error).strip().splitlines() or ["no reason given"])[0]
    problem = f"the database cannot be used ({reason})"
    return UnavailableError(problem, where=shown(place), hint=_UNREACHED)


def _of_server(place: str, error: "DBAPIError") -> Exception:
    from sqlalchemy.exc import InterfaceError, OperationalError

    if not isinstance(error, OperationalError | InterfaceError):
        return error
    return unreachable(place, error.orig)
