"""Parquet: the values themselves, typed."""

import io

from assay.extras import require_extra
from assay.records import Table

__all__ = ["parquet"]


def parquet(tables: list[Table]) -> bytes:
    """Write the main table as Parquet."""
    require_extra("frames", "a parquet file needs the package polars")
    import polars as pl  # costs more than a small evaluation

    columns = (
        zip(*tables[0].rows, strict=True) if tables[0].rows else ([] for _ in tables[0].titles)
    )
    frame = pl.DataFrame(
        {title: list(values) for title, values in zip(tables[0].titles, columns, strict=True)},
        strict=False,
    )
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()
