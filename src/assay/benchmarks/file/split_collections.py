"""A dataset whose queries name collections -> a dataset for each of them, with its own corpus."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from assay.benchmarks.file.problems import BenchmarkProblems, KeyPath
from assay.corpora.per_collection import KEY, split_corpus
from assay.errors import AssayError, InputError
from assay.records import Collection
from assay.text.count_noun import count_noun

__all__ = ["split_collections"]


def split_collections(
    one: Collection, path: KeyPath, found: BenchmarkProblems, *, home: str, prefix: str = ""
) -> Iterator[Collection]:
    """Yield a dataset for each collection that queries name; problems go to ``found``.

    With a ``prefix``, the names of the datasets begin with it.
    """
    given = one.corpus if isinstance(one.corpus, Mapping) else {}
    named = _named(one, path, found)
    try:
        known = split_corpus(given, named or (), relative_to=home)
    except InputError as error:
        found.add((*path, "corpus", KEY), error.problem, error.hint)
        return
    if named is None:
        yield one
    for name, corpus in known.items():
        yield replace(one, name=f"{prefix}{name}", corpus=corpus, only=name)


def _named(one: Collection, path: KeyPath, found: BenchmarkProblems) -> list[str] | None:
    """List the collections that the queries of a dataset name, in their order.

    Nothing is known of a dataset that cannot be read: opening it says why, with its lines.
    """
    from assay.datasets.load import load

    try:
        reading = cast("dict[str, Any]", one.reading)
        queries = load(one.dataset, **reading).queries if one.dataset else ()
    except AssayError:
        return None
    counts = Counter(query.collection for query in queries)
    lacking = counts.pop("", 0)
    if lacking:
        number = count_noun(lacking, "query names", "queries name")
        hint = "add its collection (or repo) to each query, or give one corpus"
        found.add((*path, "dataset"), f"{number} no collection, which corpus.{KEY} needs", hint)
    elif one.dataset and not counts:
        found.add((*path, "dataset"), "the dataset has no queries", "check its path")
    return [] if lacking else [*counts]
