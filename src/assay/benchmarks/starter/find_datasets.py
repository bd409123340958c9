"""The datasets of a folder: files with questions and judgments, in any format that is read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.benchmarks.starter.copies import is_called_copy
from assay.benchmarks.starter.nearby_files import nearby_files
from assay.datasets.load import load
from assay.errors import AssayError, InputError
from assay.records import Dataset
from assay.text.count_noun import count_noun

__all__ = [
    *("DatasetFile", "FoundDatasets", "QueryLog", "RefusedFile", "find_datasets", "is_telling"),
]

MOST_ENTRIES = 50_000  # that are listed
MOST_OPENED = 200  # files that are opened
MOST_FOUND = 8  # datasets after which no further file is opened
LARGEST = 20_000_000  # bytes of a file that may be a dataset
MANY = 20  # files of one ending in a folder: then they are documents, not datasets
ROUND = 4  # files of one ending in a folder that are opened before those of other folders
LEAST = 3  # queries of a dataset among others: a document may well contain a question
SEVERAL = 5  # files of one ending in a folder, each with fewer queries: they are documents
ENDINGS = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".csv", ".tsv", ".txt", ".qrels")
TABLES = (".xlsx", ".ods")  # which are not read, but have an owner who should know it
TELLING = (
    *("quer", "question", "dataset", "qrel", "gold", "judg", "eval", "topic", "relevan"),
    *("faq", "qa", "ground_truth", "groundtruth", "testset", "test_set"),
)
PLAIN_TEXT = ".txt"
GUESSED = ("questions",)  # formats that other files may match, too
LOGS = "query_list"  # the format of queries without judgments; of plain text, any lines match it
UNJUDGED = "name the files that answer each query, e.g. expected_files: [guide.md]"


@dataclass(frozen=True, slots=True)
class DatasetFile:
    """A file or folder that is read as a dataset.

    ``is_telling`` says that its name is that of a dataset, ``of_many`` that it is one of many files
    of its ending in a folder: then it is more likely a document.
    """

    path: Path
    dataset: Dataset
    is_telling: bool = False
    of_many: bool = False

    @property
    def is_guessed(self) -> bool:
        """Whether other files than datasets may be read as this one."""
        return self.dataset.format in GUESSED and not self.is_telling


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that cannot be read as a dataset, and why; ``is_likely`` says that it is one."""

    path: Path
    error: InputError
    is_likely: bool = False


@dataclass(frozen=True, slots=True)
class QueryLog:
    """A table of queries without judgments: how often each was asked."""

    path: Path
    queries: int


@dataclass(frozen=True, slots=True)
class FoundDatasets:
    """Datasets, the likeliest first, files that cannot be read as one, and ``logs`` of queries.

    ``files`` are all that were ``examined``; of them ``listed`` may be a dataset, and so many were
    ``opened``; ``complete`` is false if the folder has more than were examined.
    """

    datasets: tuple[DatasetFile, ...] = ()
    refused: tuple[RefusedFile, ...] = ()
    logs: tuple[QueryLog, ...] = ()
    files: tuple[Path, ...] = ()
    examined: int = 0
    listed: int = 0
    opened: int = 0
    complete: bool = True

    @property
    def unreadable(self) -> tuple[RefusedFile, ...]:
        """The refused files that are called like a dataset."""
        return tuple(one for one in self.refused if one.is_likely)

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
    groups = _Groups(listed)
    found: list[DatasetFile] = []
    refused: list[RefusedFile] = []
    logs: list[QueryLog] = []
    opened = 0
    for path in groups.in_order()[:MOST_OPENED]:
        if len(found) == MOST_FOUND:
            break
        opened += 1
        read = _read(path)
        if isinstance(read, QueryLog):
            logs.append(read)
        elif isinstance(read, InputError):
            refused.append(RefusedFile(path, read, groups.is_likely(path)))
        elif read is not None and not groups.is_document(path, read):
            found.append(DatasetFile(path, read, is_telling(path.name), groups.has_many(path)))
    return FoundDatasets(
        tuple(found),
        tuple(refused),
        tuple(logs),
        tuple(every[:MOST_ENTRIES]),
        examined=len(every[:MOST_ENTRIES]),
        listed=len(listed),
        opened=opened,
        complete=len(every) <= MOST_ENTRIES,
    )


def _read(path: Path) -> Dataset | QueryLog | InputError | None:
    """Read a dataset or a log, or return what is wrong with it; nothing if nobody can tell."""
    try:
        dataset = load(path)
    except InputError as error:
        return error
    except (AssayError, OSError, ValueError):
        return None
    if any(query.judgments for query in dataset.queries):
        return dataset
    if not dataset.queries:
        return None
    if dataset.format == LOGS and path.suffix.lower() != PLAIN_TEXT:
        return QueryLog(path, len(dataset.queries))
    number = count_noun(len(dataset.queries), "query")
    return InputError(f"{number} without judgments", where=str(path), hint=UNJUDGED)


def _candidates(listed: Iterable[Path]) -> Iterator[Path]:
    """Yield what may be a dataset; a folder that is one hides what is in it."""
    folders: list[Path] = []
    for path in listed:
        if any(path.is_relative_to(one) for one in folders):
            continue
        if path.is_dir():
            if _is_dataset_folder(path):
                folders.append(path)
                yield path
        elif _has_ending(path) and _is_readable(path):
            yield path


def _is_dataset_folder(path: Path) -> bool:
    try:
        return (path / "dataset.json").is_file() or any(path.glob("queries.jsonl*"))
    except OSError:  # a folder that may not be entered
        return False


def _has_ending(path: Path) -> bool:
    name = path.name.lower().removesuffix(".gz")
    return name.endswith(ENDINGS) or (name.endswith(TABLES) and is_telling(path.name))


def _is_readable(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= LARGEST
    except OSError:
        return False


def is_telling(name: str) -> bool:
    """Tell whether the name of a file is that of a dataset.

    >>> is_telling("Test-Set 2.csv"), is_telling("faq.json"), is_telling("square.json")
    (True, True, False)
    """
    name = name.lower().replace("-", "_").replace(" ", "_")
    words = name.replace(".", "_").split("_")
    return any(word in name if len(word) > 3 else word in words for word in TELLING)


class _Groups:
    """The files of one ending in each folder: many of them are documents, whatever their names."""

    def __init__(self, listed: Sequence[Path]) -> None:
        self._telling = {path: is_telling(path.name) for path in listed}
        self._groups = {path: (path.parent, path.suffix.lower()) for path in listed}
        self._counts = Counter(self._groups.values())
        self._alike = Counter((self._groups[path], self._telling[path]) for path in listed)

    def has_many(self, path: Path) -> bool:
        """Tell whether a file is one of many."""
        return self._counts[self._groups[path]] >= MANY

    def is_likely(self, path: Path) -> bool:
        """Tell whether a file is surely meant as a dataset: by its name, and as one of few."""
        is_text = path.suffix.lower() == PLAIN_TEXT
        return self._telling[path] and not self.has_many(path) and not is_text

    def is_document(self, path: Path, dataset: Dataset) -> bool:
        """Tell whether a file is one of several with hardly a query each: it is about something."""
        if len(dataset.queries) >= LEAST:
            return False
        several = self._alike[self._groups[path], self._telling[path]] >= SEVERAL
        return self.has_many(path) or (several and dataset.format in GUESSED)

    def in_order(self) -> list[Path]:
        """Return the likely files first, then those near the top; a few of each folder at first."""
        places = Counter[tuple[Path, str]]()
        keys: dict[Path, tuple[object, ...]] = {}
        for path in sorted(self._telling, key=lambda path: (not self._telling[path], str(path))):
            group, is_copy = self._groups[path], is_called_copy(path.name)
            first = (self.has_many(path), places[group] // ROUND, not self.is_likely(path))
            keys[path] = (*first, not self._telling[path], len(path.parts), is_copy, str(path))
            places[group] += 1
        return sorted(keys, key=keys.__getitem__)
