"""A run of a report -> a run file, for other programs of evaluation."""

import json
from typing import Literal

from assay.errors import NotFoundError
from assay.records import Report, Run
from assay.text.join_list import first_named
from assay.text.quote import quote_value

__all__ = ["run_file"]


def run_file(report: Report, name: str) -> tuple[Literal["trec", "json"], bytes]:
    """Write what a run found as TREC does, or as JSON where ids hold white space.

    A document that has no score is given one by its rank: the order is what counts.
    """
    run = next((one for one in report.runs if name in (one.name, *one.aliases)), None)
    if run is None:
        hint = f"available: {first_named([one.name for one in report.runs], 5)}"
        raise NotFoundError(f"unknown run {quote_value(name)}", where="run", hint=hint)
    found = {query: _scored(run, query) for query in run.rankings}
    ids = [*found, *(document for listed in found.values() for document in listed)]
    if any(one != "".join(one.split()) or not one for one in ids):
        return "json", json.dumps(found, ensure_ascii=False).encode("utf-8", "replace")
    tag = "_".join(run.name.split()) or "run"
    lines = [
        f"{query} Q0 {document} {rank} {score!r} {tag}\n"
        for query, listed in found.items()
        for rank, (document, score) in enumerate(listed.items(), 1)
    ]
    return "trec", "".join(lines).encode("utf-8", "replace")


def _scored(run: Run, query: str) -> dict[str, float]:
    documents = run.rankings[query]
    scores = run.ranking_scores.get(query) or ()
    if len(scores) != len(documents):
        scores = tuple(float(len(documents) - at) for at in range(len(documents)))
    return dict(zip(documents, map(float, scores), strict=True))
