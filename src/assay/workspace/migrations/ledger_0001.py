"""Step 1: benchmarks, their runs and units of work, and the rows that units record."""

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0001"
down_revision = None

# SQLite counts up by itself only in a column that it calls INTEGER.
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make all tables."""
    _benchmarks()
    _units()
    _links()
    _rows()


def _benchmarks() -> None:
    op.create_table(
        "benchmarks",
        sa.Column("number", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("identity", sa.Text, nullable=False, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("cancel", sa.Integer, nullable=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.Column("report", sa.LargeBinary),
    )
    op.create_table(
        "runs",
        sa.Column("benchmark", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
    )


def _units() -> None:
    op.create_table(
        "units",
        sa.Column("number", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("key", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("bytes", NUMBER, nullable=False),
        sa.Column("fence", sa.Integer, nullable=False),
        sa.Column("worker", sa.Text),
        sa.Column("lease_s", sa.Double),
        sa.Column("lease_until", sa.Double),
        sa.Column("claimed_for", sa.Text),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("used", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
    )


def _links() -> None:
    """Units are named by their key: what is forgotten may be made again under the same name."""
    op.create_table(
        "needs",
        sa.Column("unit", sa.Text, primary_key=True),
        sa.Column("need", sa.Text, primary_key=True, index=True),
        sa.Column("place", sa.Integer, nullable=False),
    )
    op.create_table(
        "steps",
        sa.Column("benchmark", sa.Text, primary_key=True),
        sa.Column("unit", sa.Text, primary_key=True, index=True),
        sa.Column("place", sa.Integer, nullable=False),
    )
    op.create_table(
        "uses",
        sa.Column("benchmark", sa.Text, primary_key=True),
        sa.Column("run", sa.Text, primary_key=True),
        sa.Column("unit", sa.Text, primary_key=True),
    )


def _rows() -> None:
    op.create_table(
        "recorded",
        sa.Column("number", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("unit", NUMBER, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("value", sa.LargeBinary),
        sa.Column("times", sa.Text, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
    )
    op.create_index("recorded_once", "recorded", ["unit", "query", "round"], unique=True)
    op.create_index("recorded_in_order", "recorded", ["unit", "round", "number"])
    wrong = sa.text("error <> ''")
    op.create_index(
        "recorded_wrong", "recorded", ["unit"], sqlite_where=wrong, postgresql_where=wrong
    )
