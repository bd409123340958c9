"""The datasets of a folder: files with questions and judgments, in any format that is read."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.benchmarks.starter.nearby_files import nearby_files
from assay.datasets.load import load
from assay.errors import AssayError, InputError
from assay.records import Dataset

__all__ = ["FoundDatasets", "find_datasets"]

MOST_ENTRIES = 50_000  # that are listed
MOST_OPENED = 200  # files that are opened
MOST_FOUND = 8  # datasets after which no further file is opened
LARGEST = 20_000_000  # bytes of a file that may be a dataset
MANY = 20  # files of one ending in a folder: then they are documents, not datasets
ENDINGS = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".csv", ".tsv", ".txt", ".qrels")
TABLES = (".xlsx", ".ods")  # which are not read, but have an owner who should know it
TELLING = (
    *("quer", "question", "dataset", "qrel", "gold", "judg", "eval", "topic", "relevan"),
    *("faq", "qa", "ground_truth", "groundtruth", "testset", "test_set"),
)
PLAIN_TEXT = ".txt"


@dataclass(frozen=True, slots=True)
class FoundDatasets:
    """Datasets with their paths, the likeliest first.

    ``unreadable`` are files that are called like a dataset, with what is wrong. Of all ``examined``
    files and folders ``listed`` may be a dataset, and so many were ``opened``; ``complete`` is
    false if the folder has more than were examined.
    """

    datasets: tuple[tuple[Path, Dataset], ...] = ()
    unreadable: tuple[tuple[Path, InputError], ...] = ()
    examined: int = 0
    listed: int = 0
    opened: int = 0
    complete: bool = True

    @property
    def unopened(self) -> int:
        """How many listed files were not opened."""
        return self.listed - self.opened

    @property
    def stopped(self) -> bool:
        """Whether there may be more datasets."""
        return bool(self.unopened) and len(self.datasets) == MOST_FOUND


def find_datasets(folder: Path, *, but: Path) -> FoundDatasets:
    """Find the datasets in and below a folder; ``but`` is the benchmark file that is written."""
    every = [*nearby_files(folder, most=MOST_ENTRIES + 1)]
    listed = [path for path in _candidates(every[:MOST_ENTRIES]) if path != but]
    counts = Counter((path.parent, path.suffix.lower()) for path in listed)
    files = sorted(listed, key=lambda path: _order(path, counts))
    found: list[tuple[Path, Dataset]] = []
    unreadable: list[tuple[Path, InputError]] = []
    opened = 0
    for path in files[:MOST_OPENED]:
        if len(found) == MOST_FOUND:
            break
        opened += 1
        dataset = _read(path)
        if isinstance(dataset, Dataset):
            found.append((path, dataset))
        elif dataset is not None and _is_likely(path, counts):
            unreadable.append((path, dataset))
    complete = len(every) <= MOST_ENTRIES
    examined = len(every[:MOST_ENTRIES])
    return FoundDatasets(
        tuple(found), tuple(unreadable), examined, len(files), opened, complete=complete
    )


def _read(path: Path) -> Dataset | InputError | None:
    """Read a dataset; return what is wrong with one, and nothing for what has no judgments."""
    try:
        dataset = load(path)
    except InputError as error:
        return error
    except (AssayError, OSError, ValueError):
        return None
    return dataset if any(query.judgments for query in dataset.queries) else None


def _candidates(listed: Iterable[Path]) -> Iterator[Path]:
    """Yield what may be a dataset; a folder that is one hides what is in it."""
    folders: list[Path] = []
    for path in listed:
        if any(path.is_relative_to(one) for one in folders):
            continue
        if path.is_dir():
            if (path / "dataset.json").is_file() or any(path.glob("queries.jsonl*")):
                folders.append(path)
                yield path
        elif _has_ending(path) and _is_readable(path):
            yield path


def _has_ending(path: Path) -> bool:
    name = path.name.lower().removesuffix(".gz")
    return name.endswith(ENDINGS) or (name.endswith(TABLES) and _is_telling(path))


def _is_readable(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= LARGEST
    except OSError:
        return False


def _is_telling(path: Path) -> bool:
    """Tell whether the name of a file is that of a dataset."""
    name = path.name.lower()
    words = name.replace("-", "_").replace(" ", "_").replace(".", "_").split("_")
    return any(word in name if len(word) > 3 else word in words for word in TELLING)


def _is_likely(path: Path, counts: Counter[tuple[Path, str]]) -> bool:
    """Tell whether a file is surely meant as a dataset: by its name, and as one of few."""
    many = counts[path.parent, path.suffix.lower()] >= MANY
    return _is_telling(path) and not many and path.suffix.lower() != PLAIN_TEXT


def _order(path: Path, counts: Counter[tuple[Path, str]]) -> tuple[object, ...]:
    """Put likely files first, then files that are not some of many, then those near the top."""
    many = counts[path.parent, path.suffix.lower()] >= MANY
    return not _is_likely(path, counts), many, not _is_telling(path), len(path.parts), str(path)
