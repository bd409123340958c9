"""Which files of a folder are documents: not the dataset, not other datasets, and not copies."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from assay.benchmarks.starter.copies import find_copies
from assay.benchmarks.starter.find_datasets import is_telling
from assay.benchmarks.starter.project_files import ProjectFile
from assay.benchmarks.starter.reference_paths import ReferencePaths

__all__ = ["KeptFiles", "keep_files"]


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """The ``files`` that are documents, and the paths of the others: ``hidden`` and ``copies``."""

    files: tuple[ProjectFile, ...] = ()
    hidden: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()


def keep_files(
    listed: Sequence[ProjectFile],
    references: ReferencePaths,
    *,
    hidden: Sequence[str] = (),
    likely: Sequence[str] = (),
) -> KeptFiles:
    """Leave out ``hidden`` files, ``likely`` datasets and copies.

    A file that a reference names is a document all the same; so is what looks like a dataset among
    documents of its ending.
    """
    pages = [one.path for one in listed if one.kind == "page"]
    copies = find_copies([one.path for one in listed], pages=pages)
    aside = _Paths([*likely, *copies])
    named = _named(references, aside, _Paths(hidden))
    likely = [one for one in likely if not _is_document(one, named)]
    copies = [one for one in copies if not any(_Paths([one]).contains(path) for path in named)]
    out = _Paths([*hidden, *likely, *copies])
    kept = tuple(one for one in listed if not out.contains(one.path))
    return KeptFiles(kept, (*hidden, *likely), tuple(copies))


def _named(references: ReferencePaths, aside: "_Paths", hidden: "_Paths") -> set[str]:
    """Return the files that references name; one that is set aside only if nothing else fits."""
    named: set[str] = set()
    for files in references.files:
        fits = [path for path in files if not hidden.contains(path)]
        named.update([path for path in fits if not aside.contains(path)] or fits)
    return named


def _is_document(path: str, named: Collection[str]) -> bool:
    """Tell whether a reference names a file, or files that are called and placed like it."""
    beside = [one for one in named if _group(one) == _group(path)]
    return path in named or any(not is_telling(path) or is_telling(one) for one in beside)


def _group(path: str) -> tuple[str, str]:
    place = PurePosixPath(path)
    return str(place.parent), place.suffix.lower()


class _Paths:
    """Paths of files and folders; a folder contains what is in it."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)

    def contains(self, path: str) -> bool:
        """Tell whether a path is one of them, or within one."""
        if not self._paths:
            return False
        parts = path.split("/")
        return any("/".join(parts[:end]) in self._paths for end in range(1, len(parts) + 1))
