"""What PostgreSQL refuses, said once: what, where, and what to do next."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assay.engines.stores._postgres_address import PostgresAddress
from assay.errors import InputError
from assay.text.truncate import cut_end

if TYPE_CHECKING:
    import psycopg

__all__ = ["refused", "said"]

LONGEST = 300  # letters of what the server said that a message shows

# What libpq says in English, which is all it gives for a connection that failed.
CONNECTING = (
    ("password authentication failed", "check the user and password in url"),
    (
        "no password supplied",
        'add the password: write url: "${DATABASE_URL}" and set that variable',
    ),
    ("no pg_hba.conf entry", "allow this user and host in pg_hba.conf, or use another url"),
    ('database "', "create the database with createdb, or correct its name in url"),
    ('role "', "create the role, or correct the user in url"),
    ("Connection refused", "start the server, or correct the host and port in url"),
    ("No such file", "start the server, or correct the host and port in url"),
    ("timeout", "check that the server is reachable, or correct the host and port in url"),
    ("too many clients", "close other connections, or raise max_connections"),
)
STATEMENTS = {
    "23505": "add each row only once",
    "42501": "use a role that may create schemas: GRANT CREATE ON DATABASE ... TO ...",
    "57014": "search fewer chunks, or use index: hnsw",
    "25006": "this server is read-only: use the url of a writable one",
    "53100": "free disk space on the server",
    "53200": "increase the memory of the server",
    "0A000": "install pgvector on the server: https://github.com/pgvector/pgvector",
    "58P01": "install pgvector on the server: https://github.com/pgvector/pgvector",
    "22P05": "use a database with UTF8 encoding",
}
CLOSED = "check the server log, then restart the server"


def refused(error: "psycopg.Error", address: PostgresAddress) -> InputError:
    """Say why no connection came about."""
    words = " ".join(str(error).split())
    known = (hint for part, hint in CONNECTING if part in words)  # a secret may be such a part
    hint = next(known, "check that the server is running and that url is correct")
    # Where it was tried is in the place already, and what libpq asks back is in the hint.
    reason = words.rsplit(" failed: ", 1)[-1].removeprefix("FATAL: ").split(" Is the server ")[0]
    return InputError(f"cannot connect: {_words(reason, address)}", where=address.place, hint=hint)


@contextmanager
def said(address: PostgresAddress, *, left: str = "") -> Iterator[None]:
    """Turn what PostgreSQL raises inside into one message; ``left`` is a schema that may stay."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        raise _statement(error, address, left) from error


def _statement(error: "psycopg.Error", address: PostgresAddress, left: str) -> InputError:
    import psycopg

    state = error.sqlstate or ""
    words = _words(error.diag.message_primary or str(error), address)
    lost = isinstance(error, psycopg.OperationalError) and state[:2] in ("", "08", "57")
    if lost and state != "57014":
        after = f"; to clean up: DROP SCHEMA IF EXISTS {left} CASCADE" if left else ""
        return InputError(
            f"the server closed the connection: {words}", where=address.place, hint=CLOSED + after
        )
    hint = STATEMENTS.get(state, "check the server log")
    return InputError(words, where=address.place, hint=hint)


def _words(text: str, address: PostgresAddress) -> str:
    """Write what libpq says on one line, without secrets."""
    return cut_end(" ".join(address.hidden(text).split()), LONGEST)
