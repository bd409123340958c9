"""Why a folder is not searched: one reason for each."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from assay.benchmarks.starter.folder_scan import FolderScan, Place
from assay.benchmarks.starter.nearby_files import SKIPPED, subfolders
from assay.benchmarks.starter.project_files import ProjectFile, open_files
from assay.corpora.ignore.gitignore import rules_at
from assay.errors import AssayError
from assay.records.skipped_files import skipped_parts
from assay.text.count_noun import count_noun
from assay.text.join_list import first_few

__all__ = ["folders_left_out"]

MOST = 6  # folders that are named
MOST_COPIES, MOST_ENDINGS = 3, 3
QUIET = (*SKIPPED[:4], "env")  # that nobody expects to be searched


def folders_left_out(scan: FolderScan, place: Place, *, because: str = "") -> tuple[str, ...]:
    """Say of each folder beside the chosen place why it is not searched, and name copies.

    ``because`` says why the place was chosen before others in which as many references are found.
    """
    levels = _levels(place)
    folders = _folders(scan, levels, links=False)
    named = [(name, _why(name, scan, place, because)) for name in folders]
    reasons = [f"{name}/: {why}" for name, why in named if why]
    links = [name for name in _folders(scan, levels, links=True) if not _is_in(place.path, name)]
    reasons += [f"{name}/: {_linked(scan.root / name)}" for name in links]
    more = len(reasons) - MOST
    counted = [f"{more:,} more"] if more > 0 else []
    return (*reasons[:MOST], *counted, *_copies(scan))


def _levels(place: Place) -> list[str]:
    """Return the folders above a place, from the top on: what is beside it is named."""
    parts = [] if place.path in (".", "..") else place.path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(len(parts) + 1)]


def _folders(scan: FolderScan, levels: Sequence[str], *, links: bool) -> list[str]:
    """Return the paths of the folders in some folders, or of the links to folders."""
    found = [one for level in levels for one in subfolders(scan.root / level, links=links)]
    names = [one.relative_to(scan.root).as_posix() for one in found if one.name not in QUIET]
    return [name for name in names if name not in scan.copies]


def _is_in(path: str, folder: str) -> bool:
    return f"{path}/".startswith(f"{folder}/")


def _linked(link: Path) -> str:
    what = f"a link to {link.readlink()}, which is not followed"
    return f"{what}; to search it, give its path as the corpus"


def _copies(scan: FolderScan) -> list[str]:
    """Name copies: one with its name, several in one line."""
    names = [f"{one}/" if (scan.root / one).is_dir() else one for one in scan.copies]
    if len(names) < 2:
        return [f"{name}: a copy" for name in names]
    return [f"{len(names):,} copies: {first_few(names, MOST_COPIES)}"]


def _why(name: str, scan: FolderScan, place: Place, because: str) -> str:
    """Say why a folder is not searched; nothing if it is."""
    above, _, last = name.rpartition("/")
    if not scan.ignored and rules_at(scan.root / above).hides(f"{last}/"):
        return "ignored by git"
    files = scan.below(name)
    if not files:
        return _why_empty(name, scan)
    if _covers(place, name, scan):
        return ""
    if scan.dataset is not None:
        found = scan.found_in(name)
        if found and found >= place.found and place.path not in (".", ".."):
            why = because or _preferred(place, files)
            return f"fits as well; {place.path}/ was chosen because {why}"
        return f"{found:,} of {count_noun(place.total, 'reference')} found there"
    if place.searched and not any(map(place.searched.matches, files)):
        ends = [end for end, _ in Counter(one.ending for one in files).most_common() if end]
        named = f" ({first_few(ends, MOST_ENDINGS)})" if ends else ""
        return f"{count_noun(len(files), 'file')} of other kinds{named}"
    most = "this folder" if place.path == "." else f"{place.path}/"
    return f"{count_noun(len(files), 'file')}; most documents are in {most}"


def _preferred(place: Place, files: Sequence[ProjectFile]) -> str:
    """Say why a place was chosen before a folder with these files."""
    number = sum(1 for one in files if place.searched and place.searched.matches(one))
    return "it has more documents" if place.documents > number else "it comes first"


def _covers(place: Place, name: str, scan: FolderScan) -> bool:
    """Tell whether any document of a folder is searched."""
    if place.searched is None:
        return False
    if place.path not in (".", ".."):
        return f"{place.path}/".startswith(f"{name}/")
    searched = any(map(place.searched.matches, scan.below(name)))
    return searched and (not place.tops or name in place.tops)


def _why_empty(name: str, scan: FolderScan) -> str:
    """Say what is in a folder without any document."""
    try:
        corpus = open_files(scan.root, name, ignored=scan.ignored)
        if any(True for _ in corpus.documents(texts=False, hashes=False)):
            return ""  # the datasets themselves, or copies
    except (AssayError, OSError):
        return "cannot be read"
    listed = ", ".join(skipped_parts(corpus.skipped))
    if {*corpus.skipped} == {"binary"}:
        return f"only binary files: {listed.replace(' (binary)', '')}"
    return f"no text files: {listed}" if listed else "no files"
