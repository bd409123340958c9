"""Mapping: what each reference of a dataset leads to, a row per judgment, for other programs."""

from assay.records import Resolution, Table

__all__ = ["mapping"]

TITLES = ("query", "reference", "key", "documents", "reason", "candidates", "spared")


def mapping(resolution: Resolution) -> Table:
    """List every judgment in the dataset's order; several documents are parted by a line break."""
    rows = [
        (
            row.query,
            str(row.reference),
            row.key or None,
            "\n".join(row.documents) or None,
            row.reason or None,
            "\n".join(row.candidates) or None,
            str(row.spared).lower(),
        )
        for row in resolution.rows
    ]
    return Table(TITLES, rows)
