"""A stream of UTF-16, as spreadsheet programs save "Unicode text" -> the same in UTF-8."""

import codecs
import re
from typing import BinaryIO

__all__ = ["MARKS", "SIGN", "Utf8Stream"]

MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SIGN = re.compile(rb"(?:[\t\n\r -~]\0){8}")  # eight letters that are each followed by a zero byte


class Utf8Stream:
    """Reads another stream, whose byte order mark tells how, and gives it in UTF-8.

    ``bare`` says that there is no mark, as Windows programs write it.
    """

    def __init__(self, stream: BinaryIO, *, bare: bool = False) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-16-le" if bare else "utf-16")()

    def read(self, size: int) -> bytes:
        """Return some bytes, at most three for each two that are read; none at the end."""
        while piece := self._stream.read(size):
            if text := self._decoder.decode(piece):
                return text.encode()
        return self._decoder.decode(b"", final=True).encode()
