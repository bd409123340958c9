"""The text files of a folder, by kind: programs, pages, data, and files of any other ending."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from assay.corpora.open_corpus import open_corpus
from assay.corpora.programs.is_program import is_program
from assay.corpora.programs.language_of import PROSE
from assay.errors import AssayError
from assay.records import Corpus, Document

__all__ = [
    "MOST",
    "CorpusFiles",
    "FileList",
    "ProjectFile",
    "choose_files",
    "list_files",
    "open_files",
]

MOST = 50_000  # files that are listed; more are not counted
PROGRAM, PAGE, DATA = "program", "page", "data"
DATA_LANGUAGES = ("csv", "ini", "json", "jsonl", "toml", "tsv", "xml", "yaml")
FEW = (
    20  # an ending of less than one in so many files is not searched, unless references lead to it
)
MANY = 5  # times as many files of one other ending as programs and pages: these are the documents
MOST_ENDINGS = 12  # that patterns exclude one by one


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A text file by its path; ``kind`` is program, page, data or the ending of other files."""

    path: str
    kind: str
    is_empty: bool = False

    @property
    def ending(self) -> str:
        """The ending of its name with its dot; nothing if it has none."""
        stem, dot, end = self.path.rpartition("/")[2].rpartition(".")
        return f".{end}" if dot and stem.strip(".") and end.isalnum() else ""


@dataclass(frozen=True, slots=True)
class FileList:
    """The text files of a folder; not ``complete`` if there are more."""

    files: tuple[ProjectFile, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class CorpusFiles:
    """Documents to search: how many, what they are, and the patterns that choose them.

    ``kind`` is what most of them are; ``complete`` is false if there may be more.
    """

    documents: int
    kind: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    endings: frozenset[str] = frozenset()
    complete: bool = True

    @property
    def is_code(self) -> bool:
        """Whether most of them are programs."""
        return self.kind == PROGRAM

    def matches(self, file: ProjectFile) -> bool:
        """Tell whether the patterns choose a file."""
        return file.ending in self.endings


def open_files(
    folder: Path,
    place: str,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    ignored: bool = False,
) -> Corpus:
    """Open the documents of a folder that match; also those that git ignores, if ``ignored``."""
    where = {"source": "folder", "path": folder / place, "ignored": ignored}
    return open_corpus(where, include=[*include], exclude=[*exclude])


def list_files(corpus: Corpus, *, most: int = MOST) -> FileList:
    """List the text files of a corpus, up to ``most`` of them."""
    try:
        found = [*islice(corpus.documents(texts=False, hashes=False), most + 1)]
    except (AssayError, OSError):
        return FileList(())
    return FileList(tuple(map(_project_file, found[:most])), complete=len(found) <= most)


def _project_file(document: Document) -> ProjectFile:
    return ProjectFile(document.path, _kind(document), not document.size_bytes)


def _kind(document: Document) -> str:
    if is_program(document.path):
        return PROGRAM
    if document.language in PROSE:
        return PAGE
    return DATA if document.language in DATA_LANGUAGES else ProjectFile(document.path, "").ending


def choose_files(
    files: Collection[ProjectFile], hit: Collection[str] = (), sure: Collection[str] = ()
) -> CorpusFiles | None:
    """Choose what to search: the kinds of the files that references lead to (``hit``, by path).

    The endings of files that are ``sure`` to be meant are searched, whatever their kind. Without
    references it is what most files are, programs or pages; the most frequent other ending if there
    are none, or very few beside it.
    Empty files count for nothing, unless references lead to them.
    """
    kinds = _kinds([one for one in files if not one.is_empty or one.path in hit], hit)
    if not kinds:
        return None
    chosen = [one for one in files if one.kind in kinds]
    counts = Counter(one.ending for one in chosen)
    kept = {one.ending for one in chosen if one.path in hit}
    kept |= {ending for ending, number in counts.items() if number * FEW >= len(chosen)}
    kept |= {one.ending for one in files if one.path in sure}
    number = sum(one.ending in kept for one in files)
    include, exclude = _patterns(kept, {one.ending for one in files})
    return CorpusFiles(number, kinds[0], include, exclude, frozenset(kept))


def _kinds(files: Iterable[ProjectFile], hit: Collection[str]) -> list[str]:
    """Return the kinds of files that are searched, the most frequent first."""
    led = Counter(one.kind for one in files if one.path in hit)
    if led:
        return [kind for kind, number in led.most_common() if number * FEW >= led.total()]
    counts = Counter(one.kind for one in files)
    del counts[DATA]
    usual = max((PROGRAM, PAGE), key=lambda kind: counts[kind])
    others = sorted({*counts} - {PROGRAM, PAGE})
    other = max(others, key=lambda kind: counts[kind], default=usual)
    few = counts[PROGRAM] + counts[PAGE] < counts[other] / MANY
    return [kind for kind in (other if few else usual,) if counts[kind]]


def _patterns(kept: Collection[str], every: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Return patterns to include and to exclude: no pattern chooses names without an ending."""
    if "" not in kept:
        return tuple(f"**/*{ending}" for ending in sorted(kept)), ()
    others = sorted(ending for ending in every if ending not in kept)
    return (), tuple(f"*{ending}" for ending in others) if len(others) <= MOST_ENDINGS else ("*.*",)
