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
    ("password authentication failed", "correct the user and the password in url"),
    ("no password supplied", "give the password in url, best as ${DATABASE_URL}"),
    ("no pg_hba.conf entry", "let this user in from here (pg_hba.conf), or use another url"),
    ('database "', "create it with createdb, or correct the name in url"),
    ('role "', "create the user, or correct the name in url"),
    ("Connection refused", "start the server, or correct host and port in url"),
    ("No such file", "start the server, or correct host and port in url"),
    ("timeout", "look whether the server can be reached from here, or correct host and port"),
    ("too many clients", "close other connections, or raise max_connections"),
)
STATEMENTS = {
    "23505": "give each row once",
    "42501": "use a user who may create: GRANT CREATE ON DATABASE ... TO ...",
    "57014": "search fewer chunks, or with index: hnsw",
    "25006": "use the url of a server that can be written to",
    "53100": "make room on the server's disk",
    "53200": "give the server more memory",
    "0A000": "install pgvector on the server: https://github.com/pgvector/pgvector",
    "58P01": "install pgvector on the server: https://github.com/pgvector/pgvector",
    "22P05": "use a database with the encoding UTF8",
}
CLOSED = "start it again, and look into its log for the reason"


def refused(error: "psycopg.Error", address: PostgresAddress) -> InputError:
    """Say why no connection came about."""
    words = " ".join(str(error).split())
    known = (hint for part, hint in CONNECTING if part in words)  # a secret may be such a part
    hint = next(known, "look whether the server runs, and whether url is right")
    # Where it was tried is in the place already, and what libpq asks back is in the hint.
    reason = words.rsplit(" failed: ", 1)[-1].removeprefix("FATAL: ").split(" Is the server ")[0]
    return InputError(f"no connection: {_words(reason, address)}", where=address.place, hint=hint)


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
        after = f"; what stays is removed by DROP SCHEMA IF EXISTS {left} CASCADE" if left else ""
        return InputError(
            f"the server closed the connection: {words}", where=address.place, hint=CLOSED + after
        )
    hint = STATEMENTS.get(state, "look into the log of the server")
    return InputError(words, where=address.place, hint=hint)


def _words(text: str, address: PostgresAddress) -> str:
    """Write what libpq says on one line, without secrets."""
    return cut_end(" ".join(address.hidden(text).split()), LONGEST)
