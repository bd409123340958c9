"""Do a job that is in the ledger, as one of perhaps several processes that could."""

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from assay.benchmarks.conduct import execute_benchmark
from assay.benchmarks.work.worker import Worker
from assay.errors import CancelledError, InputError
from assay.records import Track, untracked
from assay.records.work import StoredJob
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workflows.jobs.import_dataset import import_dataset, note_version
from assay.workflows.jobs.index_corpus import index_corpus
from assay.workflows.jobs.refuse_outside import refuse_outside
from assay.workflows.jobs.resolve_mapping import resolve_mapping
from assay.workspace.ledger.ledger import open_ledger, worker_name
from assay.workspace.locate import Workspace

__all__ = ["KINDS", "JobKind", "perform"]

Handler = Callable[..., Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class JobKind:
    """What does a job: it is given the id and content of the job, and the workspace.

    It may be done again after a kill, and must then come to the same: ``prepare`` adds what it must
    know for that to the content, when the job is noted. ``needs`` are the keys of a content.
    """

    handler: Handler
    needs: tuple[str, ...]
    prepare: Callable[[Mapping[str, Any], Workspace], Mapping[str, Any]] | None = None


KINDS = {
    "import": JobKind(import_dataset, ("path", "author"), note_version),
    "index": JobKind(index_corpus, ("corpus",)),
    "resolve": JobKind(resolve_mapping, ("mapping", "author")),
}


def perform(job: StoredJob, place: Workspace, *, track: Track = untracked) -> None:
    """Do a job, or wait until another worker has done it; what it fails for is raised."""
    if job.kind == "benchmark":
        _refuse_places(job.content)
        execute_benchmark(job.id, workspace=place.folder, track=track)
        return
    if job.kind not in KINDS:
        hint = did_you_mean(job.kind, [*KINDS])
        raise InputError(f"unknown kind of job {quote_value(job.kind)}", where=job.id, hint=hint)
    with closing(open_ledger(place.database)) as ledger:
        worker = Worker(ledger, job.id, worker_name())

        def work() -> bytes:
            result = KINDS[job.kind].handler(job.id, job.content, place, track=track)
            return json.dumps(dict(result)).encode()

        try:
            with worker.present():
                worker.conclude(work, kind=job.kind)
        except CancelledError:
            ledger.confirm_cancel(job.id)
            raise


def _refuse_places(content: Mapping[str, Any]) -> None:
    """Refuse to read corpora and run files of a benchmark outside of the allowed folders."""
    chosen = content.get("benchmark", {}).get("configurations", ())
    refuse_outside(
        content,
        corpora=[pin["where"] for pin in content.get("mappings", ())],
        systems=[one.get("system") for one in chosen],
    )
