"""A text that is wider than a row of a terminal -> as much of it as the row can show."""

from assay.text.text_width import text_width

__all__ = ["fit_end", "fit_width"]


def fit_width(text: str, width: int) -> str:
    """Keep the beginning of a text that is wider than a row; nothing if only the mark fits.

    >>> fit_width("a long text", 7), fit_width("検索エンジン", 6), fit_width("a text", 1)
    ('a long…', '検索…', '')
    """
    if text_width(text) <= width:
        return text
    kept = text[: max(width - 1, 0)]
    while text_width(kept) >= width > 0:
        kept = kept[:-1]
    return f"{kept}…" if kept else ""


def fit_end(text: str, width: int) -> str:
    """Keep the end of a text that is wider than a row: there stands what tells files apart.

    >>> fit_end("docs/a/long/path.md", 12), fit_end("検索エンジン", 6)
    ('…ong/path.md', '…ジン')
    """
    if text_width(text) <= width:
        return text
    kept = text[1 - width :]
    while kept and text_width(kept) >= width:
        kept = kept[1:]
    return f"…{kept}"
