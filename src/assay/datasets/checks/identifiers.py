"""Identifiers: queries that already call the document they should find by its name."""

from typing import Any

from assay.datasets.checks._evidence import Evidence, Gold, check
from assay.datasets.checks._names import called, names_of
from assay.records import AuditSettings, Finding, Query
from assay.text.count_noun import count_noun

__all__ = ["identifiers"]


def _names(query: Query, gold: Gold, settings: AuditSettings) -> dict[str, str] | None:
    names = names_of(gold.document, gold.symbols)
    return {name: names[name] for name in called(query.text) & names.keys()} or None


@check(rank=60, read=_names)
def identifiers(evidence: Evidence) -> Finding:
    """Find queries that contain the path, module, file or symbol name of a relevant document."""
    rows = [
        row for number in range(len(evidence.dataset.queries)) for row in _rows(evidence, number)
    ]
    named = tuple(row for row in rows if row["kind"] != "word")
    queries = len({row["query"] for row in named})
    total = len(evidence.dataset.queries)
    contain = "contains" if queries == 1 else "contain"
    said = f"{queries:,} of {count_noun(total, 'query')} {contain} the name of a relevant document."
    return Finding(
        said=said if named else "",
        brief=f"{queries:,} with the name of a relevant document" if named else "",
        rows=named,
        shown=("query", "document", "kind", "name"),
        figures={
            "share": queries / total if total else None,
            "words": [row for row in rows if row["kind"] == "word"],
        },
        listed="queries",
    )


def _rows(evidence: Evidence, number: int) -> list[dict[str, Any]]:
    """List the names in one query, each with the first document that it is a name of."""
    query = evidence.dataset.queries[number]
    found: dict[str, tuple[str, str]] = {}
    for document, names in evidence.seen.get("identifiers", {}).get(number, ()):
        for name, kind in names.items():
            found.setdefault(name, (document, kind))
    for reference in (one.reference for one in query.judgments if one.grade > 0):
        names = names_of(reference, [reference.symbol])
        for name in called(query.text) & names.keys() if names else ():
            found.setdefault(name, (str(reference), names[name]))
    return [
        {"query": query.key, "document": document, "kind": kind, "name": name}
        for name, (document, kind) in sorted(_longest(found).items())
    ]


def _longest(found: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Leave out names that are only a part of another one that was found."""
    return {
        name: what
        for name, what in found.items()
        if not any(name != other and name in other for other in found)
    }
