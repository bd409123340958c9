"""Hygiene: texts that ask nothing, keys that look alike, judgments given twice."""

from collections import Counter
from collections.abc import Iterator

from assay.datasets.checks._evidence import Evidence, check
from assay.records import Dataset, Finding
from assay.text.count_noun import count_noun

__all__ = ["hygiene"]

Row = dict[str, str]


@check(rank=55)
def hygiene(evidence: Evidence) -> Finding:
    """Find empty texts, keys that differ only in case or spaces, and duplicate judgments."""
    rows = (*_empty(evidence.dataset), *_keys(evidence.dataset), *_repeated(evidence))
    found = count_noun(len(rows), "problem in texts and keys", "problems in texts and keys")
    return Finding(
        said="texts, keys and judgments to check." if rows else "",
        brief=found if rows else "",
        rows=rows,
        shown=("query", "problem"),
    )


def _empty(dataset: Dataset) -> Iterator[Row]:
    for query in dataset.queries:
        text = query.text.strip()
        if len(text) < 2:
            problem = f'the text is a single character, "{text}"' if text else "the text is empty"
            yield {"query": query.key, "problem": problem}


def _keys(dataset: Dataset) -> Iterator[Row]:
    """Compare keys without case and space; each is told of beside the first like it."""
    first: dict[str, str] = {}
    for query in dataset.queries:
        other = first.setdefault("".join(query.key.split()).casefold(), query.key)
        if other != query.key:
            yield {
                "query": query.key,
                "problem": f'the key differs from "{other}" only in case or spaces',
            }


def _repeated(evidence: Evidence) -> Iterator[Row]:
    for number, query in enumerate(evidence.dataset.queries):
        if len(query.judgments) > 1:
            given = Counter((what, one.grade) for what, one in evidence.grades(number))
            times = sum(count - 1 for count in given.values())
            if times:
                problem = count_noun(times, "duplicate judgment")
                yield {"query": query.key, "problem": problem}
