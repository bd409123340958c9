"""What is said of runs that a race stopped."""

from dataclasses import replace

from assay.reports.runs.phrases.failures import failures
from assay.reports.runs.phrases.stopped_runs import stopped_runs
from assay.reports.runs.tables.brief import brief
from assay.reports.runs.tables.summary import summary


def stopped(run, after, by="good"):
    return {"run": run, "after": after, "by": by, "score": 0.25, "leader_score": 0.5}


def raced(report, *names):
    told = report("good", *names)
    runs = [replace(run, status="beaten") if run.name in names else run for run in told.runs]
    race = {"queries": 300, "metric": "ndcg@10"}
    race |= {"beaten": [stopped(name, 20 if at < 4 else 60) for at, name in enumerate(names)]}
    return replace(told, runs=tuple(runs), race=race)


def test_each_is_told_by_itself(report, snapshot):
    told = raced(report, "bad")
    (line,) = stopped_runs(told)
    snapshot(line)
    for fact in ('"bad"', "20 of 300 queries", '"good"', "0.250", "0.500"):
        assert fact in line
    assert failures(told) == [line]


def test_many_share_a_line_for_each_look(report, snapshot):
    told = raced(report, *"abcdef")
    first, second = failures(told)
    snapshot([first, second])
    assert "20 of 300" in first
    assert first.endswith('"a", "b", "c", "d"')
    assert "60 of 300" in second
    assert second.endswith('"e", "f"')
    assert len(stopped_runs(told)) == 6


def test_without_a_race_there_is_nothing_to_tell(report):
    assert stopped_runs(report("a", "b")) == []


def test_scores_of_fewer_queries_are_marked_and_never_the_best(report, snapshot):
    told = raced(report, "bad", "worse")
    table = summary(told)
    snapshot(table.caption)
    assert "† " in table.caption
    marks = {(row, column): text for (row, column), text in table.texts.items() if "†" in text}
    assert len(marks) == 2 * len(told.benchmark["metrics"])
    short = brief(told)
    assert [row[-1] for row in short.rows] == ["", *2 * ["stopped early after 20"]]
    assert not any(row in (1, 2) for row, _ in short.best)


def test_a_run_that_is_left_alone_is_not_the_best_of_anything(report):
    told = raced(report, "bad", "worse")
    assert summary(told).best == frozenset()
    two = replace(told, runs=(*told.runs[:2], replace(told.runs[2], status="completed")))
    marks = summary(two).best
    assert {row for row, _ in marks} >= {0, 4}  # of a metric, and of the seconds of indexing
    assert not any(column == 2 for _, column in marks)
