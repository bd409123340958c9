"""A report, and datasets as they are now -> whether its documents can be judged for them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.benchmarks.collections.open_collections import Site
from assay.judging.grades import graded
from assay.judging.words import queries_named, quoted
from assay.records import Judgments, Report

__all__ = ["uncounted", "why_not"]

OTHER = "is not the one that this report was made with"


def why_not(sites: Sequence[Site], judgments: Judgments, report: Report) -> str:
    """Say what keeps the documents of a report from being judged for datasets; else nothing.

    Which configurations it has does not matter, nor do judgments that only one of both has: some
    were given since then, or are kept elsewhere.
    """
    return next(_reasons(sites, judgments, report), "")


def uncounted(judgments: Judgments, report: Report) -> int:
    """Count the grades that a report was made with and these judgments have not."""
    ours = graded(judgments)
    return sum((query, document) not in ours for query, document, _ in _grades(report))


def _reasons(sites: Sequence[Site], judgments: Judgments, report: Report) -> Iterator[str]:
    several = [*report.dataset.get("collections", {})]
    named = [site.name for site in sites if site.name]
    if sorted(named) != sorted(several):
        theirs, ours = (", ".join(names) or "one dataset" for names in (several, named))
        yield f"this report was made with other datasets: {theirs}; the benchmark has {ours}"
    known = {site.key(query.key) for site in sites for query in site.queries}
    if strange := [key for key in report.queries if key not in known]:
        yield f"the dataset {OTHER}: it does not have {queries_named(strange)}"
    for site in sites:
        start = f"{site.name}: " if site.name else ""
        yield from (f"{start}the dataset {OTHER}: {why}" for why in _asked(site, report))
    for site in sites:
        if _about(site, report, "corpus").get("fingerprint") != site.content:
            yield f"{f'{site.name}: ' if site.name else ''}the corpus {OTHER}"
    yield from (f"the dataset {OTHER}: {why}" for why in _regraded(judgments, report))


def _asked(site: Site, report: Report) -> Iterator[str]:
    scale = _about(site, report, "dataset").get("scale", site.dataset.scale)
    if scale != site.dataset.scale:
        yield f"grades went up to {scale}, and go up to {site.dataset.scale} now"
    for query in site.queries:
        text = str(report.queries.get(site.key(query.key), {}).get("text", query.text))
        if text != query.text:
            yield f"the query {quoted(query.key)} was {quoted(text)} and is {quoted(query.text)}"


def _regraded(judgments: Judgments, report: Report) -> Iterator[str]:
    ours = graded(judgments)
    for query, document, grade in _grades(report):
        now = ours.get((query, document), grade)
        if now != grade:
            what = f"the grade of {quoted(document)} for {quoted(query)}"
            yield f"{what} was {grade} and is {now}"


def _grades(report: Report) -> Iterator[tuple[str, str, int]]:
    for query, about in report.queries.items():
        for document, grade in (about.get("judged") or {}).items():
            yield query, document, grade


def _about(site: Site, report: Report, what: str) -> Mapping[str, Any]:
    """Return what a report tells of a dataset or corpus that it was made with."""
    told: Mapping[str, Any] = getattr(report, what)
    return told.get("collections", {}).get(site.name, {}) if site.name else told
