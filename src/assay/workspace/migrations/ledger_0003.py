"""Step 3: benchmarks that any process can go on with, tapes that several units share, machines."""

import sqlalchemy as sa
from alembic import op

__all__ = ["downgrade", "upgrade"]

revision = "0003"
down_revision = "0002"

# SQLite counts up by itself only in a column that it calls INTEGER.
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TEXTS = ("machine", "salt", "error")


def upgrade() -> None:
    """Add what a process must know to go on with a benchmark; give tapes a table of their own."""
    op.add_column("benchmarks", _text("kind", "benchmark"))
    op.add_column("benchmarks", sa.Column("job", sa.Text))
    for name in TEXTS:
        op.add_column("benchmarks", _text(name))
    op.add_column("units", _text("tape"))
    _tapes()
    op.create_table(
        "machines",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("description", sa.Text, nullable=False),
    )
    op.create_table(
        "workers",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("benchmark", sa.Text, nullable=False, index=True),
        sa.Column("seen", sa.Double, nullable=False),
    )


def downgrade() -> None:
    """Go back; only stage outputs that step 2 knows are kept: now several units may share one."""
    op.drop_table("workers")
    op.drop_table("machines")
    op.execute(
        """DELETE FROM recorded WHERE tape NOT IN (SELECT tapes.number FROM tapes
        JOIN units ON units.key = tapes.key AND units.number = tapes.number)"""
    )
    op.execute(
        """UPDATE units SET state = 'pending', done = 0, bytes = 0
        WHERE tape <> key AND kind <> 'build'"""
    )
    op.execute("ALTER TABLE recorded RENAME COLUMN tape TO unit")
    op.drop_table("tapes")
    op.drop_column("units", "tape")
    for name in ("kind", "job", *TEXTS):
        op.drop_column("benchmarks", name)


def _tapes() -> None:
    """Make a tape of each unit that recorded something, under the same number and name."""
    op.create_table(
        "tapes",
        sa.Column("number", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("key", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("rows", NUMBER, nullable=False),
        sa.Column("bytes", NUMBER, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("used", sa.Double, nullable=False),
    )
    op.execute("UPDATE units SET tape = key WHERE kind <> 'build'")
    op.execute(
        """INSERT INTO tapes (number, key, name, rows, bytes, created, used)
        SELECT number, key, name, done, bytes, created, used FROM units WHERE tape <> ''"""
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            """SELECT setval(pg_get_serial_sequence('tapes', 'number'),
            (SELECT coalesce(max(number), 1) FROM tapes))"""
        )
    op.execute("ALTER TABLE recorded RENAME COLUMN unit TO tape")


def _text(name: str, default: str = "") -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default=default)
