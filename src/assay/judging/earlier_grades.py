"""What was graded before, and a dataset as it is now -> the grades that hold, or what contradicts.

A grade is of a query and a document: it holds whatever configurations were run since.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from assay.errors import InputError
from assay.judging.words import queries_named
from assay.records import Dataset, Judgment, Query, Reference
from assay.text import sanitize
from assay.text.count_noun import plural
from assay.text.join_list import first_named
from assay.text.quote import quote_line, quote_value

__all__ = [
    "contradiction",
    "grades_of",
    "is_graded",
    "refuse_other",
    "reports_of",
    "ungraded",
]

Key = tuple[str, str]  # of a query, and the id of a document
REPORTS = 3  # that a message names


def is_graded(judgment: Judgment) -> bool:
    """Tell whether a judge gave it here: it says who did, of which document."""
    because = judgment.because
    return bool(because and because.judge and judgment.reference.document_id)


def grades_of(dataset: Dataset) -> dict[Key, Judgment]:
    """Return what judges graded."""
    return {
        (query.key, one.reference.document_id): one
        for query in dataset.queries
        for one in query.judgments
        if is_graded(one)
    }


def reports_of(dataset: Dataset) -> list[str]:
    """Name the reports that grades were given for, the one of most grades first."""
    said = (one.because.report for one in grades_of(dataset).values() if one.because)
    return [report for report, _ in Counter(filter(None, said)).most_common()]


def ungraded(query: Query) -> list[Judgment]:
    """Return the judgments of a query that no judge gave here."""
    return [one for one in query.judgments if not is_graded(one)]


def contradiction(dataset: Dataset, before: Dataset) -> str:
    """Say why grades that were given before are not of this dataset; nothing where they are.

    A dataset may have more than it had then: queries, and judgments of other documents.
    """
    return next(_contradictions(dataset, before), "")


def refuse_other(path: Path, before: Dataset, why: str) -> None:
    """Name what differs, the reports that a file belongs to, and the ways out."""
    reports = reports_of(before)
    some = f"{plural(len(reports), 'report')} {first_named(reports, REPORTS, show=sanitize)}"
    said = f" (its grades were given for {some})" if reports else ""
    keep = f"to keep these grades, set `dataset: {path}` in the benchmark and run it; "
    hint = f"{keep if reports else ''}to start over, write to another file (-o FILE)"
    problem = f"does not match the benchmark's dataset: {why}{said}"
    raise InputError(problem, where=str(path), hint=hint)


def _contradictions(dataset: Dataset, before: Dataset) -> Iterator[str]:
    own = {query.key: query for query in dataset.queries}
    if before.metadata.get("sample") != dataset.metadata.get("sample"):
        yield f"it is {_sample(before)}, the dataset is {_sample(dataset)}"
    if before.scale != dataset.scale:
        yield f"its highest grade is {before.scale}, the dataset's is {dataset.scale}"
    if strange := [query.key for query in before.queries if query.key not in own]:
        yield f"it contains {queries_named(strange)} that the dataset does not contain"
    if "judging" not in before.metadata and len(before.queries) < len(own):
        yield "it contains no grades of a judge, and not all queries of the dataset"
    for query in before.queries:
        yield from _of_query(query, own[query.key])


def _sample(dataset: Dataset) -> str:
    """Say which sample of `assay diff` a dataset is: its weights hold for no other queries."""
    drawn = dataset.metadata.get("sample")
    if not isinstance(drawn, dict):
        return "not a sample of `assay diff`"
    both = " and ".join(quote_line(str(drawn.get(side, ""))) for side in ("before", "after"))
    queries, seed = (quote_value(drawn.get(key)) for key in ("drawn", "seed"))
    return f"the sample of {queries} queries of {both} (seed {seed})"


def _of_query(before: Query, now: Query) -> Iterator[str]:
    name = f"query {quote_line(now.key)}"
    if before.text != now.text:
        then, here = quote_line(before.text), quote_line(now.text)
        yield f"{name} is {then} in the file and {here} in the dataset"
    for one in ungraded(before):
        like = [each for each in now.judgments if _about(each) == _about(one)]
        if one.grade not in {each.grade for each in like}:
            what = f"{name}: {sanitize(str(one.reference))} has grade {one.grade} in the file"
            there = f"grade {like[0].grade}" if like else "no grade"
            yield f"{what} and {there} in the dataset"


def _about(judgment: Judgment) -> tuple[Reference, str]:
    return judgment.reference, judgment.group
