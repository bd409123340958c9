"""Check: a dataset file -> what is in it; whatever is wrong with it is raised, all at once."""

from collections import Counter
from pathlib import Path

from assay.datasets.limits import Limits
from assay.records import Contents, Dataset, Judgment
from assay.workflows.load_dataset import load_dataset

__all__ = ["check"]


def check(
    dataset: "str | Path | Dataset",
    *,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
    binary: bool = False,
    subtopics: bool = False,
) -> Contents:
    """Validate a dataset and summarize its contents.

    >>> check("stdlib").queries >= 75
    True
    """
    loaded = load_dataset(dataset, format=format, limits=limits, binary=binary, subtopics=subtopics)
    judgments = [judgment for query in loaded.queries for judgment in query.judgments]
    return Contents(
        name=loaded.name,
        format=loaded.format,
        queries=len(loaded.queries),
        judgments=len(judgments),
        documents=len(loaded.documents),
        corpus=dict(loaded.corpus),
        scale=loaded.scale,
        grades=dict(sorted(Counter(judgment.grade for judgment in judgments).items())),
        categories=dict(Counter(query.category for query in loaded.queries if query.category)),
        collections=dict(Counter(q.collection for q in loaded.queries if q.collection)),
        groups=len({(q.key, j.group) for q in loaded.queries for j in q.judgments if j.group}),
        without_text=sum(not query.text.strip() for query in loaded.queries),
        description=loaded.description,
        notes=(*loaded.notes, *_empty(loaded, judgments)),
    )


def _empty(dataset: Dataset, judgments: list[Judgment]) -> list[str]:
    """Say what nothing can be measured without."""
    if not dataset.queries:
        return ["the dataset contains no queries"]
    relevant = any(judgment.grade > 0 for judgment in judgments)
    return [] if relevant else ["no query has a relevant document: every search scores 0"]
