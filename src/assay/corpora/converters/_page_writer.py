"""The elements of a page of HTML -> its text, block by block."""

import re

__all__ = ["SPACE", "PageWriter"]

HEADINGS = {f"h{level}": f"{'#' * level} " for level in range(1, 7)}
INLINE = (
    "a abbr acronym b bdi bdo big button cite code data del dfn em font i input ins kbd label mark "
    "meter output q s samp select small span strike strong sub sup time tt u var wbr br img"
)
BESIDE = {*INLINE.split()}
CELLS = {"td", "th"}
DEEPEST = 9  # steps by which a list in a list is indented
SPACE = re.compile(r"[ \t\n\r\f]+")


class PageWriter:
    """Text that is written block by block; items of a list and rows of a table stand together."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._words: list[str] = []
        self._prefix = ""
        self._cells: list[list[str]] = []  # of the rows that are open
        self._raw = 0  # elements that are open in which white space counts
        self._lists = 0
        self._last = ""

    @property
    def text(self) -> str:
        """All that was written."""
        self._flush()
        return "".join(self._blocks)

    def write(self, text: str) -> None:
        """Write words."""
        self._words.append(text if self._raw else SPACE.sub(" ", text))

    def begin(self, tag: str) -> None:
        """Begin an element."""
        if tag == "br":
            self._words.append("\n")
        elif tag not in BESIDE and not self._raw:
            self._flush()
            self._lists += tag in ("ul", "ol")
            if tag == "li":
                self._prefix = f"{'  ' * min(self._lists - 1, DEEPEST)}- "
            elif tag == "tr":
                self._cells.append([])
            else:
                self._prefix = HEADINGS.get(tag, self._prefix)
        self._raw += tag == "pre"

    def end(self, tag: str) -> None:
        """End an element."""
        self._raw -= tag == "pre"
        if tag in BESIDE or self._raw:
            return
        if tag == "pre" and not self._cells:
            code = "".join(self._words).strip("\n")
            self._put(f"```\n{code}\n```")
        elif tag in CELLS and self._cells:
            self._cells[-1].append(" ".join("".join(self._words).split()))
            self._words = []
        elif tag == "tr" and self._cells:
            self._row(self._cells.pop())
        else:
            self._flush()
            self._prefix = "" if tag == "li" or tag in HEADINGS else self._prefix
        self._lists -= tag in ("ul", "ol")

    def _row(self, cells: list[str]) -> None:
        written = f"| {' | '.join(cells)} |"
        if self._cells:  # a table in a cell is part of its text
            self._words.append(f" {written} ")
        elif any(cells):
            self._put(written)

    def _flush(self) -> None:
        """End a block; inside of a row it is a blank, so that a row is a line."""
        if self._cells:
            self._words.append(" ")
            return
        lines = [" ".join(line.split()) for line in "".join(self._words).split("\n")]
        text = "\n".join(lines).strip("\n")
        self._words = []
        if text:
            self._put(f"{self._prefix}{text}")
            self._prefix = ""

    def _put(self, block: str) -> None:
        self._words = []
        mark = block.lstrip()[:2]
        tight = mark in ("- ", "| ") and self._blocks and self._last == mark
        self._last = mark
        between = ("\n" if tight else "\n\n") if self._blocks else ""
        self._blocks.append(between + block)
