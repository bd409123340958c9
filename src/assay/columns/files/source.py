"""Where bytes come from: a file, a compressed file, or standard input."""

import codecs
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import BinaryIO, Self, cast

from assay.columns.files.near_file import near_file
from assay.errors import InputError

__all__ = ["Source"]

GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SEPARATOR = re.compile(rb"sep=[,;\t]\r?\n", re.IGNORECASE)  # the line that Excel reads and hides
MOST = 2_000_000_000  # bytes that a compressed file may hold, unless the environment says more
LIMIT = "ASSAY_MAX_UNPACKED_BYTES"
BLANK = 1 << 24  # bytes without a letter that a text may begin with
HEAD = 1 << 16  # bytes that a format is recognised by
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
UTF16_SIGN = re.compile(rb"(?:[\t\n\r -~]\0){8}")  # eight letters, each before a zero byte


class Source:
    """One input: its name for messages, its first bytes for recognising, and its whole content.

    ``content`` is a part of the file, which is read in its place.
    ``wide`` says, once its head was read, that the text is UTF-16; what is read is UTF-8.
    Use it in a ``with`` block, which closes its file.
    """

    def __init__(self, path: str | Path, *, content: bytes | None = None) -> None:
        self.name = "standard input" if str(path) == "-" else str(path) or '""'
        self.path = None if str(path) == "-" else Path(path)
        self._raw = self._opened(content)
        self._stream: BinaryIO | _Utf8Stream = self._unpacked()
        self.wide = False
        self._left: int | None = None
        self._head: bytes | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.path is not None:
            self._raw.close()

    def head(self) -> bytes:
        """Return the first bytes without using them up."""
        if self._head is None:
            self._left = _limit() if self._stream is not self._raw else None
            self._narrow()
            head = self._read(HEAD).removeprefix(BYTE_ORDER_MARK)
            while not head.strip() and len(head) < BLANK and (more := self._read(HEAD)):
                head += more
            self._refuse_nothing(head)
            excel = SEPARATOR.match(head)
            self._head = b"\n" + head[excel.end() :] if excel else head
        return self._head

    def first_fields(self) -> list[bytes]:
        """Return the fields of the first line that is neither empty nor a comment."""
        lines = (line.split() for line in BytesIO(self.head()))  # no further than needed
        return next((line for line in lines if line and not line[0].startswith(b"#")), [])

    def read_all(self) -> bytes:
        """Return everything."""
        return b"".join(self.chunks(1 << 24))

    def chunks(self, size: int) -> Iterator[bytes]:
        """Yield everything, a piece at a time."""
        yield self.head()
        while piece := self._read(size):
            yield piece

    def _opened(self, content: bytes | None) -> BufferedReader:
        if content is not None:
            return BufferedReader(cast("RawIOBase", BytesIO(content)))
        return self._stdin() if self.path is None else self._open()

    def _stdin(self) -> BufferedReader:
        if sys.stdin is None:
            raise InputError(
                "standard input is closed", hint="give the path of a file instead of -"
            )
        return cast("BufferedReader", sys.stdin.buffer)

    def _open(self) -> BufferedReader:
        try:
            return cast("Path", self.path).open("rb")
        except IsADirectoryError:
            problem, hint = "is a folder, not a file", "give the path of a file in it"
        except FileNotFoundError:
            near = _near_miss(cast("Path", self.path))
            problem, hint = "no such file", f"did you mean {near}?" if near else "check the path"
        except PermissionError:
            problem, hint = "cannot be opened (no permission)", "check its permissions"
        except (OSError, ValueError) as error:  # a name too long, or with a zero byte in it
            reason = getattr(error, "strerror", None) or str(error)
            problem, hint = f"cannot be opened ({reason})", "check the path"
        first = self.name.partition("\n")[0][:200]  # it may be a whole run, given as a text
        where = first if first == self.name else f"{first} ..."
        raise InputError(problem, where=where, hint=hint) from None

    def _unpacked(self) -> BinaryIO:
        try:
            packed = self._raw.peek(2)[:2] == GZIP_MAGIC
        except OSError as error:
            self._raw.close()
            problem = f"cannot be read ({error.strerror})"
            raise InputError(
                problem, where=self.name, hint="check that it is a text file"
            ) from None
        if not packed:
            return self._raw
        import gzip  # only compressed input needs it

        return cast("BinaryIO", gzip.open(self._raw, "rb"))

    def _narrow(self) -> None:
        if self.wide:  # asked again, after what is in the file was refused
            return
        stream = cast("BufferedReader", self._stream)
        first = self._safely(lambda: stream.peek(16))
        bare = bool(UTF16_SIGN.match(first))
        self.wide = bare or first[:2] in UTF16_MARKS
        self._stream = _Utf8Stream(stream, bare=bare) if self.wide else stream

    def _read(self, size: int) -> bytes:
        piece = self._safely(lambda: self._stream.read(size))
        if self._left is not None:
            self._left -= len(piece)
            if self._left < 0:
                problem = f"contains more than {_limit():,} bytes when decompressed"
                hint = f"decompress it first, or raise the limit: set {LIMIT}"
                raise InputError(problem, where=self.name, hint=hint)
        return piece

    def _safely(self, read: Callable[[], bytes]) -> bytes:
        try:
            return read()
        except UnicodeDecodeError:
            problem, hint = "starts as UTF-16, but is not valid UTF-16", "save the file as UTF-8"
            raise InputError(problem, where=self.name, hint=hint) from None
        except EOFError:
            problem = "the compressed file is truncated"
            raise InputError(problem, where=self.name, hint="download or create it again") from None
        except (OSError, zlib.error) as error:
            problem = f"cannot be read ({error})"
            raise InputError(problem, where=self.name, hint="download or create it again") from None

    def _refuse_nothing(self, head: bytes) -> None:
        if not head.strip():
            hint = "check the path, and whether the program that writes the file finished"
            raise InputError("is empty", where=self.name, hint=hint)


def _limit() -> int:
    """Return how many bytes may come out of a compressed file: a small one can hold petabytes."""
    told = os.environ.get(LIMIT, "").strip().replace("_", "")
    if not told:
        return MOST
    if not told.isascii() or not told.isdigit() or int(told[:19]) < 1:
        hint = f"expected a positive whole number, e.g. {LIMIT}=10000000000"
        raise InputError(f'{LIMIT}: invalid value "{told[:40]}"', hint=hint)
    return int(told[:19])


def _near_miss(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    close = near_file(path.name, names)
    return str(path.parent / close) if close else ""


class _Utf8Stream:
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
