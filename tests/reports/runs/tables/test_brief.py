"""A line per run, which fits on a screen."""

from dataclasses import replace

from assay.records import Candidate, Comparison, Comparisons, Interval, Verdict
from assay.reports.layout import layout
from assay.reports.runs.tables.brief import brief


def compared(*outcomes):
    def one(name, outcome, count):
        found = Comparison(
            "ndcg@10", 90, 0.1, 0.2, Interval(0, 1), Interval(0, 1), 0.1, Interval(0.05, 0.15),
            0.01, 0.02, 0.5, 3, 2, 1, 0.04,
        )  # fmt: skip
        return Candidate(name, {"ndcg@10": found}, Verdict(outcome, "why", count), {}, ())

    candidates = tuple(one(*given) for given in outcomes)
    return Comparisons("base", "ndcg@10", 90, candidates, (), (), "good", 0.1, 0.05, ())


def test_each_run_has_its_score_its_change_its_costs_and_its_verdict(report, snapshot):
    decided = compared(("good", "ship", None), ("odd", "needs_queries", 1234))
    table = brief(report("base", "good", "odd", comparisons=decided))

    assert table.titles == (
        "run", "ndcg@10", "vs base", "95% CI", "recall@5", "p95 ms", "KB/doc", "verdict"
    )  # fmt: skip
    assert [row[0] for row in table.rows] == ["base", "good", "odd"]
    snapshot(row[-1] for row in table.rows)
    assert [row[-1] for row in table.rows][:2] == ["baseline", "SHIP"]
    assert "1,234" in table.rows[2][-1]
    assert [row[2] for row in table.rows] == [None, 0.1, 0.1]
    assert table.texts[1, 2] == "+0.100"
    assert table.texts[0, 5] == "20.0"
    assert (2, 1) in table.best  # the highest score
    assert (0, 5) in table.best  # the lowest latency
    assert (1, 1) not in table.best


def test_a_run_that_failed_says_so(report):
    good, bad = report("base", "bad").runs
    bad = replace(bad, status="failed", scores={}, latency_ms={}, indexing={}, storage={})
    table = brief(report(runs=(good, bad)))
    assert table.rows[1] == ["bad", None, None, None, None, "failed"]
    assert [row[-1] for row in table.rows] == ["", "failed"]


def test_one_run_has_nothing_to_be_better_than(report):
    assert brief(report("only")).best == frozenset()


def test_times_of_a_busy_machine_have_no_best(report):
    quiet = report("base", "fast")
    assert 3 in {column for _, column in brief(quiet).best}
    runs = [replace(run, latency_ms={**run.latency_ms, "busy": True}) for run in quiet.runs]
    found = brief(replace(quiet, runs=tuple(runs))).best
    assert found
    assert 3 not in {column for _, column in found}


def test_scores_of_fewer_queries_have_a_dagger_and_its_legend(report, snapshot):
    base, fast = report("base", "fast").runs
    beaten = replace(fast, status="beaten")
    race = {"beaten": [{"run": "fast", "after": 73}], "queries": 90}
    table = brief(report(runs=(base, beaten), race=race))
    assert table.texts[1, 1].endswith("†")
    assert not any("†" in shown for (row, _), shown in table.texts.items() if row == 0)
    assert table.caption.startswith("† ")
    told = table.rows[1][-1]
    snapshot([table.caption, told])
    assert told.endswith("after 73")  # as reports without its verdict tell
    hold = {"fast": Verdict("hold", "Stopped.", rule="raced")}
    table = brief(replace(report(runs=(base, beaten), race=race), uncompared=hold))
    assert table.rows[1][-1] == f"HOLD ({told})"
    assert brief(report("base", "fast")).caption == ""


def test_the_lowest_is_marked_where_lower_is_better(report):
    decided = compared(("good", "ship", None))
    first = decided.candidates[0]
    lower = replace(first.metrics["ndcg@10"], higher_is_better=False)
    marked = replace(first, metrics={**first.metrics, "recall@5": lower})
    told = report("base", "good", comparisons=replace(decided, candidates=(marked,)))
    for run, score in zip(told.runs, (0.2, 0.3), strict=True):
        run.scores.update({"ndcg@10": score, "recall@5": score})
    assert {(1, 1), (0, 4)} <= brief(told).best
    assert not {(0, 1), (1, 4)} & brief(told).best


def test_costs_are_left_out_rather_than_to_repeat_all_runs(report):
    decided = compared(("a good run", "ship", None), ("an odd run", "needs_queries", 9345))
    told = report("base", "a good run", "an odd run", comparisons=decided)
    assert brief(told, width=200) == brief(told)
    table = brief(told, width=72)
    assert table.titles == ("run", "ndcg@10", "vs base", "p95 ms", "KB/doc", "verdict")
    assert "9,345" in table.rows[2][-1]
    assert table.texts[2, 3] == brief(told).texts[2, 5]
    assert (2, 1) in table.best
    assert table.names == {5}
    assert "95% CI and recall@5" in table.caption  # what has no room is named
    assert len(layout(table, 72)) == len(table.rows) + 3
    assert brief(told, width=20).titles == ("run", "ndcg@10", "verdict")
