"""Where a dataset is read from: a file, compressed or not, standard input, or a folder."""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Self

from assay.columns import Source
from assay.errors import InputError

__all__ = ["Place"]

LONGEST = 64_000_000  # bytes of a line


class Place:
    """A path with its first bytes; use it in a ``with`` block, which closes its file.

    ``binary`` says that judgments without a grade column mean relevant documents, ``subtopics``
    that the second column of TREC's judgments names what a document is judged for. ``entry`` is the
    number of ``content`` in a file that is a list.
    """

    def __init__(
        self,
        where: str | Path,
        *,
        binary: bool = False,
        subtopics: bool = False,
        content: bytes | None = None,
        entry: int | None = None,
    ) -> None:
        self.binary, self.subtopics = binary, subtopics
        self.path = Path(where)
        self.is_folder = str(where) != "-" and os.path.isdir(where)  # noqa: PTH112 - never raises
        self._source = None if self.is_folder else Source(where, content=content)
        name = str(where) if self._source is None else self._source.name
        self.name = name if entry is None else f"{name}, entry {entry}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._source is not None:
            self._source.__exit__()

    @property
    def source(self) -> Source:
        """The open file."""
        if self._source is None:
            hint = "give the path of a file in it"
            raise InputError("is a folder, not a file", where=self.name, hint=hint)
        return self._source

    @property
    def stem(self) -> str:
        """The name without its extensions: what an unnamed dataset is called."""
        name = self.path.resolve().name if self.is_folder else self.path.name.partition(".")[0]
        return name if name not in ("", "-") else "dataset"

    @property
    def home(self) -> str:
        """The folder that relative paths inside the dataset start from."""
        return str(self.path if self.is_folder else self.path.parent)

    @cached_property
    def head(self) -> bytes:
        """The first bytes of a file; nothing for a folder."""
        return b"" if self._source is None else self._source.head()

    def file(self, *names: str) -> Path | None:
        """Return the first of these files that the folder holds."""
        found = (self.path / name for name in names)
        return next((path for path in found if path.is_file()), None) if self.is_folder else None

    def read(self, *, most: int | None = None) -> bytes:
        """Return the whole content; more than ``most`` bytes are refused before they are read."""
        pieces, size = [], 0
        for piece in self.source.chunks(1 << 20):
            size += len(piece)
            if most is not None and size > most:
                hint = "raise the limit (--max-bytes), or use another format, which has no limit"
                raise InputError(f"is larger than {most:,} bytes", where=self.name, hint=hint)
            pieces.append(piece)
        return b"".join(pieces)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each line that is not empty, with its number; whatever ends lines is left out."""
        for number, line in enumerate(self._every_line(), 1):
            if line.strip():
                yield number, line.rstrip(b"\r")

    def _every_line(self) -> Iterator[bytes]:
        """Yield each line; its pieces are joined once, at its end."""
        held, size, number = list[bytes](), 0, 1
        for piece in self.source.chunks(1 << 20):
            start, *others = piece.split(b"\n")
            held.append(start)
            size += len(start)
            if size > LONGEST:
                hint = "put each record on its own line"
                problem = f"line {number} is longer than {LONGEST:,} bytes"
                raise InputError(problem, where=self.name, hint=hint)
            if others:
                yield b"".join(held)
                yield from others[:-1]
                held, size, number = [others[-1]], len(others[-1]), number + len(others)
        yield b"".join(held)
