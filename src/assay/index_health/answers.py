"""The answers that a dataset knows: whether the index holds them, so that they can be found."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.benchmarks.collections.resolving import resolve_in
from assay.index_health.look import Look, told
from assay.records import Corpus, Dataset, HealthFinding, Reading, Resolution, Resolved, Track

__all__ = ["Judged", "answers", "judge"]

LINES = Reading(  # the share of the answers that are missing
    watch=0.0,
    bad=0.1,
    meaning="Documents that are judged to be right answers are not in the index and cannot be "
    "found, however good the search is: bring it up to date with `assay index`, or look where "
    "references lead with `assay dataset resolve`.",
    reason="",
)
LEADS = {"ambiguous": "leads to several documents", "invalid": "is no reference"}


@dataclass(frozen=True, slots=True)
class Judged:
    """The documents that are relevant to each query, and the answers that no chunk stands for.

    ``total`` counts the answers, each once however many queries it is relevant to.
    """

    relevant: dict[str, list[str]]
    total: int
    missing: tuple[str, ...]


def judge(look: Look, corpus: Corpus, dataset: Dataset, *, track: Track) -> Judged:
    """Look up where references lead, and whether the index has what they lead to."""
    resolution = resolve_in(corpus, dataset, track=track)
    held = {one.id for one in look.held if one.chunks}
    relevant: dict[str, list[str]] = {}
    lacking: dict[tuple[str, ...], str] = {}
    for row in _expected(resolution, dataset):
        if row.documents:
            relevant.setdefault(row.query, []).extend(row.documents)
        there = not held.isdisjoint(row.documents)  # one document of an expected item will do
        lacking[row.documents or (str(row.reference),)] = "" if there else _lack(row)
    unique = {key: list(dict.fromkeys(names)) for key, names in relevant.items()}
    return Judged(unique, len(lacking), tuple(text for text in lacking.values() if text))


def answers(judged: Judged) -> HealthFinding:
    """Count the answers that can be found at all."""
    missing, total = len(judged.missing), judged.total
    return told(
        "coverage",
        "answers indexed",
        total - missing,
        LINES.meaning,
        state=LINES.state(missing / max(total, 1)),
        expected=(float(total), float(total)),
        unit=f"of {total:,}",
        cases=judged.missing,
    )


def _expected(resolution: Resolution, dataset: Dataset) -> Iterator[Resolved]:
    """Yield what is judged to be relevant, but for what another of its group stands for."""
    judgments = [one for query in dataset.queries for one in query.judgments]
    for row, judgment in zip(resolution.rows, judgments, strict=True):
        if judgment.grade > 0 and not row.spared:
            yield row


def _lack(row: Resolved) -> str:
    """Say which answer is missing, and where it is missing from."""
    if row.documents:
        return row.documents[0]
    return f"{row.reference} ({LEADS.get(row.reason, 'not in the corpus')})"
