from assay.records.judging import Contest, Judged
from assay.reports.judging.summary import as_value, summary


def test_by_hand():
    before = (Contest("words", "both", 12, -0.02, 0.06), Contest("words", "dense", 2, -0.2, 0.1))
    after = (Contest("words", "both", 9, 0.01, 0.04), Contest("words", "dense", 2, -0.2, 0.1))
    said = summary(Judged("judged.json", 3, 1, 2, before, after))
    assert said == [
        "3 graded, 1 skipped",
        "both against words: +0.0100 to +0.0400 over every grading (before: -0.0200 to +0.0600); "
        "no grading puts it behind",
        "dense against words: -0.2000 to +0.1000 over every grading; open, at most 2 documents "
        "settle it",
    ]
    value = as_value(Judged("judged.json", 3, 1, 2, before, after))
    assert value["comparisons"][0]["holes"] == [0.01, 0.04]
    assert [one["open"] for one in value["comparisons"]] == [False, True]


def test_nothing_stands_in_the_way():
    done = Contest("words", "both", 0, 0.02, 0.02)
    said = summary(Judged("judged.json", 0, before=(done,), after=(done,)))
    assert said[1].startswith("nothing unjudged stands in the way")


def test_a_metric_without_ends():
    unknown = Contest("words", "both", 4)
    assert unknown.open
    said = summary(Judged("j", 0, left=4, before=(unknown,), after=(unknown,)))
    assert said[-1] == "both against words: unjudged documents that either shows: 4"
    assert (
        as_value(Judged("j", 0, before=(unknown,), after=(unknown,)))["comparisons"][0]["holes"]
        is None
    )


def test_many_comparisons_are_cut():
    every = tuple(Contest("words", f"run {at}", 1, -1.0, 1.0) for at in range(30))
    said = summary(Judged("j", 1, left=1, before=every, after=every))
    assert len(said) == 12
    assert said[-1] == "... and 20 more comparisons (--json)"
