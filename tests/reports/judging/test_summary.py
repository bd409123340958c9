from assay.records.judging import Contest, JudgingResult
from assay.reports.judging.summary import as_value, summary


def test_by_hand(snapshot):
    before = (Contest("words", "dense", 2, -0.2, 0.1), Contest("words", "both", 12, -0.02, 0.06))
    after = (Contest("words", "dense", 2, -0.2, 0.1), Contest("words", "both", 9, 0.01, 0.04))
    snapshot(summary(JudgingResult("judged.json", 3, 1, 2, before, after, graded_before=10)))
    before, after = before[::-1], after[::-1]
    value = as_value(JudgingResult("judged.json", 3, 1, 2, before, after))
    assert value["comparisons"][0]["holes"] == [0.01, 0.04]
    assert [one["open"] for one in value["comparisons"]] == [False, True]


def test_what_cannot_be_asked_is_told_only_where_something_is_open(snapshot):
    done, still = Contest("words", "both", 0, 0.02, 0.02), Contest("words", "both", 1, -0.1, 0.1)
    settled = summary(JudgingResult("judged.json", 0, before=(done,), after=(done,)))
    stuck = summary(JudgingResult("judged.json", 0, before=(still,), after=(still,)))
    snapshot(settled)
    snapshot(stuck)
    assert settled[0].startswith("1 of 1 ")
    assert stuck[0].startswith("0 of 1 ")
    assert (len(settled), len(stuck)) == (2, 3)
    for left in ({"left": 1}, {"skipped": 1}):
        said = summary(JudgingResult("judged.json", 0, before=(still,), after=(still,), **left))
        assert stuck[1] not in said
        assert len(said) == 2


def test_a_second_judge_has_no_comparisons(snapshot):
    (said,) = summary(JudgingResult("j", 2, left=1))
    snapshot(said)
    assert "1 document " in said


def test_a_metric_without_ends(snapshot):
    unknown = Contest("words", "both", 4)
    assert unknown.open
    judged = JudgingResult("j", 0, left=4, before=(unknown,), after=(unknown,))
    snapshot(summary(judged))
    assert ": 4 unjudged documents" in summary(judged)[-1]
    assert as_value(judged)["comparisons"][0]["holes"] is None


def test_many_comparisons_are_cut_to_what_was_settled_and_what_is_nearest(snapshot):
    before = [Contest("words", f"run {at}", 30 - at, -1.0, 1.0) for at in range(20)]
    after = [*before]
    after[4] = Contest("words", "run 4", 26, 0.1, 1.0)
    before[7] = after[7] = Contest("words", "run 7", 0, 0.1, 0.1)  # settled long ago
    said = summary(JudgingResult("j", 1, left=1, before=tuple(before), after=tuple(after)))
    snapshot(said)
    assert len(said) == 7
    assert said[0].startswith("2 of 20 ")
    assert [line.split('"')[1] for line in said[1:3]] == ["run 4", "run 19"]
    assert "15" in said[-1]
