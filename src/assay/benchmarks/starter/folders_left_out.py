"""Why a folder is not searched: one reason for each."""

import os

from assay.benchmarks.starter.folder_scan import FolderScan, Place
from assay.benchmarks.starter.nearby_files import SKIPPED
from assay.benchmarks.starter.project_files import open_files
from assay.corpora.ignore.gitignore import rules_at
from assay.errors import AssayError
from assay.records.skipped_files import skipped_parts
from assay.text.count_noun import count_noun

__all__ = ["folders_left_out"]

LINK = "a link to a folder, which is not followed"
MOST = 6  # folders that are named
QUIET = (*SKIPPED[:4], "env")  # that nobody expects to be searched


def folders_left_out(scan: FolderScan, place: Place) -> tuple[str, ...]:
    """Say of each folder beside the chosen place why it is not searched, and name copies."""
    levels = _levels(place)
    named = [(name, _why(name, scan, place)) for name in _folders(scan, levels, links=False)]
    reasons = [f"{name}/: {why}" for name, why in named if why]
    reasons += [f"{name}/: {LINK}" for name in _folders(scan, levels, links=True)]
    for copy in scan.copies:
        folder = (scan.root / copy).is_dir()
        reasons.append(f"{copy}/: a copy" if folder else f"{copy}: a copy")
    more = len(reasons) - MOST
    return (*reasons[:MOST], *([f"{count_noun(more, 'more folder')}"] if more > 0 else []))


def _levels(place: Place) -> list[str]:
    """Return the folders above a place, from the top on: what is beside it is named."""
    parts = [] if place.path in (".", "..") else place.path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(len(parts) + 1)]


def _folders(scan: FolderScan, levels: list[str], *, links: bool) -> list[str]:
    """Return the paths of the folders in some folders, or of the links to folders."""
    found = []
    for level in levels:
        try:
            with os.scandir(scan.root / level) as entries:
                names = [one.name for one in entries if one.is_dir() and one.is_symlink() is links]
        except OSError:
            continue
        wanted = [name for name in sorted(names) if name not in QUIET and name[:1] != "."]
        found += [f"{level}/{name}".lstrip("/") for name in wanted]
    return [name for name in found if name not in scan.copies]


def _why(name: str, scan: FolderScan, place: Place) -> str:
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
        return f"{found:,} of {count_noun(place.total, 'reference')} found there"
    most = "this folder" if place.path == "." else f"{place.path}/"
    return f"{count_noun(len(files), 'file')}; most documents are in {most}"


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
    except AssayError:
        return "cannot be read"
    listed = ", ".join(skipped_parts(corpus.skipped))
    if {*corpus.skipped} == {"binary"}:
        return f"only binary files: {listed.replace(' (binary)', '')}"
    return f"no text files: {listed}" if listed else "no files"
