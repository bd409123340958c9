"""A benchmark of files -> what a service needs to run it: uploads, and a request."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay.benchmarks.collections.resolve import opened_corpus
from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Benchmark, Collection, Configuration, Dataset
from assay.records.run_settings import RunSettings
from assay.searches.configuration.configuration import describe

__all__ = ["STDLIB", "PackedDataset", "pack_benchmark", "pack_dataset", "word_for_corpus"]

CRITERIA = ("description", "margin", "alpha", "ship_if", "unjudged", "query_weights", "unit")
HINT = "run it without --url"
STDLIB = "stdlib"
UNSENT: dict[str, Any] = {"stamp": "", "converter": ""}  # of documents: about this machine


@dataclass(frozen=True, slots=True)
class PackedDataset:
    """A dataset as Assay's JSON, which contains its ``documents`` if the service has no corpus.

    ``source`` is the file that it was read from.
    """

    name: str
    content: bytes
    documents: int
    source: str = ""

    @property
    def digest(self) -> str:
        """The SHA-256 of the content."""
        return sha256(self.content).hexdigest()


def pack_benchmark(
    benchmark: Benchmark, settings: RunSettings, *, parallel: int = 1, fresh: bool = False
) -> dict[str, Any]:
    """Return the request for a benchmark, without its mappings.

    A ``fresh`` one uses nothing that the service recorded before.
    """
    request: dict[str, Any] = {name: getattr(benchmark, name) for name in CRITERIA}
    request |= {"name": benchmark.name, "metrics": [*benchmark.metrics]}
    request |= {"primary": benchmark.primary, "baseline": benchmark.baseline or None}
    request |= {"budgets": dict(benchmark.budgets), "breakdowns": [*benchmark.breakdowns]}
    request |= {"race": dict(benchmark.race), "match_weights": benchmark.match_weights}
    request["configurations"] = [_settings_of(one) for one in benchmark.configurations]
    default = RunSettings()
    request["settings"] = {
        one.name: getattr(settings, one.name)
        for one in fields(settings)
        if one.name != "race" and getattr(settings, one.name) != getattr(default, one.name)
    }
    request["settings"] |= {"fresh": True} if fresh else {}
    request["parallel"] = parallel
    return {name: value for name, value in request.items() if value not in (None, "", {}, [])}


def pack_dataset(
    collection: Collection, benchmark: Benchmark, *, has_corpus: bool
) -> PackedDataset:
    """Read a dataset of a benchmark for an upload, with its documents unless there is a corpus.

    What a service cannot be sent is refused: given vectors, and a corpus for each collection.
    """
    if collection.vectors is not None or _has_vectors(collection.corpus):
        raise InputError("given vectors cannot be uploaded", where=collection.dataset, hint=HINT)
    dataset = load(collection.dataset, **_reading(collection))
    if collection.only:
        kept = tuple(one for one in dataset.queries if one.collection == collection.only)
        dataset = replace(dataset, queries=kept)
    if not has_corpus:
        corpus = opened_corpus(dataset, collection.corpus, relative_to=benchmark.home)
        documents = tuple(replace(one, **UNSENT) for one in corpus.documents())
        dataset = replace(dataset, documents=documents)
    else:
        dataset = replace(dataset, documents=())
    name = collection.name or dataset.name
    content = _written(replace(dataset, corpus={}))
    return PackedDataset(name, content, len(dataset.documents), str(collection.dataset))


def word_for_corpus(collection: Collection, home: str) -> str:
    """Return the corpus of a collection if it is a word, such as stdlib, and nothing on the disk.

    >>> word_for_corpus(Collection("", "queries.json", "no-such-folder"), "")
    'no-such-folder'
    """
    corpus = collection.corpus
    if corpus is None:
        corpus = load(collection.dataset, **_reading(collection)).corpus or None
    if isinstance(corpus, Mapping):
        return STDLIB if corpus.get("source") == STDLIB else ""
    return corpus if corpus and not (Path(home) / corpus).exists() else ""


def _settings_of(chosen: Configuration) -> dict[str, Any]:
    """Return the settings of a configuration as a file would have them."""
    told: dict[str, Any] = {"name": chosen.name}
    for name in (*describe(chosen), "price"):
        value = getattr(chosen, name, None)  # some are derived
        if value is None or name == "unit":
            continue
        told[name] = [*value] if isinstance(value, tuple) else value
        told[name] = dict(value) if isinstance(value, Mapping) else told[name]
    return told


def _has_vectors(corpus: object) -> bool:
    return isinstance(corpus, Mapping) and "vectors" in corpus


def _reading(collection: Collection) -> dict[str, Any]:
    return dict(collection.reading)


def _written(dataset: Dataset) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dataset.json"
        save(dataset, path, format="assay_json")
        return path.read_bytes()
