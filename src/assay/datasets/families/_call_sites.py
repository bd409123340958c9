"""Call sites: where a repository calls what it defines itself, and where that is defined."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from assay.datasets.families._called_files import RepositoryDefinition, called_definitions, parts
from assay.datasets.families._imports import Imports, imports
from assay.records import Code, Document

__all__ = ["CallSite", "call_sites"]

LANGUAGES = ("python", "typescript", "tsx", "javascript", "go", "rust", "java")
NOT_CALLED = ("variable", "constant", "module", "type")
LINE = 200  # letters on average: no person writes so
MOST = 3  # files that define a called name: with more, no one of them is the answer


@dataclass(frozen=True, slots=True)
class CallSite:
    """One call: in which file, what, on which lines, and what it calls."""

    path: str
    language: str
    called: str
    first: int
    last: int
    defined: tuple[RepositoryDefinition, ...]


@dataclass(slots=True)
class _File:
    path: str
    language: str
    imported: Imports
    calls: list[tuple[str, int, int]]


def call_sites(documents: Iterable[Document], code: Code, left_out: Counter[str]) -> list[CallSite]:
    """Find the calls of a repository to what other files of it define, in the order of its files.

    Duplicate files are left out: the lines around a call would be in both.
    """
    defined: defaultdict[str, list[RepositoryDefinition]] = defaultdict(list)
    files: dict[str, _File] = {}
    copies: Counter[str] = Counter()
    for document in documents:
        copies[document.content_hash] += 1
        if document.language in LANGUAGES and not _minified(document.text):
            _add(document, code, defined)
            files[document.content_hash] = _read(document, code)
    alone = [file for digest, file in files.items() if copies[digest] == 1]
    left_out["calls in duplicate files"] += sum(
        len(file.calls) for digest, file in files.items() if copies[digest] > 1
    )
    return [site for file in alone for site in _sites(file, defined, left_out)]


def _minified(text: str) -> bool:
    """Say whether a file was written by a program for programs: its lines are long."""
    return len(text) > LINE * (1 + text.count("\n"))


def _add(
    document: Document, code: Code, defined: defaultdict[str, list[RepositoryDefinition]]
) -> None:
    for found in code.definitions(document.text, document.language):
        if found.kind not in NOT_CALLED:
            name = found.name.rpartition(".")[2]
            place = RepositoryDefinition(
                document.path, found.name, found.first_line, found.last_line
            )
            defined[name].append(place)


def _read(document: Document, code: Code) -> _File:
    found = [
        (call.name, call.first_line, call.last_line)
        for call in code.calls(document.text, document.language)
        if call.api
    ]
    return _File(document.path, document.language, imports(document.text, document.language), found)


def _sites(
    file: _File, defined: defaultdict[str, list[RepositoryDefinition]], left_out: Counter[str]
) -> Iterable[CallSite]:
    for called, first, last in file.calls:
        known = defined.get(parts(called)[-1], [])
        if any(place.path == file.path for place in known):
            left_out["calls to names defined in the same file"] += 1
            continue
        found = called_definitions(called, file.path, file.language, file.imported, known)
        paths = {place.path for place in found}
        if not paths:
            left_out["calls to names defined outside the corpus"] += 1
        elif len(paths) > MOST:
            left_out["calls to names defined in many files"] += 1
        else:
            yield CallSite(file.path, file.language, called, first, last, tuple(found))
