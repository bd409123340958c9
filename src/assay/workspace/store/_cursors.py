"""Pages of a list in the store: which rows they show."""

import re

from assay.records.pages import check_limit, make_page, read_cursor
from assay.workspace.store.texts import to_column

__all__ = ["check_limit", "contains_pattern", "make_page", "read_cursor"]


def contains_pattern(text: str) -> str:
    """Write a pattern of LIKE that finds a text anywhere in a folded name; ``!`` escapes."""
    folded = to_column(text.casefold())
    return f"%{re.sub('[!%_]', lambda found: f'!{found[0]}', folded)}%"
