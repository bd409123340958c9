"""Where bytes come from: a file, a compressed file, or standard input."""

import sys
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from assay.errors import InputError

__all__ = ["Source"]

GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Source:
    """One input: its name for messages, its first bytes for recognising, and its whole content."""

    def __init__(self, path: str | Path) -> None:
        self.name = "standard input" if str(path) == "-" else str(path)
        self.path = None if str(path) == "-" else Path(path)
        self._stream = self._open()
        self._head: bytes | None = None

    @property
    def suffix(self) -> str:
        """The extension that names the format, without ``.gz``."""
        name = self.name.lower().removesuffix(".gz")
        return name[name.rfind(".") :] if "." in name else ""

    def head(self) -> bytes:
        """Return the first bytes without using them up."""
        if self._head is None:
            self._head = self._read(1 << 16).removeprefix(BYTE_ORDER_MARK)
            self._refuse_nothing(self._head)
        return self._head

    def read_all(self) -> bytes:
        """Return everything."""
        return b"".join(self.chunks(1 << 24))

    def chunks(self, size: int) -> Iterator[bytes]:
        """Yield everything, a piece at a time."""
        yield self.head()
        while piece := self._read(size):
            yield piece

    def _open(self) -> BinaryIO:
        raw = (
            cast("BufferedReader", sys.stdin.buffer)
            if self.path is None
            else self._open_file(self.path)
        )
        if raw.peek(2)[:2] != GZIP_MAGIC:
            return raw
        import gzip  # only compressed input needs it

        return cast("BinaryIO", gzip.open(raw, "rb"))

    def _open_file(self, path: Path) -> BufferedReader:
        if path.is_dir():
            raise InputError("is a folder, not a file", where=self.name, hint="name a file in it")
        try:
            return path.open("rb")
        except FileNotFoundError:
            near = _near_miss(path)
            hint = f"did you mean {near}?" if near else "check the path"
            raise InputError("no such file", where=self.name, hint=hint) from None
        except OSError as error:
            problem = f"cannot be opened ({error.strerror})"
            raise InputError(problem, where=self.name, hint="check its permissions") from None

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except EOFError:
            problem = "the compressed file ends too early"
            raise InputError(problem, where=self.name, hint="fetch or write it again") from None
        except (OSError, zlib.error) as error:
            problem = f"cannot be read ({error})"
            raise InputError(problem, where=self.name, hint="fetch or write it again") from None

    def _refuse_nothing(self, head: bytes) -> None:
        if not head.strip():
            hint = "was the program that writes it stopped, or the path wrong?"
            raise InputError("is empty", where=self.name, hint=hint)


def _near_miss(path: Path) -> str:
    import difflib  # only a wrong path needs it

    if not path.parent.is_dir():
        return ""
    names = [entry.name for entry in path.parent.iterdir()]
    close = difflib.get_close_matches(path.name, names, n=1)
    return str(path.parent / close[0]) if close else ""
