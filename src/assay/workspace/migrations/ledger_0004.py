"""Step 4: benchmarks of a service: by whom, when started, how many workers, and marked deleted."""

import sqlalchemy as sa
from alembic import op

__all__ = ["downgrade", "upgrade"]

revision = "0004"
down_revision = "0003"

ADDED = ("author", "started", "start_key", "parallel", "lane", "folded", "deleted", "revision")
LISTED = ["kind", "number", "state", "folded"]
INDEXES = (
    "benchmarks_listed",
    "benchmarks_deleted",
    "benchmarks_open",
    "benchmarks_jobs",
    "benchmarks_ended",
)


def upgrade() -> None:
    """Add the columns; all that is there was started at once, and by nobody who is known."""
    for name in ("author", "start_key", "lane", "folded"):
        op.add_column("benchmarks", sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.add_column("benchmarks", sa.Column("started", sa.Double))
    op.add_column("benchmarks", sa.Column("deleted", sa.Double))
    for name, default in (("parallel", "0"), ("revision", "1")):
        column = sa.Column(name, sa.Integer, nullable=False, server_default=default)
        op.add_column("benchmarks", column)
    _move_reports_behind()
    _fill()
    _index("benchmarks_listed", LISTED, "deleted IS NULL")
    _index("benchmarks_deleted", LISTED, "deleted IS NOT NULL")
    _index("benchmarks_open", ["number"], "state IN ('pending', 'running')")
    _index("benchmarks_jobs", ["number", "kind", "state"], "kind <> 'benchmark'")
    _index("benchmarks_ended", ["finished"], "finished IS NOT NULL")


def downgrade() -> None:
    """Remove the columns; what was not started yet is cancelled, and nothing stays deleted."""
    op.execute(
        """UPDATE benchmarks SET state = 'cancelled', cancel = 1
        WHERE kind = 'benchmark' AND state = 'pending'"""
    )
    for name in INDEXES:
        op.drop_index(name, "benchmarks")
    for name in ADDED:
        op.drop_column("benchmarks", name)


def _move_reports_behind() -> None:
    """Make the report the last column of a row.

    To read a column behind it, SQLite reads all pages of the report: 50 benchmarks of a list with
    reports of 1 MB took ten times as long. PostgreSQL stores long values apart.
    """
    if op.get_bind().dialect.name == "sqlite":
        op.execute("ALTER TABLE benchmarks ADD COLUMN content BLOB")
        op.execute("UPDATE benchmarks SET content = report WHERE report IS NOT NULL")
        op.execute("ALTER TABLE benchmarks DROP COLUMN report")
        op.execute("ALTER TABLE benchmarks RENAME COLUMN content TO report")


def _fill() -> None:
    """Fold the names as Python does: databases know fewer letters."""
    link = op.get_bind()
    link.execute(sa.text("UPDATE benchmarks SET started = created WHERE state <> 'pending'"))
    rows = link.execute(sa.text("SELECT number, name FROM benchmarks")).all()
    folded = [{"number": number, "folded": name.casefold()} for number, name in rows]
    if folded:
        fold = "UPDATE benchmarks SET folded = :folded WHERE number = :number"
        link.execute(sa.text(fold), folded)


def _index(name: str, columns: list[str], where: str) -> None:
    some = sa.text(where)
    op.create_index(name, "benchmarks", columns, sqlite_where=some, postgresql_where=some)
