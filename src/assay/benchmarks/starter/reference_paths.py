"""Where the references of a dataset lead: which files have their names, and below which folder."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from assay.columns.files.path_names import folded, is_absolute, plain_path
from assay.records import Dataset, Reference

__all__ = ["ReferencePaths", "existing_files", "reference_paths"]

NAMES = ("path", "file_name", "uri", "document_id")


@dataclass(frozen=True, slots=True)
class ReferencePaths:
    """The references of a dataset as folded paths, and the files that they may mean.

    ``files`` are, for each reference, the paths of the project that have its name and its folders
    as far as both have some. ``roots`` counts the folders from which references are written.
    """

    paths: tuple[str, ...] = ()
    files: tuple[tuple[str, ...], ...] = ()
    roots: Counter[str] = field(default_factory=Counter)

    @property
    def hit(self) -> frozenset[str]:
        """The paths that any reference may mean."""
        return frozenset(path for found in self.files for path in found)

    @property
    def sure(self) -> frozenset[str]:
        """The paths that a reference means, as there is no other of its name."""
        return frozenset(found[0] for found in self.files if len(found) == 1)

    def within(self, folder: str) -> int:
        """Count the references that may mean a file in a folder."""
        start = "" if folder == "." else f"{folder}/"
        return sum(any(path.startswith(start) for path in found) for found in self.files)

    @property
    def found(self) -> int:
        """Count the references that may mean any file."""
        return sum(map(bool, self.files))


def reference_paths(dataset: Dataset, project: Iterable[str], *, name: str = "") -> ReferencePaths:
    """Look the references up among the paths of a project, whose folder is called ``name``.

    >>> from assay.records import Judgment, Query
    >>> query = Query("q", "set up", (Judgment(Reference.named("guide/setup.rec#one"), 1),))
    >>> found = reference_paths(Dataset("d", (query,)), ["old/guide/setup.rec", "setup.rec"])
    >>> found.files, found.roots
    ((('old/guide/setup.rec',),), Counter({'old': 1}))
    """
    lower = {path: folded(path) for path in project}
    by_name, by_stem = _by_name(lower)
    wanted = [pair for one in _references(dataset) if (pair := (_path_of(one), one.match))[0]]
    files, roots = [], Counter[str]()
    for path, match in wanted:
        met = by_name.get(path.rpartition("/")[2], [])
        ends = [one for one in met if _is_tail(path, lower[one])]
        under = [one for one in met if _is_tail(lower[one], path)]
        roots.update([*dict.fromkeys(_root(one, path) for one in ends)])
        roots.update([".."] if _is_below(path, under, name) else [])
        found = ends or under or (met if _is_absolute(path) else by_stem.get(path, []))
        parts = (one for one in lower if path in lower[one]) if match == "substring" else ()
        files.append(tuple(found or parts))
    return ReferencePaths(tuple(path for path, _ in wanted), tuple(files), roots)


def existing_files(dataset: Dataset, starts: Collection[Path]) -> Iterator[Path]:
    """Yield the files that references name as they are, seen from some folders."""
    for reference in _references(dataset):
        name = next((str(getattr(reference, key)) for key in NAMES if getattr(reference, key)), "")
        text = name.removeprefix("file://").partition("#")[0]
        for start in starts:
            try:
                place = (start / text).resolve()
                if text and place.is_file():
                    yield place
                    break
            except (OSError, ValueError, RuntimeError):
                continue


def _references(dataset: Dataset) -> Iterator[Reference]:
    return (one.reference for query in dataset.queries for one in query.judgments)


def _path_of(reference: Reference) -> str:
    """Return the path of a reference, folded, without its section and without leading dots."""
    text = next((str(getattr(reference, key)) for key in NAMES if getattr(reference, key)), "")
    return folded(plain_path(text) or text)


def _by_name(lower: Mapping[str, str]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return folded paths by the name of the file, and by the name without its ending."""
    names: dict[str, list[str]] = {}
    stems: dict[str, list[str]] = {}
    for path, one in lower.items():
        name = one.rpartition("/")[2]
        names.setdefault(name, []).append(path)
        stems.setdefault(PurePosixPath(name).stem, []).append(path)
    return names, stems


def _is_tail(tail: str, path: str) -> bool:
    return path == tail or path.endswith(f"/{tail}")


def _root(file: str, path: str) -> str:
    """Return the folder from which a file has the path of a reference."""
    root = file[: len(file) - len(path)].rstrip("/")
    return root or "."


def _is_below(path: str, files: Collection[str], name: str) -> bool:
    """Tell whether a path begins with the name of the project's own folder."""
    first = folded(name)
    return any(path == f"{first}/{folded(one)}" for one in files)


def _is_absolute(path: str) -> bool:
    return is_absolute(path) and bool(PurePosixPath(path).name)
