"""A settings file -> its values by dotted keys, and which of them are about search."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.columns.documents.strict_yaml import strict_yaml
from assay.errors import AssayError

__all__ = ["SettingValue", "affects_ranking", "is_about_search", "read_settings"]

LARGEST = 1_000_000  # bytes of such a file
# Words of a key that say that it is about search.
SEARCH = (
    *("bm25", "chunk", "chunker", "chunking", "chunks", "dense", "distance", "embed", "embedder"),
    *("embedding", "embeddings", "fusion", "hybrid", "hyde", "index", "indexing", "knn", "lexical"),
    *("mmr", "overlap", "query", "queries", "ranker", "ranking", "rerank", "reranker", "reranking"),
    *("retrieval", "retrieve", "retriever", "rrf", "search", "semantic", "similarity", "splitter"),
    *("threshold", "vector", "vectors"),
)
# Words of the last key that say how a program runs, not what it finds.
TECHNICAL = (
    *("backend", "batch", "cache", "collection", "database", "db", "debug", "device", "dir"),
    *("directory", "dtype", "endpoint", "env", "file", "folder", "format", "host", "key", "level"),
    *("log", "logging", "name", "path", "persist", "port", "prefix", "provider", "storage"),
    *("store", "table", "threads", "timeout", "token", "unit", "units", "uri", "url", "user"),
    *("version", "workers"),
)
# Words of a key that says how many results are returned.
NUMBER = ("count", "hits", "k", "limit", "max", "n", "num", "number", "page", "results", "top")
WORD = re.compile(r"[a-z0-9]+")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class SettingValue:
    """A value with its keys, joined by dots: as it is ``written``, and as ``key`` in snake case."""

    written: str
    value: object

    @property
    def key(self) -> str:
        """The keys in lower case, with underscores between words."""
        return HUMP.sub("_", self.written).lower().replace("-", "_")

    @property
    def section(self) -> str:
        """The keys above the last."""
        return self.key.rpartition(".")[0]


def read_settings(file: Path) -> list[SettingValue]:
    """Read the values of a YAML file; none if it cannot be read."""
    try:
        if file.stat().st_size > LARGEST:
            return []
        value = strict_yaml(file.read_bytes(), where=str(file)).value
    except (AssayError, OSError, ValueError):
        return []
    return [*_flat(value, "")] if isinstance(value, Mapping) else []


def _flat(value: object, start: str) -> Iterator[SettingValue]:
    if not isinstance(value, Mapping):
        yield SettingValue(start, value)
        return
    for key, one in value.items():
        yield from _flat(one, f"{start}.{key}" if start else str(key))


def is_about_search(key: str) -> bool:
    """Tell whether a setting seems to be one of a search, and not of the program around it.

    >>> [is_about_search(key) for key in ("retrieval.chunk_overlap", "llm.top_p", "search.url")]
    [True, False, False]
    """
    words, last = WORD.findall(key), WORD.findall(key.rpartition(".")[2])
    about = any(word in SEARCH for word in words) or last in (["top", "k"], ["top", "n"])
    return about and not any(word in TECHNICAL for word in last)


def affects_ranking(key: str) -> bool:
    """Tell whether a setting changes which documents rank first, and not how many are returned.

    >>> affects_ranking("retrieval.top_k"), affects_ranking("retrieval.chunk_overlap")
    (False, True)
    """
    return not all(word in NUMBER for word in WORD.findall(key.rpartition(".")[2]))
