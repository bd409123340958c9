"""Workspaces that earlier steps of the ledger wrote, and all rows of a ledger."""

import tarfile
from contextlib import closing
from pathlib import Path

from assay.workspace.ledger._database import Database, run
from assay.workspace.ledger._schema import bring_up_to_date, find_step

PACKED = Path(__file__).with_name("written_before")
SAFELY = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from Python 3.11.4 on
STORED = sorted(path.name.partition(".")[0] for path in PACKED.glob("*.tar.gz"))


def unpack(step, folder):
    """Unpack the workspace of a step, and return its folder `.assay`."""
    with tarfile.open(PACKED / f"{step}.tar.gz") as packed:
        packed.extractall(folder, **SAFELY)
    return folder / ".assay"


def step_of(place):
    with closing(Database(str(place))) as database, database.reading() as connection:
        return find_step(connection)


def all_rows(place):
    """Read every table as it is, by its name; a row is a set of pairs, whatever the order."""
    from sqlalchemy import inspect

    with closing(Database(str(place))) as database, database.reading() as connection:
        tables = set(inspect(connection).get_table_names()) - {"alembic_version"}
        return {table: rows_of(connection, table) for table in sorted(tables)}


def rows_of(connection, table):
    rows = run(connection, f"SELECT * FROM {table}").mappings()
    return sorted((tuple(sorted(row.items())) for row in rows), key=repr)


RENAMED = {"recorded": {"unit": "tape"}}  # columns that a later step calls otherwise


def kept(before, after):
    """Tell whether the rows from before are all that their tables have.

    Columns may be new, or have another name by now.
    """
    return all(_are_kept(rows, after[table], table) for table, rows in before.items())


def _are_kept(before, after, table):
    renamed = RENAMED.get(table, {}) if any("tape" in dict(row) for row in after) else {}
    old = [{renamed.get(name, name): value for name, value in row} for row in before]
    new = [{name: value for name, value in row if not old or name in old[0]} for row in after]
    return sorted(map(sorted, map(dict.items, old)), key=repr) == sorted(
        map(sorted, map(dict.items, new)), key=repr
    )


def put_ledger(file, place):
    """Put the ledger in a file of some step to another place, at that step, row by row."""
    step, tables = step_of(file), all_rows(file)
    with closing(Database(str(place))) as database:
        bring_up_to_date(database, to=step)
        with database.writing() as connection:
            for table, rows in tables.items():
                for row in rows:
                    names = ", ".join(name for name, _ in row)
                    values = ", ".join(f":{name}" for name, _ in row)
                    run(connection, f"INSERT INTO {table} ({names}) VALUES ({values})", dict(row))
                if not database.is_file and rows and "number" in dict(rows[0]):
                    last = f"(SELECT max(number) FROM {table})"
                    count_on = f"SELECT setval(pg_get_serial_sequence('{table}', 'number'), {last})"
                    run(connection, count_on)
