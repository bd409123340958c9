"""A load that was asked for is answered in a sentence: the cheapest that bears it, and the best."""

import re
from dataclasses import replace

import pytest

from assay.records import (
    Candidate,
    Comparison,
    Comparisons,
    Interval,
    Report,
    Run,
    Verdict,
)
from assay.reports.analysis.bearable_load import bearable_load
from assay.reports.analysis.lessons import lessons
from assay.reports.analysis.load import load
from assay.reports.analysis.pareto import pareto

quoted = re.compile(r'"([^"]+)"').findall


def report(needed, *, asked=(50.0,), **options):
    scores = {"words": 0.4, "both": 0.6, "deep": 0.7}
    runs = tuple(Run(name, name, {}, scores={"ndcg@10": scores[name]}) for name in needed)
    told = {name: one(cores) | options for name, cores in needed.items()}
    found = {"cores": 4, "runs": told} | ({"asked": [*asked]} if asked else {})
    about = {"name": "b", "primary": "ndcg@10", "metrics": ["ndcg@10"]}
    return Report(about, {}, {}, {}, runs, analysis={"load": found})


def one(cores):
    load = {"qps": 50.0, "cores_needed": cores, "cpu_cores": (cores or 9) / 2, "p95_ms": 8.0}
    load |= {"price_per_hour": None if cores is None else 0.05 * cores}
    service = {"mean": 5.0, "p95": 7.0}
    return {"loads": [load], "service_ms": service, "capacity_qps": 9.0, "cores_busy": 0.25} | {
        "cpu_hours_per_million": 1.0
    }


def test_the_cheapest_and_the_best_of_those_that_bear_it(snapshot):
    told = report({"words": 1, "both": 3, "deep": 5})
    said = bearable_load(told)
    snapshot(said)
    assert quoted(said) == ["words", "both"]  # the cheapest, the best; "deep" needs 5 of 4 cores
    assert said.index("1 core") < said.index("0.400") < said.index("3 cores") < said.index("0.600")
    assert lessons(told)[0] == said


def test_one_may_be_both(snapshot):
    said = [bearable_load(report({"words": 3, "both": 2}))]
    said += [bearable_load(report({"words": 1, "both": 1}))]
    snapshot(said)
    assert quoted(said[0]) == ["both"]
    assert {*quoted(said[1])} == {"words", "both"}


def test_what_no_run_bears_is_said_with_what_it_would_take(snapshot):
    said = [
        bearable_load(report({"words": 9, "deep": None})),
        bearable_load(report({"deep": None})),
    ]
    snapshot(said)
    assert "9 cores" in said[0]
    assert [quoted(one) for one in said] == [["words"], []]


def test_loads_that_nobody_asked_for_get_no_answer():
    assert bearable_load(report({"words": 1}, asked=())) == ""
    assert bearable_load(Report({"name": "b", "primary": "ndcg@10"}, {}, {}, {}, ())) == ""


@pytest.mark.parametrize("busy", [True, False])
def test_a_busy_machine_is_told(busy):
    told = load(report({"words": 1}, **({"busy_machine": True} if busy else {}))).caption
    assert ("25%" in told) is busy  # the least share of a core that a search got
    answer = bearable_load(report({"words": 1}, **({"busy_machine": True} if busy else {})))
    assert ("`assay run FILE`" in answer) is busy


def decided(told, **outcomes):
    """Give some runs of a report their verdicts."""
    ends = Interval(0.0, 0.2)
    figures = (50, 0.5, 0.6, ends, ends, 0.1, ends, 0.01, 0.01, 1.0, 30, 10, 10, 0.02)
    found = tuple(
        Candidate(run, {"ndcg@10": Comparison("ndcg@10", *figures)}, Verdict(one, "So."), {}, ())
        for run, one in outcomes.items()
    )
    compared = Comparisons("base", "ndcg@10", 50, found, (), (), "base", 0.1, 0.05, ())
    return replace(told, comparisons=compared)


def failing(told, *names):
    runs = (replace(run, failed={"q": "no"}) if run.name in names else run for run in told.runs)
    return replace(told, runs=tuple(runs))


def test_a_run_with_failed_queries_is_no_answer_and_that_is_said(snapshot):
    told = failing(report({"words": 1, "both": 3, "deep": 2}), "words")
    none = failing(report({"words": 1}), "words")
    answers = [bearable_load(one) for one in (told, none)]
    captions = [load(one).caption for one in (told, none)]
    snapshot([*answers, *captions])
    assert [quoted(one) for one in answers] == [["deep", "words"], ["words"]]  # left out at the end
    assert [quoted(one)[-1] for one in captions] == ["words", "words"]
    assert quoted(captions[0])[0] == "both"


def test_a_run_that_is_refused_is_the_answer_only_where_no_other_is(snapshot):
    told = decided(report({"words": 1, "both": 3, "deep": 5}), words="dont_ship", both="ship")
    worse = decided(told, words="dont_ship", both="dont_ship")
    alone = decided(report({"words": 1, "deep": 9}), words="dont_ship")
    said = [bearable_load(one) for one in (told, worse, alone)]
    snapshot([*said, load(told).caption])
    assert [quoted(one)[0] for one in said] == ["both", "words", "words"]
    assert '"words" (DON\'T SHIP)' in load(told).caption
    assert all("DON'T SHIP" in one for one in said)


@pytest.mark.parametrize(
    ("front", "verdicts", "named"),
    [
        (["words", "both"], {"words": "dont_ship", "both": "dont_ship"}, ["words", "both"]),
        (["words"], {"words": "dont_ship"}, ["words"]),
        (["words", "both"], {"words": "dont_ship", "both": "hold"}, ["both", "words", "words"]),
        (["words", "both", "deep"], {"words": "dont_ship"}, ["words"]),
    ],
    ids=["all of two", "the only one", "one of two", "one of all"],
)
def test_a_run_that_is_refused_is_not_worth_a_look(front, verdicts, named, snapshot):
    told = report({"words": 1, "both": 3, "deep": 5})
    runs = ["words", "both", "deep"]
    found = {
        "axes": {"quality": "ndcg@10"},
        "left_out": {},
        "front": front,
        "dominated": {run: front[0] for run in runs if run not in front},
        "points": {run: {"quality": 0.5} for run in runs},
    }
    told = decided(replace(told, analysis={"pareto": found}), **verdicts)
    snapshot(pareto(told).caption)
    assert quoted(pareto(told).caption) == named  # the refused ones at the end
