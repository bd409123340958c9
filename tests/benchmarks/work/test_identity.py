"""A dataset is named by all that decides its scores."""

import pytest

from assay.benchmarks.collections.describe import about_dataset
from assay.records import Dataset, Judgment, Query, Reference

JUDGED = (Judgment(Reference(path="a.py"), 3),)


def fingerprint(*, key="q", text="one", category="", judgments=JUDGED, extra=None, scale=3):
    query = Query(key, text, judgments, category=category, extra=extra or {})
    return about_dataset(Dataset("d", (query,), scale=scale))["fingerprint"]


@pytest.mark.parametrize(
    "changed",
    [
        {"key": "r"},
        {"text": "two"},
        {"category": "c"},
        {"scale": 4},
        {"judgments": (Judgment(Reference(path="a.py"), 2),)},
        {"judgments": (Judgment(Reference(path="b.py"), 3),)},
        {"extra": {"exclude": ["b.py"]}},
        {"extra": {"filters": {"language": "de"}}},
    ],
)
def test_what_decides_scores_decides_the_fingerprint(changed):
    assert fingerprint(**changed) != fingerprint()


def test_what_decides_nothing_does_not():
    assert fingerprint(extra={"lines": [1, 2]}) == fingerprint()
    assert fingerprint(extra={"exclude": ["a", "b"]}) == fingerprint(extra={"exclude": ["b", "a"]})
