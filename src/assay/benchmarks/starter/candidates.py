"""What a folder holds that a benchmark can be made of: a dataset, and documents to search."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from assay.corpora.open_corpus import open_corpus
from assay.corpora.programs.is_program import is_program
from assay.datasets.load import load
from assay.errors import AssayError
from assay.records import Corpus, Dataset

__all__ = [
    "SKIPPED",
    "CorpusFiles",
    "ProjectFile",
    "corpus_files",
    "find_datasets",
    "list_files",
    "open_files",
]

DEEPEST = 3  # folders below the one that is looked through
MOST_FILES = 2_000  # entries that are looked at, and 200 of them opened
MOST_OPENED = 200
LARGEST = 20_000_000  # bytes of a file that may be a dataset
MOST_DOCUMENTS = 20_000
ENDINGS = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv", ".txt", ".qrels")
TELLING = ("quer", "question", "dataset", "qrel", "golden", "judg", "eval", "topic", "relevan")
SKIPPED = ("node_modules", "__pycache__", "venv", "collection-packages", "target", "dist", "build")
PROSE = ("markdown", "rst", "asciidoc", "text", "html", "latex", "org")


@dataclass(frozen=True, slots=True)
class CorpusFiles:
    """Documents to search: how many, whether they are code, and the patterns that name them."""

    documents: int
    is_code: bool
    include: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A document by its path, and whether it is code."""

    path: str
    is_code: bool


def find_datasets(folder: Path, *, but: Path) -> Iterator[tuple[Path, Dataset]]:
    """Yield the datasets in and below a folder that can be read, those with telling names first."""
    found = sorted(islice(_candidates(folder), MOST_FILES), key=_order)
    for path in islice((path for path in found if path != but), MOST_OPENED):
        try:
            dataset = load(path)
        except (AssayError, OSError, ValueError):
            continue
        if any(query.judgments for query in dataset.queries):
            yield path, dataset


def list_files(corpus: Corpus) -> list[ProjectFile]:
    """List the documents of a corpus that are code or prose."""
    try:
        found = [*islice(corpus.documents(texts=False), MOST_DOCUMENTS)]
    except AssayError:
        return []
    listed = [(one.path, is_program(one.path), one.language) for one in found]
    return [
        ProjectFile(path, is_code)
        for path, is_code, language in listed
        if Path(path).suffix[1:].isalnum() and (is_code or language in PROSE)
    ]


def corpus_files(documents: Sequence[ProjectFile]) -> CorpusFiles | None:
    """Tell what most of the documents are, code or prose, and by which endings they go."""
    endings = Counter((one.is_code, Path(one.path).suffix) for one in documents)
    if not endings:
        return None
    code = sum(number for (program, _), number in endings.items() if program)
    is_code = code >= endings.total() - code
    kept = {ending: n for (program, ending), n in endings.items() if program == is_code}
    enough = [ending for ending, n in sorted(kept.items()) if n * 20 >= sum(kept.values())]
    return CorpusFiles(sum(kept.values()), is_code, tuple(f"**/*{ending}" for ending in enough))


def open_files(
    folder: Path, place: str, include: tuple[str, ...], exclude: tuple[str, ...]
) -> Corpus:
    """Open the documents of a folder that match."""
    return open_corpus(folder / place, include=[*include], exclude=[*exclude])


def _candidates(folder: Path, depth: int = 0) -> Iterator[Path]:
    for path in _entries(folder):
        if _is_wanted_folder(path):
            if (path / "dataset.json").is_file() or any(path.glob("queries.jsonl*")):
                yield path
            elif depth < DEEPEST:
                yield from _candidates(path, depth + 1)
        elif path.name.lower().removesuffix(".gz").endswith(ENDINGS) and _is_readable(path):
            yield path


def _entries(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in islice(entries, MOST_FILES))
    except OSError:
        return []
    return [folder / name for name in names if not name.startswith(".")]


def _is_wanted_folder(path: Path) -> bool:
    return path.name not in SKIPPED and path.is_dir() and not path.is_symlink()


def _is_readable(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= LARGEST
    except OSError:
        return False


def _order(path: Path) -> tuple[bool, int, str]:
    telling = any(word in path.name.lower() for word in TELLING)
    return not telling, len(path.parts), str(path)
