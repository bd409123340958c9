"""An uploaded file -> what it contains, or all that is wrong with it; nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from assay import catalogue
from assay.datasets import formats
from assay.datasets.checks import Evidence, examine
from assay.datasets.limits import Limits
from assay.errors import InputError, ProblemsError
from assay.records import AuditSettings, Dataset, Query
from assay.workflows.uploads.read_upload import read_upload

__all__ = ["UploadSummary", "check_upload"]

SHOWN = 20  # duplicates, and queries of the preview
LISTED = 1_000  # problems


@dataclass(frozen=True, slots=True)
class UploadSummary:
    """What an upload contains; ``problems`` are all that is wrong with it, if it cannot be used."""

    problems: Sequence[InputError] = ()
    problem_count: int = 0
    name: str = ""
    format: str = ""
    format_reason: str = ""
    queries: int = 0
    judgments: int = 0
    documents: int = 0
    scale: int = 0
    grades: Mapping[str, int] = field(default_factory=dict)
    without_relevant: int = 0
    duplicates: Sequence[Mapping[str, Any]] = ()
    duplicate_count: int = 0
    notes: Sequence[str] = ()
    preview: Sequence[Query] = ()


def check_upload(
    content: BinaryIO,
    *,
    name: str,
    folder: Path,
    limits: Limits,
    format: str = "",  # noqa: A002
) -> UploadSummary:
    """Read an upload as `read_upload` does, and sum up what it contains."""
    try:
        found = read_upload(content, name=name, folder=folder, limits=limits, format=format)
    except ProblemsError as error:
        return UploadSummary(problems=error.problems[:LISTED], problem_count=error.count)
    except InputError as error:
        return UploadSummary(problems=[error], problem_count=1)
    return _sum_up(found, given=bool(format))


def _sum_up(dataset: Dataset, *, given: bool) -> UploadSummary:
    names = ("duplicates", "grades")
    findings = examine(Evidence(dataset, None, AuditSettings()), only=names)
    pairs = findings["duplicates"].rows
    return UploadSummary(
        name=dataset.name,
        format=dataset.format,
        format_reason=_reason(dataset.format, given=given),
        queries=len(dataset.queries),
        judgments=sum(len(query.judgments) for query in dataset.queries),
        documents=len(dataset.documents),
        scale=dataset.scale,
        grades=findings["grades"].figures["counts"],
        without_relevant=sum(not query.has_relevant for query in dataset.queries),
        duplicates=pairs[:SHOWN],
        duplicate_count=len(pairs),
        notes=dataset.notes,
        preview=dataset.queries[:SHOWN],
    )


def _reason(name: str, *, given: bool) -> str:
    summary = getattr(catalogue.find(formats, name), "summary", "")
    how = "as requested" if given else "recognized by its content"
    return f"{how}: {summary}"
