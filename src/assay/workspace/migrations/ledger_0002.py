"""Step 2: what a service keeps: datasets with versions, corpora, mappings, judgments, and more."""

from typing import Any

import sqlalchemy as sa
from alembic import op

__all__ = ["downgrade", "upgrade"]

revision = "0002"
down_revision = "0001"

# SQLite counts up by itself only in a column that it calls INTEGER.
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = (
    *("datasets", "dataset_versions", "dataset_rows", "corpora", "mappings", "mapping_uses"),
    *("unresolved", "choices", "judgments", "events", "access_tokens", "audit"),
)


def upgrade() -> None:
    """Make all tables of the service."""
    _datasets()
    _corpora()
    _mappings()
    _references()
    _judgments()
    _events()
    _tokens()
    _audit()


def downgrade() -> None:
    """Remove all tables of the service, with what is in them."""
    for table in TABLES:
        op.drop_table(table)


def _datasets() -> None:
    """A row belongs to all versions from ``since`` on, and to none from ``until`` on."""
    _numbered("datasets", *_named(), sa.Column("version", sa.Integer, nullable=False))
    _unique_alive("datasets", ["name"])
    op.create_table(
        "dataset_versions",
        sa.Column("dataset", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("queries", sa.Integer, nullable=False),
        sa.Column("judgments", NUMBER, nullable=False),
        sa.Column("documents", sa.Integer, nullable=False),
        sa.Column("changes", sa.Text, nullable=False),
        sa.Column("settings", sa.LargeBinary, nullable=False),
        sa.Column("restored", sa.Integer),
    )
    _numbered(
        "dataset_rows",
        sa.Column("dataset", NUMBER, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.LargeBinary, nullable=False),
        sa.Column("place", NUMBER, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("judgments", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    once = ["dataset", "kind", "name", "until"]
    op.create_index("dataset_rows_once", "dataset_rows", once, unique=True)
    in_order = ["dataset", "kind", "until", "place"]
    op.create_index("dataset_rows_in_order", "dataset_rows", in_order)
    op.create_index("dataset_rows_since", "dataset_rows", ["dataset", "since"])


def _corpora() -> None:
    _numbered(
        "corpora",
        *_named(),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("documents", NUMBER),
        sa.Column("skipped", sa.Text, nullable=False),
        sa.Column("last_read", sa.Double),
    )
    _unique_alive("corpora", ["name"])


def _mappings() -> None:
    _numbered(
        "mappings",
        *_kept(),
        sa.Column("dataset", NUMBER, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("corpus", NUMBER, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("resolved", sa.Integer, nullable=False),
        sa.Column("ambiguous", sa.Integer, nullable=False),
        sa.Column("missing", sa.Integer, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("resolved_at", sa.Double),
    )
    _unique_alive("mappings", ["dataset", "version", "corpus"])
    op.create_index("mappings_of_corpus", "mappings", ["corpus"])
    op.create_table(
        "mapping_uses",
        sa.Column("mapping", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("benchmark", sa.Text, primary_key=True),
    )


def _references() -> None:
    """``reference_name`` is a hash of the reference, by which a choice finds its rows."""
    op.create_table(
        "unresolved",
        sa.Column("mapping", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("item", sa.Integer, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("reference_name", sa.LargeBinary, nullable=False),
        sa.Column("reference", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("candidates", sa.Text, nullable=False),
        sa.Column("chosen", sa.Integer, nullable=False),
    )
    op.create_table(
        "choices",
        sa.Column("dataset", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("corpus", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("reference_name", sa.LargeBinary, primary_key=True),
        sa.Column("reference", sa.Text, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )


def _judgments() -> None:
    """``name`` is a hash of what is judged and by whom: the newest row of a name counts."""
    _numbered(
        "judgments",
        sa.Column("dataset", NUMBER, nullable=False),
        sa.Column("name", sa.LargeBinary, nullable=False),
        sa.Column("query_name", sa.LargeBinary, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("grade", sa.Integer),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    for key in ("name", "query_name"):
        op.create_index(f"judgments_by_{key}", "judgments", ["dataset", key, "number"])
    op.create_index("judgments_in_order", "judgments", ["dataset", "number"])


def _events() -> None:
    _numbered(
        "events",
        sa.Column("id", sa.Text),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("received", sa.Double, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("benchmark", sa.Text, nullable=False),
        sa.Column("configuration", sa.Text, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
    )
    op.create_index("events_once", "events", ["id"], unique=True)
    op.create_index("events_received", "events", ["received"])
    for column in ("user_id", "benchmark"):
        some = sa.text(f"{column} <> ''")
        op.create_index(
            f"events_of_{column}",
            "events",
            [column, "number"],
            sqlite_where=some,
            postgresql_where=some,
        )


def _tokens() -> None:
    _numbered(
        "access_tokens",
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("expires", sa.Double),
        sa.Column("last_used", sa.Double),
        sa.Column("revoked", sa.Double),
    )
    _unique_alive("access_tokens", ["name"], ended="revoked")


def _audit() -> None:
    _numbered(
        "audit",
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("object", sa.Text, nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("after", sa.Text, nullable=False),
    )
    op.create_index("audit_of_object", "audit", ["kind", "object", "number"])


def _numbered(table: str, *columns: sa.Column[Any]) -> None:
    """Make a table whose rows count up; the number of a removed row is never given again."""
    number = sa.Column("number", NUMBER, primary_key=True, autoincrement=True)
    op.create_table(table, number, *columns, sqlite_autoincrement=True)


def _kept() -> list[sa.Column[Any]]:
    """Make the columns of what can be changed, and marked as deleted."""
    return [
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.Column("deleted", sa.Double),
    ]


def _named() -> list[sa.Column[Any]]:
    """Make the columns of what has a name; ``folded`` is the name without upper case."""
    name = sa.Column("name", sa.Text, nullable=False)
    return [*_kept(), name, sa.Column("folded", sa.Text, nullable=False)]


def _unique_alive(table: str, columns: list[str], *, ended: str = "deleted") -> None:
    """Let no two rows be the same in these columns, but for those that are over."""
    alive = sa.text(f"{ended} IS NULL")
    op.create_index(
        f"{table}_alive", table, columns, unique=True, sqlite_where=alive, postgresql_where=alive
    )
