"""How far two judges of the same queries agree."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from assay.records import (
    KEYS,
    Agreement,
    Coefficient,
    Dataset,
    Judgment,
    Reference,
    Resolution,
    ResolvedReference,
)
from assay.statistics.cohen_kappa import cohen_kappa
from assay.statistics.krippendorff import krippendorff

__all__ = ["agreement"]

About = tuple[str, tuple[str, str]]


def agreement(
    first: Dataset,
    second: Dataset,
    resolutions: tuple[Resolution | None, Resolution | None],
    *,
    names: tuple[str, str],
) -> Agreement:
    """Pair judgments by query and by what they are about, and measure how far they agree.

    A judgment is about its document where resolutions are given, else about what its reference
    names; in which part of the document a judge saw it, and what else would do, is not compared. Of
    several grades that one judge gave, the largest holds.
    """
    ours, theirs = _grades(first, resolutions[0]), _grades(second, resolutions[1])
    both = [about for about in ours if about in theirs]
    pairs = [(ours[about].grade, theirs[about].grade) for about in both]
    grades = tuple(sorted({grade for pair in pairs for grade in pair}))
    counts = Counter(pairs)
    return Agreement(
        judges=names,
        pairs=len(pairs),
        equal=sum(one == other for one, other in pairs),
        only_first=len(ours) - len(both),
        only_second=len(theirs) - len(both),
        grades=grades,
        confusion=tuple(tuple(counts[one, other] for other in grades) for one in grades),
        coefficients=_coefficients(pairs),
        disagreements=tuple(_disagreements(both, ours, theirs, _texts(first))),
    )


def _grades(dataset: Dataset, resolution: Resolution | None) -> dict[About, Judgment]:
    """Return each judge's judgment of each thing; pooled documents were not judged."""
    rows = iter(resolution.rows) if resolution else None
    found: dict[About, Judgment] = {}
    for query in dataset.queries:
        for judgment in query.judgments:
            row = next(rows) if rows else None
            about = (query.key, _thing(judgment.reference, row))
            if judgment.grade >= (found[about].grade if about in found else 0):
                found[about] = judgment
    return found


def _texts(dataset: Dataset) -> dict[str, str]:
    return {query.key: query.text for query in dataset.queries}


def _thing(reference: Reference, row: ResolvedReference | None) -> tuple[str, str]:
    """Name what a judgment is about: a document, or the best key of its reference."""
    if row is not None and len(row.documents) == 1:
        return "document", row.documents[0]
    keys = (key for key in (*KEYS, "symbol") if getattr(reference, key))
    key = next(keys, "document_id")
    return key, getattr(reference, key)


def _coefficients(pairs: list[tuple[int, int]]) -> dict[str, Coefficient]:
    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return {
        "kappa": cohen_kappa(one, other),
        "kappa_linear": cohen_kappa(one, other, weights="linear"),
        "kappa_quadratic": cohen_kappa(one, other, weights="quadratic"),
        "alpha_ordinal": krippendorff([one, other], level="ordinal"),
    }


def _disagreements(
    both: list[About],
    ours: dict[About, Judgment],
    theirs: dict[About, Judgment],
    texts: dict[str, str],
) -> Iterator[dict[str, Any]]:
    """Yield what the judges see differently, the largest difference first."""
    apart = sorted(both, key=lambda about: -abs(ours[about].grade - theirs[about].grade))
    for about in apart:
        one, other = ours[about], theirs[about]
        if one.grade != other.grade:
            reference = str(one.reference)
            grades = {"first": one.grade, "second": other.grade}
            text = texts[about[0]]
            yield {"query": about[0], "text": text, "reference": reference, **grades}
