"""Bytes -> text, or the line at which they are none."""

from assay.errors import InputError

__all__ = ["utf8"]

HINT = "save the file as UTF-8"


def utf8(content: bytes, *, where: str) -> str:
    """Decode UTF-8, with or without a byte order mark."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"the text is not valid UTF-8 (byte {error.start:,})"
        raise InputError(problem, where=f"{where}, line {line}", hint=HINT) from None
