"""One folder with its files and the references that lead to them: which part of it to search."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from assay.benchmarks.collections.resolve import resolve_in
from assay.benchmarks.starter.copies import shared_endings
from assay.benchmarks.starter.kept_files import KeptFiles, keep_files
from assay.benchmarks.starter.missing_references import MissingReferences, missing_references
from assay.benchmarks.starter.nearby_files import SKIPPED
from assay.benchmarks.starter.project_files import (
    MOST,
    CorpusFiles,
    FileList,
    ProjectFile,
    choose_files,
    list_files,
    open_files,
)
from assay.benchmarks.starter.reference_paths import ReferencePaths, reference_paths
from assay.corpora.refuse_empty import refuse_empty
from assay.corpora.sources.inline import inline
from assay.datasets.resolve.resolve import needs
from assay.errors import AssayError, InputError
from assay.records import Corpus, Dataset, Document, Resolution
from assay.records.skipped_files import SkippedFiles

__all__ = ["FolderScan", "Listing", "Place", "pattern_of", "why_empty"]

NEARLY_ALL = 0.95  # of the documents, in one folder, where no reference shows which is meant
MOST_OF = 0.5  # of the documents, in a folder that all references lead to
MOST_FOLDERS = 5  # that patterns name; of more, all are searched
MOST_TOPS, MOST_ROOTS = 20, 5  # folders in which references are resolved
NEVER = tuple(f"{name}/" for name in (*SKIPPED[:4], "env", ".*", "*venv*"))


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a folder: a path, or several folders (``tops``); ``found`` references lead there.

    ``path`` may be "..": then documents are seen from the folder above, as references write them.
    """

    path: str
    searched: CorpusFiles | None = None
    found: int = 0
    total: int = 0
    tops: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    @property
    def documents(self) -> int:
        """How many documents it has."""
        return self.searched.documents if self.searched else 0


@dataclass(frozen=True, slots=True)
class Listing:
    """A corpus that was read, and the files that it has."""

    corpus: Corpus
    listed: FileList


class FolderScan:
    """The files of a folder without the ``hidden`` ones; also what git ignores, if ``ignored``.

    ``likely`` datasets are left out, too, unless references name them.
    """

    def __init__(
        self,
        root: Path,
        dataset: Dataset | None,
        hidden: Sequence[Path],
        *,
        likely: Sequence[Path] = (),
        ignored: bool = False,
        most: int = MOST,
        read: "dict[object, Listing] | None" = None,
    ) -> None:
        self.root, self.dataset, self.ignored, self._most = root, dataset, ignored, most
        self._hidden, self._likely = hidden, likely
        self._read = {} if read is None else read

    @property
    def has_ignored(self) -> bool:
        """Whether git ignores any file or folder in it."""
        found = self._listing.corpus.skipped
        return isinstance(found, SkippedFiles) and bool(found.ignored)

    @property
    def empty(self) -> InputError | None:
        """What is wrong with a folder that has no text at all; None if it has some."""
        if not all(one.is_empty for one in self.kept):
            return None
        exclude = (*map(pattern_of, self._kept.hidden), *self._never)
        corpus = open_files(self.root, ".", exclude=exclude, ignored=self.ignored)
        return why_empty(corpus)

    @property
    def _listing(self) -> "Listing":
        """The files of the whole folder, which is read once for all datasets."""
        key = self.root, self.ignored, self._most
        if key not in self._read:
            corpus = open_files(self.root, ".", exclude=self._never, ignored=self.ignored)
            self._read[key] = Listing(corpus, list_files(corpus, most=self._most))
        return self._read[key]

    @property
    def _never(self) -> tuple[str, ...]:
        """What tools keep, which is read only if neither git nor the project's border hides it."""
        return NEVER if self.ignored or self._most < MOST else ()

    @cached_property
    def _kept(self) -> KeptFiles:
        """The files that are documents."""
        files = self._listing.listed.files
        references = self._references(files)
        inside = (self._inside(self._hidden), self._inside(self._likely))
        return keep_files(files, references, hidden=inside[0], likely=inside[1])

    def _inside(self, files: Iterable[Path]) -> list[str]:
        inside = (file for file in files if file.is_relative_to(self.root))
        return [file.relative_to(self.root).as_posix() for file in inside]

    @property
    def copies(self) -> tuple[str, ...]:
        """The paths of copies."""
        return self._kept.copies

    @property
    def kept(self) -> tuple[ProjectFile, ...]:
        """The files that may be searched."""
        return self._kept.files

    @cached_property
    def references(self) -> ReferencePaths:
        """Where the references lead, by their names."""
        return self._references(self.kept)

    def _references(self, files: Iterable[ProjectFile]) -> ReferencePaths:
        if self.dataset is None:
            return ReferencePaths()
        return reference_paths(self.dataset, (one.path for one in files), name=self.root.name)

    def found_in(self, folder: str) -> int:
        """Count the references that lead into a folder; symbols are looked up in its files."""
        if self.dataset is not None and needs(self.dataset) != (False, False):
            return self._place(folder).found
        return self.references.within(folder)

    def chosen(self) -> Place:
        """Choose between all of the folder and one in it."""
        whole = self._place(".")
        parts = [self._place(path) for path in self._candidates()]
        best = max(one.found for one in (whole, *parts))
        parts = [one for one in parts if one.found == best and self._is_meant(one, whole)]
        part = max(parts, key=lambda one: one.documents, default=None)  # the first of equals
        least = NEARLY_ALL if self.dataset is None else MOST_OF
        if part and (whole.found < best or part.documents >= least * self._number(part)):
            return self._deepest(part)
        return self._of_several(whole)

    def _candidates(self) -> list[str]:
        counted = sorted(self.references.roots.items(), key=lambda pair: (-pair[1], pair[0]))
        roots = [root for root, _ in counted[:MOST_ROOTS]]
        return [path for path in dict.fromkeys([*self._tops, *roots]) if path != "."]

    def _place(self, path: str) -> Place:
        searched = choose_files(self.below(path), *self._led)
        if searched is None:
            return self._with_references(Place(path))
        searched = replace(searched, complete=self._listing.listed.complete)
        place = Place(path, searched)
        return self._with_references(self._above(searched) if path == ".." else place)

    @cached_property
    def _led(self) -> tuple[frozenset[str], frozenset[str]]:
        return self.references.hit, self.references.sure

    def below(self, path: str) -> list[ProjectFile]:
        """Return the files below a path."""
        start = "" if path in (".", "..") else f"{path}/"
        return [one for one in self.kept if one.path.startswith(start)]

    def _above(self, searched: CorpusFiles) -> Place:
        """See the folders that references lead to from above, by patterns that name this folder."""
        tops = tuple(sorted({_top(path) for path in self.references.hit}))
        tops = () if "" in tops or len(tops) > MOST_FOLDERS else tops
        starts = [pattern_of(f"{self.root.name}/{top}".rstrip("/")) for top in tops or ("",)]
        endings = searched.include or ("**",)
        include = tuple(f"{start}/{ending}" for start in starts for ending in endings)
        inside = [one for one in self.kept if not tops or _top(one.path) in tops]
        number = sum(map(searched.matches, inside))
        return Place("..", replace(searched, documents=number, include=include), tops=tops)

    def _with_references(self, place: Place) -> Place:
        found = self._resolved(place)
        if found is None:
            return place
        searched = place.searched
        if searched and not searched.complete:
            searched = replace(searched, documents=max(searched.documents, found.documents))
        return replace(place, found=found.resolved, total=found.total, searched=searched)

    def _resolved(self, place: Place) -> Resolution | None:
        """Resolve the references in a place; from the list of files unless content is needed."""
        if self.dataset is None:
            return None
        try:
            needed = needs(self.dataset) != (False, False) and place.searched
            corpus = self.opened(place) if needed else inline([*self._documents(place)])
            return resolve_in(corpus, self.dataset)
        except (AssayError, OSError):
            return resolve_in(inline([]), self.dataset)

    def opened(self, place: Place) -> Corpus:
        """Open what is searched of a place."""
        searched = place.searched or CorpusFiles(0, "")
        exclude = (*searched.exclude, *self.excluded(place))
        include, ignored = searched.include, self.ignored
        return open_files(self.root, place.path, include=include, exclude=exclude, ignored=ignored)

    def _documents(self, place: Place) -> Iterator[Document]:
        """Yield the files of a place as documents without their content."""
        start = "" if place.path in (".", "..") else f"{place.path}/"
        above = f"{self.root.name}/" if place.path == ".." else ""
        uri = self.root.as_uri()
        for one in self.below(place.path):
            taken = place.searched is not None and place.searched.matches(one)
            if taken and (not place.tops or _top(one.path) in place.tops):
                path = above + one.path.removeprefix(start)
                name = path.rpartition("/")[2]
                yield Document(id=path, uri=f"{uri}/{one.path}", path=path, file_name=name)

    def _is_meant(self, part: Place, whole: Place) -> bool:
        """Without references nothing shows that the less frequent kind of documents is meant."""
        if not part.searched or not whole.searched:
            return False
        return self.dataset is not None or part.searched.kind == whole.searched.kind

    def _deepest(self, place: Place) -> Place:
        """Go down while one folder has all documents; programs are named from their top."""
        if place.searched is None or place.searched.is_code or place.path == "..":
            return place
        if self.dataset is None:
            return place
        files = [one.path for one in self.below(place.path) if place.searched.matches(one)]
        below = {path.removeprefix(f"{place.path}/").partition("/")[0] for path in files}
        inner = f"{place.path}/{next(iter(below))}" if len(below) == 1 else ""
        if not inner or inner in files:
            return place
        deeper = self._place(inner)
        return self._deepest(deeper) if deeper.found >= place.found else place

    def _of_several(self, whole: Place) -> Place:
        """Search only the folders that hold documents, if they are few and nothing is lost."""
        counts = self._counts(whole)
        tops = [top for top in counts if top]
        if whole.searched is None or not 1 <= len(tops) <= MOST_FOLDERS:
            return whole
        if 2 * counts[""] >= counts.total() or not whole.searched.include:
            return whole
        include = [f"{pattern_of(top)}/{one}" for top in tops for one in whole.searched.include]
        number = counts.total() - counts[""]
        found = replace(whole.searched, documents=number, include=tuple(include))
        folders = tuple(f"{top} ({counts[top]:,})" for top in tops)
        place = replace(whole, searched=found, tops=tuple(tops), folders=folders)
        place = self._with_references(place)
        return place if place.found >= whole.found else whole

    @cached_property
    def _tops(self) -> list[str]:
        tops = dict.fromkeys(_top(one.path) for one in self.kept)
        wanted = [one for one in tops if one and not one.startswith(".")]
        led = [one for one in wanted if one in SKIPPED and self.references.within(one)]
        return [one for one in wanted if one not in SKIPPED or one in led][:MOST_TOPS]

    def _counts(self, place: Place) -> Counter[str]:
        """Count the documents of a place's kind in each folder; those in none have no name."""
        searched = place.searched
        found = [_top(one.path) for one in self.kept if searched and searched.matches(one)]
        return Counter(top for top in found if not top or top in self._tops)

    def _number(self, place: Place) -> int:
        return self._counts(place).total()

    def excluded(self, place: Place) -> tuple[str, ...]:
        """Return the patterns of hidden files and copies in a place, as seen from it."""
        start = "" if place.path in (".", "..") else f"{place.path}/"
        inside = [one for one in self.copies if one.startswith(start)]
        ends = shared_endings(inside, (one.path for one in self.kept))
        inside = [one for one in inside if not one.endswith(tuple(ends))]
        needed = [one for one in self._needed(place) if one.startswith(start)] + inside
        needed = [one for one in needed if not place.tops or _top(f"{one}/") in place.tops]
        above = f"{self.root.name}/" if place.path == ".." else ""
        patterns = [pattern_of(above + one.removeprefix(start)) for one in needed]
        patterns += [f"*{_escaped(end)}" for end in ends]
        return (*patterns, *(self._never if place.path == "." and not place.tops else ()))

    def _needed(self, place: Place) -> tuple[str, ...]:
        """Return the hidden files and folders that patterns would choose."""
        hidden, searched = self._kept.hidden, place.searched
        if searched is None or not searched.include:
            return hidden
        endings = tuple(filter(None, searched.endings))
        chosen = [one.path for one in self._listing.listed.files if searched.matches(one)]
        return tuple(
            one
            for one in hidden
            if one.endswith(endings) or any(path.startswith(f"{one}/") for path in chosen)
        )

    def missing(self, place: Place) -> MissingReferences:
        """Describe the references that are not found in a place."""
        found = self._resolved(place) if place.found < place.total else None
        return missing_references(found) if found else MissingReferences()


def _top(path: str) -> str:
    return path.partition("/")[0] if "/" in path else ""


def why_empty(corpus: Corpus) -> InputError | None:
    """Say why none of the documents of a corpus, which is read for it, has any text."""
    try:
        for _ in corpus.documents(texts=False, hashes=False):
            pass
        if isinstance(corpus.skipped, SkippedFiles):
            corpus.skipped.unmatched = 0  # the patterns are not the user's
        refuse_empty(corpus)
    except InputError as error:
        return error
    return None


def pattern_of(path: str) -> str:
    """Return the pattern, as in .gitignore, that matches one path and no other."""
    return f"/{_escaped(path)}"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?[]" else letter for letter in text)
