"""Parquet: the values themselves, typed."""

import io

from assay.records import Table

__all__ = ["parquet"]


def parquet(tables: list[Table]) -> bytes:
    """Write the first table, which holds the data."""
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
