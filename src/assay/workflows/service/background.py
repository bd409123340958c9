"""Work that a request starts, and that workers do: resolving a mapping, indexing a corpus."""

from collections.abc import Mapping
from typing import Any

from assay.records.service import CorpusEntry, JobStatus, MappingEntry
from assay.workflows.service.allowed import Allowed
from assay.workspace.ledger.ledger import Ledger

__all__ = ["index_later", "last_resolving", "resolve_later"]

OPEN = ("pending", "running")


def resolve_later(
    ledger: Ledger, mapping: MappingEntry, *, allowed: Allowed, author: str, asked: bool = True
) -> JobStatus:
    """Let a worker resolve a mapping; a job that is about to do it is all that is needed.

    The audit log tells who ``asked`` for that; the job of a new mapping has no entry of its own.
    """
    last = last_resolving(ledger, mapping.id)
    if last is not None and last.state in OPEN:
        return last
    content = {"mapping": mapping.id, "author": author, "within": [*allowed.places]}
    noted = {"act": "mapping.request_resolve", "thing": mapping.id} if asked else {}
    return _note(ledger, "resolve", content, name=f"mapping {mapping.id}", author=author, **noted)


def last_resolving(ledger: Ledger, mapping: str) -> JobStatus | None:
    """Return the last job that resolves a mapping."""
    identity = _identity("resolve", f"mapping {mapping}")
    return next(iter(ledger.jobs(kind="resolve", identity=identity, limit=1).items), None)


def index_later(
    ledger: Ledger,
    corpus: CorpusEntry,
    configuration: Mapping[str, Any],
    *,
    allowed: Allowed,
    author: str,
) -> JobStatus:
    """Let a worker bring the index of a corpus up to date; InputError for unknown settings."""
    from assay.searches.configuration.configuration import configuration as checked

    checked({"name": "index", **configuration})
    content: dict[str, Any] = {"corpus": dict(corpus.where), "within": [*allowed.places]}
    content |= {"configuration": dict(configuration)} if configuration else {}
    about = {"name": f"corpus {corpus.id}", "lane": corpus.id}
    noted = {"act": "corpus.request_index", "thing": corpus.id}
    return _note(ledger, "index", content, author=author, **about, **noted)


def _note(
    ledger: Ledger,
    kind: str,
    content: Mapping[str, Any],
    *,
    name: str,
    author: str,
    lane: str = "",
    act: str = "",
    thing: str = "",
) -> JobStatus:
    job, _ = ledger.create(
        name=name,
        about={},
        runs=(),
        job=content,
        author=author,
        identity=_identity(kind, name),
        kind=kind,
        lane=lane,
        act=act,
        thing=thing,
    )
    return ledger.job_status(job)


def _identity(kind: str, name: str) -> str:
    return f"{kind} {name}"
