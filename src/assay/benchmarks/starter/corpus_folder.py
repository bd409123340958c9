"""Which folder holds the documents: the one to search, what is left out of it, and what else."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from assay.benchmarks.collections.resolve import resolve_in
from assay.benchmarks.starter.candidates import (
    SKIPPED,
    CorpusFiles,
    ProjectFile,
    corpus_files,
    list_files,
    open_files,
)
from assay.errors import AssayError
from assay.records import Dataset
from assay.text.count_noun import count_noun

__all__ = ["CorpusFolder", "choose_folder", "find_copies", "pattern_of"]

NEARLY_ALL = 0.95  # of the documents, in one folder, where nothing else tells which is meant
MOST = 0.5  # of the documents, in a folder that all references lead into
MOST_FOLDERS = 5  # that patterns name; of more, all are searched
WORDS = r"(?:bak|backups?|cop(?:y|ies)|old|orig)"
NAMED = re.compile(rf"(?i)(?:(?:^|[ ._(-]+){WORDS}[ ._()\d-]*|~)$|^copy of ")


@dataclass(frozen=True, slots=True)
class CorpusFolder:
    """Where documents are, relative to a folder; ``share`` of the references lead to them.

    ``folders`` are those of several that are searched, ``left_out`` what holds documents, too;
    ``exclude`` are patterns as seen from the path.
    """

    path: str = "."
    searched: CorpusFiles | None = None
    share: float = 1.0
    folders: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Say in a word what is searched."""
        return "program" if self.searched and self.searched.is_code else "page"

    def counted(self, number: int) -> str:
        """Say how many of them there are."""
        return count_noun(number, self.kind)


def choose_folder(folder: Path, dataset: Dataset | None, exclude: tuple[str, ...]) -> CorpusFolder:
    """Choose what to search: the folder that nearly all documents and all references are in.

    Copies are left out, and so is what ``exclude`` names from the folder.
    """
    every = list_files(open_files(folder, ".", (), exclude))
    pages = [one.path for one in every if not one.is_code]
    copies = find_copies([one.path for one in every], pages=pages)
    kept = [one for one in every if not _is_within(one.path, copies)]
    looking = _FolderScan(folder, kept, dataset, (*exclude, *map(pattern_of, copies)))
    place = looking.chosen()
    others = [] if place.folders or place.path == "." else looking.others(place)
    left_out = [f"{name} ({place.counted(number)})" for name, number in others]
    left_out += [f"{name} (a copy)" for name in copies]
    needless = [one for one in exclude if not one.endswith(_endings(place))]
    shown = tuple(one for one in looking.left if one not in needless)
    return replace(place, left_out=tuple(left_out), exclude=_seen_from(place, shown))


@dataclass(frozen=True, slots=True)
class _FolderScan:
    """What is known of a folder while one of its places is chosen."""

    folder: Path
    kept: Sequence[ProjectFile]
    dataset: Dataset | None
    left: tuple[str, ...]

    def chosen(self) -> CorpusFolder:
        """Choose between all of the folder and one in it."""
        whole, parts = self._place("."), [self._place(top) for top in self._tops()]
        best = max(one.share for one in (whole, *parts))
        parts = [one for one in parts if one.share == best and self._is_meant(one, whole)]
        part = max(parts, key=_documents, default=None)  # the first of equals
        least = NEARLY_ALL if self.dataset is None else MOST
        if part and (whole.share < best or _documents(part) >= least * self._number(part)):
            return self._deepest(part)
        return self._of_several(whole)

    def others(self, place: CorpusFolder) -> list[tuple[str, int]]:
        """Tell which other folders hold such documents, and how many."""
        counts = self._counts(place)
        return [(top, n) for top, n in counts.items() if top and top != place.path.split("/")[0]]

    def _place(self, path: str) -> CorpusFolder:
        below = "" if path == "." else f"{path}/"
        found = corpus_files([one for one in self.kept if one.path.startswith(below)])
        place = CorpusFolder(path, found)
        return replace(place, share=self._share(place)) if self.dataset else place

    def _is_meant(self, part: CorpusFolder, whole: CorpusFolder) -> bool:
        """Without references nothing tells that the lesser kind of documents is meant."""
        if not part.searched or not whole.searched:
            return False
        return self.dataset is not None or part.searched.is_code == whole.searched.is_code

    def _deepest(self, place: CorpusFolder) -> CorpusFolder:
        """Go down as long as one folder has all pages; programs are named from their top."""
        if place.searched is None or place.searched.is_code or self.dataset is None:
            return place
        pages = [one.path for one in self.kept if not one.is_code]
        paths = [path for path in pages if path.startswith(f"{place.path}/")]
        below = {path.removeprefix(f"{place.path}/").partition("/")[0] for path in paths}
        inner = f"{place.path}/{next(iter(below))}" if len(below) == 1 else ""
        if not inner or inner in paths:
            return place
        deeper = self._place(inner)
        return self._deepest(deeper) if deeper.share >= place.share else place

    def _of_several(self, whole: CorpusFolder) -> CorpusFolder:
        """Search only the folders that hold documents, if they are few and nothing is lost."""
        counts = self._counts(whole)
        tops = [top for top in counts if top]
        if whole.searched is None or not 1 <= len(tops) <= MOST_FOLDERS:
            return whole
        if 2 * counts[""] >= counts.total():
            return whole
        include = [f"{pattern_of(top)}/{one}" for top in tops for one in whole.searched.include]
        number = counts.total() - counts[""]
        found = replace(whole.searched, documents=number, include=tuple(include))
        place = replace(whole, searched=found, folders=tuple(f"{t} ({counts[t]:,})" for t in tops))
        return place if not self.dataset or self._share(place) >= whole.share else whole

    def _share(self, place: CorpusFolder) -> float:
        """Tell how many references lead to a document there."""
        if place.searched is None or self.dataset is None:
            return 0.0
        try:
            include, exclude = place.searched.include, _seen_from(place, self.left)
            found = resolve_in(open_files(self.folder, place.path, include, exclude), self.dataset)
        except AssayError:
            return 0.0
        return found.resolved / found.total if found.total else 0.0

    def _tops(self) -> list[str]:
        tops = dict.fromkeys(_top(one.path) for one in self.kept)
        return [one for one in tops if one and one not in SKIPPED and not one.startswith(".")][:20]

    def _counts(self, place: CorpusFolder) -> Counter[str]:
        """Count the documents of a place's kind in each folder; those in none have no name."""
        is_code, tops = bool(place.searched and place.searched.is_code), self._tops()
        found = [_top(one.path) for one in self.kept if one.is_code == is_code]
        return Counter(top for top in found if not top or top in tops)

    def _number(self, place: CorpusFolder) -> int:
        return self._counts(place).total()


def _documents(place: CorpusFolder) -> int:
    return place.searched.documents if place.searched else 0


def _top(path: str) -> str:
    return path.partition("/")[0] if "/" in path else ""


def _is_within(path: str, folders: Sequence[str]) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in folders)


def _endings(place: CorpusFolder) -> tuple[str, ...]:
    include = place.searched.include if place.searched else ()
    return tuple(one.rpartition("*")[2] for one in include)


def _seen_from(place: CorpusFolder, left: Sequence[str]) -> tuple[str, ...]:
    """Name what is left out as a place does; what is elsewhere needs no name."""
    if place.path == ".":
        return tuple(left)
    start = pattern_of(place.path)
    return tuple(one.removeprefix(start) for one in left if one.startswith(f"{start}/"))


def pattern_of(path: str) -> str:
    """Name a path, and no other, as .gitignore does."""
    return "/" + "".join(f"\\{letter}" if letter in "\\*?[]" else letter for letter in path)


def find_copies(paths: Collection[str], *, pages: Iterable[str]) -> list[str]:
    """Name the folders that are copies, and the ``pages`` (paths, too) that are copies themselves.

    A folder is one if it is called so, and half of its files are elsewhere as well; a page, if the
    one that it is called a copy of stands beside it.

    >>> find_copies(["pages/a.md", "pages.bak/a.md", "backup/tool.py"], pages=[])
    ['pages.bak']
    """
    groups: dict[str, list[str]] = {}
    for path in paths:
        if folder := _named_so(path):
            groups.setdefault(folder, []).append(path.removeprefix(f"{folder}/"))
    others = {end for path in paths if not _named_so(path) for end in _ends(path)}
    folders = [
        folder
        for folder, inner in groups.items()
        if 2 * sum(one in others for one in inner) >= len(inner)
    ]
    there = set(paths)
    alone = [page for page in pages if not _named_so(page) and _original(page) in there]
    return sorted([*folders, *alone])


def _named_so(path: str) -> str:
    """Return the uppermost folder of a path that is called a copy."""
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if NAMED.search(part):
            return "/".join(parts[: at + 1])
    return ""


def _ends(path: str) -> Iterable[str]:
    """Yield all that a path may be called from a folder above it."""
    parts = path.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts)))


def _original(path: str) -> str:
    """Name what a page is called a copy of; nothing if it is not called one."""
    place = PurePosixPath(path)
    stem = NAMED.sub("", place.stem)
    name = f"{stem}{place.suffix}"
    return "" if stem in ("", place.stem) or name == "." else str(place.with_name(name))
