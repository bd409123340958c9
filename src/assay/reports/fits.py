"""Whether a table fits into a width as it is, or with shorter names."""

from dataclasses import replace

from assay.records import Table
from assay.reports.layout import layout
from assay.reports.shorten_names import bare
from assay.reports.text import text

__all__ = ["fits", "fits_named", "fits_whole"]


def fits(table: Table, width: int) -> bool:
    """Tell whether no columns have to stand below the others, however short names become."""
    plain = replace(table, caption="")  # which may take several lines
    return len(layout(plain, width)) == len(layout(plain))


def fits_named(table: Table, width: int) -> bool:
    """Tell whether names in the first column need lose no more than the keys of their settings."""
    shown = {(row, 0): bare(text(table, row, 0)) for row in range(len(table.rows))}
    plain = replace(table, caption="", texts={**table.texts, **shown})
    return fits(plain, width) and fits_whole(plain, width)


def fits_whole(table: Table, width: int) -> bool:
    """Tell whether no line is longer, with all names as they are."""
    lines = layout(replace(table, caption=""))
    return all(sum(len(one.text) for one in line) <= width for line in lines)
