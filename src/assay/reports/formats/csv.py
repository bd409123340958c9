"""CSV: the values themselves, at full precision."""

import csv as csv_module
import io

from assay.records import Table

__all__ = ["csv"]


def csv(tables: list[Table]) -> bytes:
    """Write the first table, which holds the data."""
    stream = io.StringIO()
    writer = csv_module.writer(stream, lineterminator="\n")
    writer.writerow(tables[0].titles)
    writer.writerows(["" if cell is None else cell for cell in row] for row in tables[0].rows)
    return stream.getvalue().encode()
