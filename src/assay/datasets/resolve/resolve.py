"""A dataset and the documents of a corpus -> where each reference leads, or why nowhere.

Without a corpus, references are taken as the ids of documents.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assay.datasets.resolve._decide import Decision, decide, named
from assay.datasets.resolve._lookup_tables import LookupTables, given, lookup_tables
from assay.datasets.resolve._near_misses import NearMisses
from assay.datasets.resolve._search import search
from assay.errors import InputError
from assay.records import Dataset, Define, Document, Query, Reference, Resolution, ResolvedReference
from assay.records.expected_item import item_of

__all__ = ["first_not_id", "needs", "resolve", "take_as_ids", "with_rows"]

AS_IDS = "without a corpus, references must be document ids: use the ids that the system returns "
AS_IDS += "(match: exact in YAML), or add a corpus"
_Item = tuple[str, bool] | int


def needs(dataset: Dataset) -> tuple[bool, bool]:
    """Tell whether resolving takes the texts of the documents, and whether their hashes."""
    keys = {key for reference, _ in _references(dataset) for key in given(reference)}
    return "symbol" in keys, "content_hash" in keys


def resolve(
    dataset: Dataset,
    documents: Iterable[Document],
    *,
    define: Define | None = None,
    corpus: str = "",
) -> Resolution:
    """Map every reference of a dataset onto documents, which are read once and not kept.

    ``define`` names the symbols of a document; without it no symbol is found. ``corpus`` is what
    the result calls the corpus.

    >>> from assay.records import Judgment, Query
    >>> query = Query("q", "how to set up", (Judgment(Reference(file_name="setup.md"), 3),))
    >>> found = resolve(Dataset("d", (query,)), [Document("7", path="docs/setup.md")])
    >>> found.status, found.rows[0].documents, found.rows[0].key
    ('resolved', ('7',), 'file_name')
    """
    references = dict.fromkeys(_references(dataset))
    tables = lookup_tables(references)
    near = NearMisses(_names(references))
    number = search(documents, tables, near, define=define)
    decided = {pair: decide(*pair, tables, near) for pair in references}
    decided |= _below_root(decided, tables, near)
    rows, states = _rows(dataset, decided)
    return Resolution(
        rows=rows,
        total=len(states),
        resolved=(counts := Counter(states))[""],
        ambiguous=counts["ambiguous"],
        missing=len(states) - counts[""] - counts["ambiguous"],
        corpus=corpus,
        documents=number,
        irrelevant=sum(map(_irrelevant, dataset.queries)),
    )


def first_not_id(dataset: Dataset) -> Reference | None:
    """Return the first reference that is not an id: it means nothing without a corpus."""
    return next((one for one, _ in _references(dataset) if not _is_id(one)), None)


def take_as_ids(dataset: Dataset) -> Resolution:
    """Take every reference as the id of a document; refuse one that must be looked up.

    >>> from assay.records import Judgment, Query
    >>> query = Query("q", "how to set up", (Judgment(Reference(path="docs/setup.md"), 3),))
    >>> take_as_ids(Dataset("d", (query,))).rows[0].documents
    ('docs/setup.md',)
    """
    if odd := first_not_id(dataset):
        raise InputError(f"{odd} must be looked up in a corpus", where=dataset.name, hint=AS_IDS)
    rows, states = _rows(dataset, {pair: _taken(pair[0]) for pair in _references(dataset)})
    return Resolution(
        rows=rows,
        total=len(states),
        resolved=(named := states.count("")),
        ambiguous=0,
        missing=len(states) - named,
        irrelevant=sum(map(_irrelevant, dataset.queries)),
    )


def with_rows(
    dataset: Dataset, resolution: Resolution, rows: Sequence[ResolvedReference]
) -> Resolution:
    """Return a resolution with other rows, one for each judgment of a dataset, and its counts."""
    following, states, kept = iter(rows), list[str](), list[ResolvedReference]()
    for query in dataset.queries:
        its = [next(following) for _ in query.judgments]
        groups = [item_of(judgment, at) for at, judgment in enumerate(query.judgments)]
        items = _items(groups, [row.reason for row in its])
        states += items.values()
        kept += [
            replace(row, spared=bool(row.reason) and not items[group])
            for row, group in zip(its, groups, strict=True)
        ]
    counts = Counter(states)
    return replace(
        resolution,
        rows=tuple(kept),
        total=len(states),
        resolved=counts[""],
        ambiguous=counts["ambiguous"],
        missing=len(states) - counts[""] - counts["ambiguous"],
        irrelevant=sum(map(_irrelevant, dataset.queries)),
    )


def _is_id(reference: Reference) -> bool:
    """Tell whether a reference says what a document is called, all of it."""
    if reference.match == "substring" and (reference.path or reference.file_name):
        return False
    return bool(reference.id_key) or not (reference.symbol or reference.content_hash)


def _taken(reference: Reference) -> Decision:
    key = reference.id_key
    return Decision((getattr(reference, key),), key=key) if key else Decision(reason="not_found")


def _below_root(
    decided: dict[tuple[Reference, str], Decision], tables: LookupTables, near: NearMisses
) -> dict[tuple[Reference, str], Decision]:
    """Decide absolute paths that may mean several documents, where all others have one root."""
    roots = {one.root for one in decided.values() if one.root}
    if len(roots) != 1:
        return {}
    doubts = [pair for pair, one in decided.items() if one.reason == "ambiguous"]
    return {pair: decide(*pair, tables, near, root=min(roots)) for pair in doubts}


def _references(dataset: Dataset) -> Iterator[tuple[Reference, str]]:
    """Yield every reference with the collection of its query."""
    for query in dataset.queries:
        for judgment in query.judgments:
            yield judgment.reference, query.collection


def _names(references: Iterable[tuple[Reference, str]]) -> Iterator[str]:
    """Yield what each is called, also below the folder of its collection."""
    for reference, collection in references:
        if name := named(reference):
            yield name
            yield from [f"{collection}/{name}"] if collection else []


def _irrelevant(query: Query) -> int:
    """Count the items that nobody expects."""
    numbered = enumerate(query.judgments)
    return len({item_of(judgment, at) for at, judgment in numbered if judgment.grade <= 0})


def _rows(
    dataset: Dataset, decided: dict[tuple[Reference, str], Decision]
) -> tuple[tuple[ResolvedReference, ...], list[str]]:
    """Return a row per judgment, and the state of each item: a group is one, all else its own."""
    rows: list[ResolvedReference] = []
    states: list[str] = []
    for query in dataset.queries:
        found = [decided[judgment.reference, query.collection] for judgment in query.judgments]
        groups = [item_of(judgment, at) for at, judgment in enumerate(query.judgments)]
        items = _items(groups, [one.reason for one in found])
        states += items.values()
        rows += [
            ResolvedReference(
                query=query.key,
                reference=judgment.reference,
                documents=one.documents,
                key=one.key,
                reason=one.reason,
                candidates=one.candidates,
                spared=bool(one.reason) and not items[group],
                partial=one.partial,
                by_part=one.by_part,
                respelled=one.respelled,
            )
            for judgment, one, group in zip(query.judgments, found, groups, strict=True)
        ]
    return tuple(rows), states


def _items(groups: list[_Item], reasons: Sequence[str]) -> dict[_Item, str]:
    """Give each item the state of its best member: found, else ambiguous, else missing."""
    order = ("", "ambiguous", "invalid", "not_found")
    items: dict[_Item, str] = {}
    for group, reason in zip(groups, reasons, strict=True):
        items[group] = min(items.get(group, "not_found"), reason, key=order.index)
    return items
