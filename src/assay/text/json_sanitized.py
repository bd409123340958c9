"""JSON with the same values, in characters that control no terminal."""

from assay.text.sanitize import UNSAFE

__all__ = ["json_sanitized"]


def json_sanitized(text: str) -> str:
    r"""Escape in JSON what ``sanitize`` would spell out; who reads it gets the same texts.

    >>> json_sanitized('"a' + chr(0x202e) + '"')
    '"a\\u202e"'
    """
    return UNSAFE.sub(lambda found: _escaped(found[0]), text)


def _escaped(found: str) -> str:
    pairs = found.encode("utf-16-be", "surrogatepass")
    units = (pairs[at : at + 2].hex() for at in range(0, len(pairs), 2))
    return found if len(found) > 1 else "".join(f"\\u{unit}" for unit in units)
