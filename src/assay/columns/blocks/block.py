"""A piece of a text file that ends at a line's end, as an array that words can be read from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.columns.files.source import Source
from assay.errors import InputError
from assay.records import Bytes, Ints, Words

__all__ = ["EXPECTED", "Block", "blocks"]

PAD = 32  # words are read up to this far outside of the text
LINE_FEED = 10
PADDING = bytes([LINE_FEED]) * PAD
LONGEST_LINE = 1 << 24
EXPECTED = "expected a text file in UTF-8, a parquet file, or either of them as .gz"
RECODE = "save the file as UTF-8, e.g. iconv -f latin1 -t utf-8 OLD > NEW"
SIZE = 1 << 22  # large enough to keep calls few, small enough for the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Whole lines of text between two pads; positions count from the start of ``data``."""

    data: Bytes
    first_line: int
    where: str

    @property
    def text(self) -> Bytes:
        """The lines themselves, without the pads."""
        return self.data[PAD:-PAD]

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return int(np.count_nonzero(self.text == LINE_FEED))

    def words(self, at: Ints) -> Words:
        """Read the eight bytes from each position as one little-endian number."""
        view: Words = np.ndarray((len(self.data) - 7,), "<u8", buffer=self.data, strides=(1,))
        return view[at]

    def token(self, start: int, end: int) -> str:
        """Return one field for a message."""
        return self.data[start:end].tobytes().decode("utf-8", "replace")

    def refuse(self, problem: str, line: int, hint: str) -> InputError:
        """Name the file and the line of a problem."""
        return InputError(problem, where=f"{self.where}, line {line}", hint=hint)


def blocks(source: Source) -> Iterator[Block]:
    """Cut a source into blocks of whole lines; a missing last line end is added."""
    rest, line = b"", 1
    for chunk in source.chunks(SIZE):
        cut = chunk.rfind(b"\n") + 1
        if cut:
            block = _block((rest, memoryview(chunk)[:cut]), line, source.name)
            yield block
            line += block.line_count
            rest = b""
        rest += chunk[cut:]
        if len(rest) > LONGEST_LINE:
            where, problem = f"{source.name}, line {line}", "the line is longer than 16 MB"
            raise InputError(problem, where=where, hint=EXPECTED)
    if rest:
        yield _block((rest, b"\n"), line, source.name)


def _block(parts: tuple[bytes | memoryview, ...], line: int, where: str) -> Block:
    """Join the parts between two pads, in one copy."""
    data = np.frombuffer(b"".join((PADDING, *parts, PADDING)), np.uint8)
    if data.max() > 127:
        _check_utf8(data[PAD:-PAD].tobytes(), line, where)
    return Block(data, line, where)


def _check_utf8(text: bytes, line: int, where: str) -> None:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        at = line + text.count(b"\n", 0, error.start)
        problem, hint = "the text is not valid UTF-8", RECODE
        if any(byte < 32 and byte not in b"\t\n\r" for byte in text[:1024]):
            problem, hint = "contains binary data", EXPECTED
        raise InputError(problem, where=f"{where}, line {at}", hint=hint) from None
