"""References that lead nowhere, and the documents that people chose for them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records.dataset import Dataset, Judgment, Query, Reference
from assay.records.expected_item import item_of
from assay.records.resolution import Resolution
from assay.records.service import ReferenceChoice, UnresolvedReference
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Transaction
from assay.workspace.store.bulk import insert_many
from assay.workspace.store.texts import from_column, hash_texts, to_column
from assay.workspace.store.versions.codec import decode_reference, encode_reference

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = [
    "apply_choices",
    "clear_unresolved",
    "count_items",
    "drop_choice",
    "find_choices",
    "keep_choice",
    "make_unresolved",
    "mark_chosen",
    "read_unresolved",
    "write_unresolved",
]

COLUMNS = (
    *("mapping", "place", "item", "query", "reference_name", "reference"),
    *("reason", "candidates", "chosen"),
)
_CLEAR = "DELETE FROM unresolved WHERE mapping = :mapping"
_PAGE = """SELECT u.place, u.query, u.reference, u.reason, u.candidates, c.document AS picked
    FROM unresolved u JOIN mappings m ON m.number = u.mapping
    LEFT JOIN choices c ON c.dataset = m.dataset AND c.corpus = m.corpus
        AND c.reference_name = u.reference_name
    WHERE u.mapping = :mapping AND u.place > :after AND NOT EXISTS (SELECT 1 FROM unresolved o
        WHERE o.mapping = u.mapping AND o.item = u.item AND o.chosen = 1)
    ORDER BY u.place LIMIT :page"""
_STATES = "SELECT item, reason, chosen FROM unresolved WHERE mapping = :mapping"
_MARK = """UPDATE unresolved SET chosen = :chosen
    WHERE mapping = :mapping AND reference_name = :name"""
_CHOICES = """SELECT reference_name, reference, document, author, created FROM choices
    WHERE dataset = :dataset AND corpus = :corpus ORDER BY created, reference_name"""
_CHOICE = """SELECT document FROM choices
    WHERE dataset = :dataset AND corpus = :corpus AND reference_name = :name"""
_KEEP = """INSERT INTO choices
    (dataset, corpus, reference_name, reference, document, author, created)
    VALUES (:dataset, :corpus, :name, :reference, :document, :author, :now)
    ON CONFLICT (dataset, corpus, reference_name) DO UPDATE SET document = excluded.document,
    author = excluded.author, created = excluded.created"""
_DROP = """DELETE FROM choices
    WHERE dataset = :dataset AND corpus = :corpus AND reference_name = :name"""


def find_choices(connection: "Connection", mapping: "Row[Any]") -> tuple[ReferenceChoice, ...]:
    """List what was chosen for the dataset and the corpus of a mapping, the oldest first."""
    return tuple(
        ReferenceChoice(
            reference=read_reference(row.reference),
            document=from_column(row.document),
            author=from_column(row.author),
            created=row.created,
        )
        for row in run(connection, _CHOICES, _pair(mapping))
    )


def keep_choice(
    change: Transaction, mapping: "Row[Any]", reference: Reference, document: str
) -> str | None:
    """Keep a choice instead of an earlier one, and return what was chosen before."""
    asked = {**_pair(mapping), "name": _name(reference)}
    before = run(change.connection, _CHOICE, asked).scalar()
    told = {"reference": write_reference(reference), "document": document}
    run(change.connection, _KEEP, {**asked, **told, "author": change.author, "now": change.now})
    return None if before is None else str(before)


def drop_choice(change: Transaction, mapping: "Row[Any]", reference: Reference) -> str | None:
    """Forget a choice, and return what was chosen; None if nothing was."""
    asked = {**_pair(mapping), "name": _name(reference)}
    before = run(change.connection, _CHOICE, asked).scalar()
    run(change.connection, _DROP, asked)
    return None if before is None else str(before)


def apply_choices(dataset: Dataset, choices: Mapping[Reference, str]) -> Dataset:
    """Let references lead first to the documents that were chosen for them."""
    if not choices:
        return dataset
    return replace(dataset, queries=tuple(_chosen(query, choices) for query in dataset.queries))


def write_unresolved(
    connection: "Connection",
    mapping: int,
    dataset: Dataset,
    resolution: Resolution,
    choices: Mapping[Reference, str],
) -> None:
    """Write what a resolution found nothing for, instead of what an earlier one did not.

    A reference that was resolved without its choice counts as chosen. With it, the document is not
    in the corpus any more, and it counts as unresolved.
    """
    rows = []
    for place, (query, judgment, item) in enumerate(_judgments(dataset, resolution)):
        found, reference = resolution.rows[place], judgment.reference
        if found.reason and not found.spared:
            chosen = reference in choices and found.reference == reference
            candidates = to_column(json.dumps(found.candidates, ensure_ascii=False))
            told = (_name(reference), write_reference(reference), found.reason, candidates)
            rows.append((mapping, place, item, to_column(query), *told, int(chosen)))
    clear_unresolved(connection, mapping)
    insert_many(connection, "unresolved", COLUMNS, rows)


def clear_unresolved(connection: "Connection", mapping: int) -> None:
    """Forget what an earlier resolution found nothing for."""
    run(connection, _CLEAR, {"mapping": mapping})


def mark_chosen(
    connection: "Connection", mapping: int, reference: Reference, *, chosen: bool
) -> int:
    """Note that somebody chose a document for a reference, or took it back; count the rows."""
    about = {"mapping": mapping, "name": _name(reference), "chosen": int(chosen)}
    return run(connection, _MARK, about).rowcount


def count_items(connection: "Connection", mapping: int) -> tuple[int, int]:
    """Count the items that are ambiguous, and those that are missing.

    An item is chosen if one of its references is, else ambiguous if one is, else missing.
    """
    items: dict[int, set[str]] = {}
    for item, reason, chosen in run(connection, _STATES, {"mapping": mapping}):
        items.setdefault(item, set()).add("chosen" if chosen else reason)
    left = [reasons for reasons in items.values() if "chosen" not in reasons]
    ambiguous = sum("ambiguous" in reasons for reasons in left)
    return ambiguous, len(left) - ambiguous


def read_unresolved(
    connection: "Connection", mapping: int, *, after: int, page: int
) -> "list[Row[Any]]":
    """Read some references that lead nowhere, in the order of the dataset."""
    asked = {"mapping": mapping, "after": after, "page": page}
    return list(run(connection, _PAGE, asked).all())


def make_unresolved(row: "Row[Any]") -> UnresolvedReference:
    """Make the record of a row."""
    return UnresolvedReference(
        query=from_column(row.query),
        reference=read_reference(row.reference),
        reason=row.reason,
        candidates=tuple(json.loads(from_column(row.candidates))),
        chosen=from_column(row.picked or ""),
    )


def _judgments(dataset: Dataset, resolution: Resolution) -> list[tuple[str, Judgment, int]]:
    """List the judgments of a dataset, each with its query and the number of its item."""
    numbers: dict[Any, int] = {}
    following = count()
    found = []
    for query in dataset.queries:
        for at, judgment in enumerate(query.judgments):
            key = (query.key, item_of(judgment, at))
            if key not in numbers:
                numbers[key] = next(following)
            found.append((query.key, judgment, numbers[key]))
    if [query for query, _, _ in found] != [row.query for row in resolution.rows]:
        hint = "resolve the dataset version of this mapping"
        problem = "the resolution belongs to another dataset version"
        raise InputError(problem, where=dataset.name, hint=hint)
    return found


def _chosen(query: Query, choices: Mapping[Reference, str]) -> Query:
    judgments = tuple(
        replace(one, reference=_pointed(one.reference, choices)) for one in query.judgments
    )
    return query if judgments == query.judgments else replace(query, judgments=judgments)


def _pointed(reference: Reference, choices: Mapping[Reference, str]) -> Reference:
    if reference not in choices:
        return reference
    return replace(reference, document_id=choices[reference], match="exact")


def _pair(mapping: "Row[Any]") -> dict[str, int]:
    return {"dataset": mapping.dataset, "corpus": mapping.corpus}


def _name(reference: Reference) -> bytes:
    return hash_texts(write_reference(reference))


def write_reference(reference: Reference) -> str:
    return to_column(json.dumps(encode_reference(reference), ensure_ascii=False, sort_keys=True))


def read_reference(stored: str) -> Reference:
    return decode_reference(json.loads(from_column(stored)))
