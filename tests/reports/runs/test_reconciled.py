"""A pick that is not what the verdicts ship is told with what to ship now."""

from dataclasses import replace

import pytest

from assay.records import Candidate, Comparison, Comparisons, Interval, Verdict
from assay.reports.runs.markdown import markdown
from assay.reports.runs.recommendations import recommendations
from assay.reports.runs.reconciled import is_for_now, reconciled

NEEDS = Verdict("needs_queries", "Why.", 40)
SHIP = Verdict("ship", "Why.")
PICK = {"run": "a", "by": "latency_p50_ms", "value": 20.0, "reason": "the fastest", "sure": True}


def candidate(name, verdict):
    ends = Interval(0.0, 0.2)
    found = Comparison(
        "ndcg@10", 50, 0.5, 0.6, ends, ends, 0.1, ends, 0.01, 0.01, 1.0, 30, 10, 10, 0.02
    )
    return Candidate(name, {"ndcg@10": found}, verdict, {}, ())


@pytest.fixture
def told(report):
    def make(best_set=("a", "b", "c"), pick=PICK, **verdicts):
        found = tuple(candidate(name, one) for name, one in verdicts.items())
        compared = Comparisons(
            "base", "ndcg@10", 50, found, (), best_set, "b", 0.1, 0.05, (), settings={}
        )
        options = {"comparisons": compared, "recommendations": {"pick": pick}}
        return report("base", "a", "b", "c", **options)

    return make


def test_the_only_one_that_is_shipped_is_named(told):
    found = told(a=NEEDS, b=SHIP)
    assert reconciled(found, PICK) == (
        '"b" alone is SHIP against "base": ship it now; "a" is faster and cannot be told from "b", '
        'but is not shown to beat "base" yet (NEEDS MORE QUERIES)'
    )
    (line,) = recommendations(found, picks=True)
    assert line.startswith('pick for now: a. The fastest. "b" alone is SHIP')


def test_of_several_that_are_shipped_the_fastest_is_named(told):
    found = told(a=NEEDS, b=SHIP, c=SHIP)
    assert reconciled(found, PICK).startswith(
        '2 runs are SHIP against "base": ship "b" now, the fastest of them; "a" is faster and'
    )


def test_what_is_shipped_may_be_told_from_the_best(told):
    assert "cannot be told from the best, but" in reconciled(
        told(a=NEEDS, c=SHIP, best_set=("a", "b")), PICK
    )


def test_where_nothing_is_shipped_the_pick_is_for_now(told):
    found = told(a=NEEDS)
    assert reconciled(found, PICK) == 'It is not shown to beat "base" yet (NEEDS MORE QUERIES)'
    assert is_for_now(found, PICK)
    found = told(a=replace(NEEDS, queries_to_show=1))
    assert reconciled(found, PICK) == (
        'It is not shown to beat "base" yet (1 more query would show a gain as large as the one '
        "seen)"
    )


def test_a_baseline_beside_what_is_shipped_is_reconciled_too(told):
    found = told(b=SHIP, pick=PICK | {"run": "base"})
    assert reconciled(found, PICK | {"run": "base"}) == (
        '"b" alone is SHIP against "base": ship it now; "base" is faster and cannot be told '
        'from "b" where all runs are compared with each other'
    )


@pytest.mark.parametrize(
    ("pick", "verdicts"),
    [
        ("a", {"a": SHIP}),
        ("a", {"a": SHIP, "b": SHIP}),
        ("base", {"a": NEEDS}),
        (None, {"a": SHIP}),
    ],
)
def test_a_pick_that_verdicts_bear_is_no_pick_for_now(told, pick, verdicts):
    one = PICK | {"run": pick}
    found = told(pick=one, **verdicts)
    assert reconciled(found, one) == ""
    assert not is_for_now(found, one)


def test_what_may_break_a_budget_is_not_said_to_ship(told):
    found = told(a=NEEDS, b=SHIP)
    runs = [
        replace(run, budgets={"latency_p95_ms": {"state": "unsure"}} if run.name == "b" else {})
        for run in found.runs
    ]
    assert "ship it now" not in reconciled(replace(found, runs=tuple(runs)), PICK)


def test_the_page_of_markdown_says_it_too(told):
    from assay.reports.runs.brief import brief

    found = told(a=NEEDS, b=SHIP)
    page = markdown(found, brief(found), [], date="today").decode()
    assert "pick for now: a" in page
    assert "ship it now" in page


def test_what_a_race_leaves_is_picked(told):
    found = told(pick=PICK | {"run": "base", "reason": "the highest"})
    runs = (found.runs[0], *(replace(run, status="beaten") for run in found.runs[1:]))
    raced = replace(found, runs=runs, comparisons=None, race={"beaten": [{"run": "a", "after": 1}]})
    assert recommendations(raced) == ["pick: base. The highest"]
    assert recommendations(replace(raced, race={})) == []


def test_a_pick_that_scores_less_than_the_baseline_says_so(told):
    found = told(a=NEEDS)
    (own,) = found.comparisons.candidates
    less = replace(own.metrics["ndcg@10"], difference=-0.0482)
    compared = replace(found.comparisons, candidates=(replace(own, metrics={"ndcg@10": less}),))
    assert reconciled(replace(found, comparisons=compared), PICK) == (
        'It scores 0.0482 less than "base", and is not shown to be as good: nothing speaks for a '
        "change yet"
    )
