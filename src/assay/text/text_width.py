"""A text -> the columns that it takes in a terminal, by one rule for tables and for lines."""

__all__ = ["text_width"]


def text_width(text: str) -> int:
    """Count columns: two for a wide character or an emoji, however it is composed.

    >>> text_width("words"), text_width("検索"), text_width("e" + chr(0x301))
    (5, 4, 1)
    """
    if text.replace("…", ".").isascii():  # which marks what we shortened
        return len(text)
    from rich.cells import cell_len  # only texts beyond ASCII need it

    return cell_len(text)
