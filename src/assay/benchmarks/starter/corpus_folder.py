"""Which folder holds the documents: the one that the references lead to, and why no other one."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from assay.benchmarks.collections.resolve import opened_corpus, resolve_in
from assay.benchmarks.starter.folder_scan import FolderScan, Listing, Place, why_empty
from assay.benchmarks.starter.folders_left_out import folders_left_out
from assay.benchmarks.starter.missing_references import MissingReferences, missing_references
from assay.benchmarks.starter.nearby_files import linked_folders, nearby_files
from assay.benchmarks.starter.project_files import CorpusFiles
from assay.benchmarks.starter.reference_paths import existing_files
from assay.corpora.open_corpus import open_corpus
from assay.corpora.per_collection import KEY
from assay.errors import AssayError, InputError
from assay.records import Corpus, Dataset
from assay.records.skipped_files import SkippedFiles, describe_skipped
from assay.text.count_noun import count_noun

__all__ = ["ENOUGH", "CorpusFolder", "choose_folder"]

ENOUGH = 0.9  # of the references: then no other folder is examined
OUTSIDE = 0.8  # of the references, and at least so many, found in a folder beside the project
LEAST = 5
RECORDS = (".jsonl", ".ndjson", ".jsonl.gz")  # endings of files of documents
MOST_LISTED, MOST_RECORDS = 50_000, 20  # files that are examined for that, and that are opened
MOST_READ = 200  # files that are read to count them
MOST_BESIDE = 5_000  # files beside the project that are examined
SHOWN = 3  # documents that an example names
NOTHING = MissingReferences()
NOUNS = {"program": "program", "page": "page"}


@dataclass(frozen=True, slots=True)
class CorpusFolder:
    """Where documents are, relative to a folder; ``found`` of ``total`` references lead to them.

    ``folders`` are those of several that are searched, ``left_out`` the others, each with the
    reason; ``missing`` describes the references that lead nowhere. ``exclude`` are patterns as seen
    from the path. Files that git ignores are read if ``ignored``. ``skipped`` says which files of
    the place are skipped, ``documents`` are the first that have text, and ``empty`` is what is
    wrong with a folder without any text. ``link`` is the target if the path leads through a link.
    If ``collections``, each subfolder is the corpus of the queries that name it.
    """

    path: str = "."
    searched: CorpusFiles | None = None
    found: int = 0
    total: int = 0
    folders: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    missing: MissingReferences = NOTHING
    exclude: tuple[str, ...] = ()
    ignored: bool = False
    skipped: str = ""
    documents: tuple[str, ...] = ()
    empty: InputError | None = None
    link: str = ""
    collections: bool = False

    @property
    def share(self) -> float:
        """The fraction of the references that are found."""
        return self.found / self.total if self.total else 1.0

    @property
    def kind(self) -> str:
        """The word for what is searched."""
        return NOUNS.get(self.searched.kind, "document") if self.searched else "document"

    def counted(self) -> str:
        """Write how many documents are searched; a count that stopped early is a lower bound."""
        if self.searched is None:
            return "no documents"
        least = "" if self.searched.complete else "at least "
        return f"{least}{count_noun(self.searched.documents, self.kind)}"


def choose_folder(
    folder: Path,
    dataset: Dataset | None,
    hidden: Sequence[Path],
    *,
    likely: Sequence[Path] = (),
    read: dict[object, Listing] | None = None,
) -> CorpusFolder:
    """Choose what to search: the folder in which most references are found.

    Without a dataset it is the folder that holds nearly all documents. Copies are left out, and so
    are the ``hidden`` files, which are the dataset and the benchmark file, and ``likely`` other
    datasets, unless a reference names them. ``read`` remembers the files of a folder for the next
    dataset.
    """
    best: CorpusFolder | None = None
    scanned = partial(FolderScan, hidden=hidden, likely=likely, read={} if read is None else read)
    for scan in _scans(folder, dataset, scanned):
        place = _chosen(scan, folder)
        if best is None or _is_better(place, best, folder):
            best = place
        if best.searched and best.share >= ENOUGH:
            break
    best = best or CorpusFolder()
    link = folder / best.path.partition("/")[0]
    if best.searched and link.is_symlink():
        seen = Place(best.path, best.searched, best.found, best.total)
        left_out = folders_left_out(scanned(folder, dataset), seen)
        best = replace(best, left_out=left_out, link=str(link.readlink()))
    if dataset is None:
        return best
    if best.share < ENOUGH:
        best = _best_file(folder, dataset, [*hidden, *likely], best)
    return _by_collection(folder, dataset, _beside_dataset(folder, dataset, best, scanned))


def _by_collection(folder: Path, dataset: Dataset, best: CorpusFolder) -> CorpusFolder:
    """Search each collection alone, if all that queries name are folders of the chosen one."""
    names = {query.collection for query in dataset.queries}
    if best.searched is None or best.folders or best.ignored or "" in names:
        return best
    if not all((folder / best.path / name).is_dir() for name in names):
        return best
    exclude = tuple(one for one in best.exclude if not one.startswith("/"))
    include = [*best.searched.include] or None
    corpus = {KEY: str(folder / best.path), "include": include, "exclude": [*exclude]}
    try:
        found = resolve_in(opened_corpus(dataset, corpus), dataset)
    except (AssayError, OSError):
        return best
    if found.resolved < best.found:
        return best
    return replace(
        best,
        searched=replace(best.searched, documents=found.documents),
        found=found.resolved,
        total=found.total,
        missing=missing_references(found),
        exclude=exclude,
        collections=True,
    )


def _is_better(place: CorpusFolder, best: CorpusFolder, folder: Path) -> bool:
    if not place.total:
        return place.searched is not None and best.searched is None
    return place.found > best.found and _is_credible(place, folder)


def _beside_dataset(
    folder: Path, dataset: Dataset, best: CorpusFolder, scan: Callable[..., FolderScan]
) -> CorpusFolder:
    """Prefer documents in the dataset's own folder, if as many references are found there."""
    home = Path(dataset.home or folder).resolve()
    if home == folder or not home.is_relative_to(folder) or best.ignored:
        return best
    near = _chosen(scan(home, dataset), folder)
    if not near.found or near.found < best.found:
        return best
    place = Place(near.path, near.searched, near.found, near.total)
    left_out = folders_left_out(scan(folder, dataset), place, because="it is beside the dataset")
    return replace(near, left_out=left_out)


def _best_file(
    folder: Path, dataset: Dataset, hidden: Sequence[Path], best: CorpusFolder
) -> CorpusFolder:
    """Look for a file of documents, one per line, in which more references are found."""
    listed = nearby_files(folder, most=MOST_LISTED)
    files = (file for file in listed if file.name.lower().endswith(RECORDS))
    for file in islice((file for file in files if file not in hidden), MOST_RECORDS):
        try:
            found = resolve_in(open_corpus(file), dataset)
        except (AssayError, OSError):
            continue
        if found.resolved > best.found:
            path = file.relative_to(folder).as_posix()
            searched = CorpusFiles(found.documents, "document")
            missing = missing_references(found)
            best = CorpusFolder(path, searched, found.resolved, found.total, missing=missing)
    return best


def _chosen(scan: FolderScan, folder: Path) -> CorpusFolder:
    place = scan.chosen()
    if scan.dataset is not None and not place.found:
        place = replace(place, path=".", searched=None, tops=(), folders=())
    searched, documents, skipped = _counted(scan, place)
    empty = scan.empty
    if searched and not documents:
        empty = why_empty(scan.opened(place)) or empty
        searched = None if empty else searched
    return CorpusFolder(
        path=Path(os.path.relpath(scan.root / place.path, folder)).as_posix(),
        searched=searched,
        found=place.found,
        total=place.total,
        folders=place.folders,
        left_out=folders_left_out(scan, place),
        missing=scan.missing(place),
        exclude=(*(searched.exclude if searched else ()), *scan.excluded(place)),
        ignored=scan.ignored,
        skipped=skipped,
        documents=documents,
        empty=empty,
    )


def _counted(scan: FolderScan, place: Place) -> tuple[CorpusFiles | None, tuple[str, ...], str]:
    """Count the documents of a place as a search counts them, unless there are very many."""
    if place.searched is None:
        return None, (), ""
    corpus = scan.opened(place)
    number, blank, first = 0, 0, list[str]()
    whole = place.searched.documents <= MOST_READ  # only then is known which PDF files have text
    try:
        for document in corpus.documents(texts=whole, hashes=False):
            number += 1
            before, blank = blank, _blank(corpus)
            if blank == before and len(first) < SHOWN:
                first.append(document.path)
            if len(first) == SHOWN and not place.searched.complete:
                return place.searched, tuple(first), ""
    except (AssayError, OSError):
        return place.searched, tuple(first), ""
    return replace(place.searched, documents=number), tuple(first), describe_skipped(corpus.skipped)


def _blank(corpus: Corpus) -> int:
    """Count the documents without text that were read so far."""
    return corpus.skipped.empty.total() if isinstance(corpus.skipped, SkippedFiles) else 0


def _is_credible(place: CorpusFolder, folder: Path) -> bool:
    """Ask for more evidence that a folder outside of the project is meant."""
    if not place.path.startswith("..") or (folder / place.path).resolve() == folder.parent:
        return True
    return place.found >= LEAST and place.share >= OUTSIDE


def _scans(
    folder: Path, dataset: Dataset | None, scan: Callable[..., FolderScan]
) -> Iterator[FolderScan]:
    """Yield what may be searched: the project, what it links to, what git ignores, what is beside.

    What is outside of the project is searched only where references lead there, or a link does.
    """
    first = scan(folder, dataset)
    yield first
    if dataset is not None and first.has_ignored:
        yield scan(folder, dataset, ignored=True)
    for link in linked_folders(folder):
        if _is_modest(link.resolve()):
            yield scan(link, dataset)
    if dataset is None:
        return
    named = _named_folder(folder, dataset)
    if named is not None:
        yield scan(named, dataset)
    if not (folder / ".git").exists() and _is_modest(folder.parent):
        yield scan(folder.parent, dataset, most=MOST_BESIDE)


def _named_folder(folder: Path, dataset: Dataset) -> Path | None:
    """Return the folder outside of the project that most references name as it is."""
    starts = dict.fromkeys([Path(dataset.home or folder).resolve(), folder])
    files = [*existing_files(dataset, [*starts])]
    outside = [file for file in files if not file.is_relative_to(folder)]
    if len(outside) * 2 <= len(files):
        return None
    root = Path(os.path.commonpath([file.parent for file in outside]))
    return root if _is_modest(root) else None


def _is_modest(folder: Path) -> bool:
    """Tell whether a folder can be examined: it is not the whole disk or somebody's home."""
    try:
        home = Path.home().resolve()
    except RuntimeError:
        home = Path("/")
    return len(folder.parts) > 2 and not home.is_relative_to(folder)
