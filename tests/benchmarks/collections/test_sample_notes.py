from assay.benchmarks.collections.sample_notes import sample_notes
from assay.records import Configuration, Dataset

SAMPLE = {"before": "bm25", "after": "hybrid", "changed_share": 0.964}


def notes(*names, **about):
    dataset = Dataset("d", (), metadata={"sample": SAMPLE | about})
    return [*sample_notes(dataset, [Configuration(name) for name in names])]


def test_the_two_that_it_was_drawn_for_are_scaled():
    (note,) = notes("bm25", "hybrid")
    assert '96.4% of the traffic whose results changed between "bm25" and "hybrid"' in note
    assert "0.964 times as large" in note


def test_nothing_is_scaled_by_one():
    assert notes("bm25", "hybrid", changed_share=0.9999999999999996) == []


def test_others_are_named_and_not_scaled():
    (note,) = notes("bm25", "dense")
    assert 'for "dense"' in note
    assert "times" not in note
    assert len(notes("bm25", "hybrid", "dense")) == 2


def test_other_datasets_have_no_note():
    for metadata in ({}, {"sample": 20}, {"sample": {"drawn": 3}}):
        assert [*sample_notes(Dataset("d", (), metadata=metadata), [Configuration("a")])] == []
