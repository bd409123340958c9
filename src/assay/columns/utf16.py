"""A stream of UTF-16, as spreadsheet programs save "Unicode text" -> the same in UTF-8."""

import codecs
from typing import BinaryIO

__all__ = ["MARKS", "Utf8Stream"]

MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Utf8Stream:
    """Reads another stream, whose byte order mark tells how, and gives it in UTF-8."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-16")()

    def read(self, size: int) -> bytes:
        """Return some bytes, at most three for each two that are read; none at the end."""
        while piece := self._stream.read(size):
            if text := self._decoder.decode(piece):
                return text.encode()
        return self._decoder.decode(b"", final=True).encode()
