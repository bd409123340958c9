"""Run every check: one reading of the corpus serves them all, and keeps only what they ask for."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from assay import catalogue
from assay.datasets.checks._evidence import Check, Evidence, Gold, Read
from assay.datasets.checks._words import terms
from assay.records import Define, Document, Finding

__all__ = ["examine"]

Seen = dict[str, dict[int, list[tuple[str, Any]]]]


def examine(
    evidence: Evidence,
    documents: Iterable[Document] | None = None,
    *,
    define: Define | None = None,
    only: Collection[str] | None = None,
) -> dict[str, Finding]:
    """Return the finding of each check by its name; ``documents`` are read once, one at a time.

    With ``only`` a few checks are made, and no terms are counted, which costs most of the time.
    """
    checks = {name: one for name, one in _checks().items() if only is None or name in only}
    if documents is not None:
        readers = {name: one.read for name, one in checks.items() if one.read}
        vocabulary = _vocabulary(evidence) if only is None else frozenset()
        evidence = _read(evidence, documents, readers, define, vocabulary)
    return {name: one(evidence) for name, one in checks.items()}


def _checks() -> dict[str, Check]:
    from assay.datasets import checks as package

    found = {
        name: cast("Check", catalogue.find(package, name)) for name in catalogue.names(package)
    }
    return dict(sorted(found.items(), key=lambda named: named[1].rank))


def _read(
    evidence: Evidence,
    documents: Iterable[Document],
    readers: Mapping[str, Read],
    define: Define | None,
    vocabulary: frozenset[str],
) -> Evidence:
    """Show each gold document to the readers; count the terms of queries in all documents."""
    queries = evidence.dataset.queries
    wanted = _wanted(evidence)
    seen: Seen = {name: defaultdict(list) for name in readers}
    frequency: Counter[str] = Counter()
    looked: set[int] = set()
    number = 0
    for document in documents:
        number += 1
        gold = Gold(document, define)
        if vocabulary:
            frequency.update(gold.terms & vocabulary)
        for query in wanted.get(document.id, ()):
            looked.add(query)
            for name, read in readers.items():
                fact = read(queries[query], gold, evidence.settings)
                if fact is not None:
                    seen[name][query].append((document.id, fact))
    return replace(
        evidence, seen=seen, frequency=frequency, documents=number, looked=frozenset(looked)
    )


def _wanted(evidence: Evidence) -> dict[str, list[int]]:
    """Return the queries that each gold document is right for."""
    wanted: dict[str, list[int]] = {}
    for number in range(len(evidence.dataset.queries)):
        for document in evidence.gold(number):
            wanted.setdefault(document, []).append(number)
    return wanted


def _vocabulary(evidence: Evidence) -> frozenset[str]:
    found: set[str] = set()
    for query in evidence.dataset.queries:
        found |= terms(query.text)
    return frozenset(found)
