"""Windows: the lines around a call, and a file without them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.records import Corpus, Document

__all__ = ["Lines", "MaskedCorpus", "elsewhere", "survives", "without_windows"]

Lines = tuple[int, int]
"""The first and the last line, from 1."""
RUN = 3  # lines in a row that give a place away


def survives(window: Sequence[str], rest: Sequence[str]) -> bool:
    """Say whether a run of a window's lines occurs in other lines too; blank ones do not count."""
    wanted, there = _bare(window), _bare(rest)
    length = min(RUN, len(wanted))
    return not set(_runs(wanted, length)).isdisjoint(_runs(there, length))


def without_windows(lines: Sequence[str], windows: Iterable[Lines]) -> list[str]:
    """Take windows out of a file's lines; windows may overlap."""
    gone = {number for first, last in windows for number in range(first, last + 1)}
    return [line for number, line in enumerate(lines, 1) if number not in gone]


def elsewhere(
    windows: Sequence[tuple[str, Sequence[str]]], documents: Iterable[Document]
) -> set[int]:
    """Find the windows, given as path and lines, that stand as a whole in another file too."""
    bare = [_bare(lines) for _, lines in windows]
    starting: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for at, lines in enumerate(bare):
        starting[tuple(lines[:RUN])].append(at)
    found: set[int] = set()
    for document in documents:
        lines = _bare(document.text.split("\n"))
        for place, run in enumerate(_runs(lines, RUN)):
            for at in starting.get(run, ()):
                same = lines[place : place + len(bare[at])] == bare[at]
                found |= {at} if same and windows[at][0] != document.path else set()
    return found


@dataclass(frozen=True, slots=True)
class MaskedCorpus:
    """A corpus whose files lack the lines that are asked for; it is read as it is asked for."""

    corpus: Corpus
    windows: dict[str, list[Lines]]

    @property
    def name(self) -> str:
        """The name of the corpus that is masked."""
        return self.corpus.name

    @property
    def skipped(self) -> dict[str, int]:
        """What the last reading left out."""
        return dict(self.corpus.skipped)

    def documents(
        self,
        *,
        texts: bool = True,
        hashes: bool = True,
        known: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """Yield the documents; hashes and stamps would be those of the unmasked files."""
        for document in self.corpus.documents(texts=True, hashes=False):
            windows = self.windows.get(document.path)
            if windows:
                kept = "\n".join(without_windows(document.text.split("\n"), windows))
                document = replace(document, text=kept, size_bytes=len(kept.encode()))
            yield replace(document, stamp="")


def _bare(lines: Iterable[str]) -> list[str]:
    return [bare for line in lines if (bare := " ".join(line.split()))]


def _runs(lines: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(lines[at : at + length]) for at in range(len(lines) - length + 1))
