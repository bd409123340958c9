"""Bytes -> text: which files are text at all, and in what encoding."""

import codecs
import re

__all__ = ["HEAD", "decode", "encoding"]

HEAD = 8192  # the bytes that tell text from binary, as in git; what follows cannot change it

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What no text holds: control characters besides white space, backspace and escape (which
# terminal output and old manuals have).
PDF = b"%PDF-"  # its first bytes can be text, what follows never is
_CONTROL = re.compile(rb"[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]")


def encoding(head: bytes) -> str:
    """Name the encoding of a file that begins like this; empty if it is not text.

    A byte order mark decides, then UTF-8. What is neither is read as Windows-1252, the superset
    of Latin-1 that such files really use, unless it holds control characters. Only the first bytes
    are examined, so that the same files are documents whether or not their texts are requested.
    """
    head = head[:HEAD]
    if head.startswith(PDF):
        return ""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return "" if "\0" in _unstrict(head, name) else name
    if b"\0" in head:
        return ""
    if _decodes(head, "utf-8"):
        return "utf-8"
    return "cp1252" if not _CONTROL.search(head) and _decodes(head, "cp1252") else ""


def decode(data: bytes, name: str) -> str:
    """Decode a whole file in the encoding of its first bytes; line ends stay as they are."""
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        # Broken further on. If all was ASCII so far, it is an old file with its first accent there.
        late = name == "utf-8" and data[:HEAD].isascii()
        return data.decode("cp1252" if late else name, "replace")


def _decodes(head: bytes, name: str) -> bool:
    """Say whether the bytes are valid; a character that the end cuts in two is no fault."""
    try:
        codecs.getincrementaldecoder(name)().decode(head, final=len(head) < HEAD)
    except UnicodeDecodeError:
        return False
    return True


def _unstrict(head: bytes, name: str) -> str:
    return head[: len(head) & ~1].decode(name, "replace")
