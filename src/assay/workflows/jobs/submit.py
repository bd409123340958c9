"""Put a job into the ledger, for whichever worker is there first."""

import uuid
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.records.work import Unit
from assay.text.join_list import join_list
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workflows.jobs.perform import KINDS
from assay.workspace.ledger.ledger import last_unit, open_ledger
from assay.workspace.locate import locate

__all__ = ["submit"]


def submit(
    kind: str,
    content: Mapping[str, Any],
    *,
    name: str = "",
    workspace: str | Path | None = None,
) -> str:
    """Note a job of a kind (import, index, resolve), and return its id.

    `assay worker` does it, in this process or another one; the files of `workflows/jobs` say what
    the ``content`` of each kind is. Paths in it must be whole: a worker may be anywhere.
    """
    if kind not in KINDS:
        hint = did_you_mean(kind, [*KINDS])
        raise InputError(f"unknown kind of job {quote_value(kind)}", hint=hint)
    chosen, place = KINDS[kind], locate(given=workspace)
    if missing := [key for key in chosen.needs if key not in content]:
        hint = f"this kind of job requires {join_list(chosen.needs)}"
        raise InputError(f"missing {join_list(missing)}", where=f"job {kind}", hint=hint)
    if chosen.prepare is not None:
        content = chosen.prepare(content, place)
    with closing(open_ledger(place.database)) as ledger:
        started = ledger.begin(
            identity=uuid.uuid4().hex,
            name=name or kind,
            about={},
            runs=(),
            resume=False,
            job=content,
            kind=kind,
        )
        ledger.prepare(started.id, [Unit(last_unit(kind, started.id), kind, kind)])
    return started.id
