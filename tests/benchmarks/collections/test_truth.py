import pytest

import assay
from assay.benchmarks.collections.truth import find_truth
from assay.corpora.open_corpus import open_corpus
from assay.datasets.load import load


@pytest.fixture
def opened(place):
    text = "the quick brown fox jumps over the lazy dog"
    (place / "docs" / "e.md").write_text(f"once {text} at night")
    queries = (
        (place / "queries.json").read_text().replace("red apple", text).replace("a.md", "e.md")
    )
    (place / "queries.json").write_text(queries)
    return load(place / "queries.json"), open_corpus(place / "docs")


def test_leaked_queries_are_those_of_the_audit(opened):
    dataset, corpus = opened
    found = find_truth(dataset, corpus)
    assert found.leaked == ("q1",)
    audited = assay.audit(dataset, corpus).findings["leaked"]
    assert found.leaked == tuple(row["query"] for row in audited.rows)


def test_where_everything_is_found_there_is_only_one_truth(opened):
    found = find_truth(*opened)
    assert found.resolved is None
    assert found.accounts()["resolved"] == found.accounts()["total"] == 4


def test_reading_and_comparing_are_tracked(opened):
    seen = []

    def track(items, doing, *, total=None, unit=""):
        seen.append((doing, total, unit))
        return items

    find_truth(*opened, track=track)
    assert [told[1:] for told in seen] == [(None, "documents"), (5, "documents")]
    assert all("docs" in doing for doing, *_ in seen)
