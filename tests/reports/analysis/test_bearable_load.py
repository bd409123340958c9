"""A load that was asked for is answered in a sentence: the cheapest that bears it, and the best."""

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


def test_the_cheapest_and_the_best_of_those_that_bear_it():
    told = report({"words": 1, "both": 3, "deep": 5})
    assert bearable_load(told) == (
        '50 queries per second on 4 cores: 2 of 3 runs bear it, cheapest "words" (1 core, '
        '0.05 an hour, p95 8 ms, ndcg@10 0.400); "both" scores best of these (3 cores, '
        "0.15 an hour, p95 8 ms, ndcg@10 0.600)."
    )
    assert lessons(told)[0] == bearable_load(told)


def test_one_may_be_both():
    assert bearable_load(report({"words": 3, "both": 2})).endswith(", and scores best of these.")
    assert "scores best of these and needs no more cores (" in bearable_load(
        report({"words": 1, "both": 1})
    )


def test_what_no_run_bears_is_said_with_what_it_would_take():
    assert bearable_load(report({"words": 9, "deep": None})) == (
        'No run bears 50 queries per second on 4 cores. The least would be 9 cores, with "words".'
    )
    assert bearable_load(report({"deep": None})) == "No run bears 50 queries per second on 4 cores."


def test_loads_that_nobody_asked_for_get_no_answer():
    assert bearable_load(report({"words": 1}, asked=())) == ""
    assert bearable_load(Report({"name": "b", "primary": "ndcg@10"}, {}, {}, {}, ())) == ""


@pytest.mark.parametrize("busy", [True, False])
def test_a_busy_machine_is_told(busy):
    told = load(report({"words": 1}, **({"busy_machine": True} if busy else {}))).caption
    assert ("measured on a busy machine (a search got as little as 25% of a core)" in told) is busy
    answer = bearable_load(report({"words": 1}, **({"busy_machine": True} if busy else {})))
    assert answer.endswith("`assay run FILE --fresh` on a quiet one measures again.") is busy


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


def test_a_run_with_failed_queries_is_no_answer_and_that_is_said():
    told = failing(report({"words": 1, "both": 3, "deep": 2}), "words")
    assert bearable_load(told) == (
        '50 queries per second on 4 cores: 2 of 3 runs bear it, cheapest "deep" (2 cores, 0.1 an '
        "hour, p95 8 ms, ndcg@10 0.700), and scores best of these. Left out: queries failed in "
        '"words".'
    )
    caption = load(told).caption
    assert caption.startswith('Simulated on 4 cores: "both" serves 9.0 queries per second')
    assert 'Left out: queries failed in "words".' in caption
    none = failing(report({"words": 1}), "words")
    said = "No run bears 50 queries per second on 4 cores."
    assert bearable_load(none) == f'{said} Left out: queries failed in "words".'
    assert load(none).caption == 'What 4 cores serve. Left out: queries failed in "words".'


def test_a_run_that_is_refused_is_the_answer_only_where_no_other_is():
    told = decided(report({"words": 1, "both": 3, "deep": 5}), words="dont_ship", both="ship")
    assert bearable_load(told) == (
        "50 queries per second on 4 cores: 2 of 3 runs bear it, of those without DON'T SHIP the "
        'cheapest is "both" (3 cores, 0.15 an hour, p95 8 ms, ndcg@10 0.600).'
    )
    assert '"words" (DON\'T SHIP) serves 9.0' in load(told).caption
    worse = decided(told, words="dont_ship", both="dont_ship")
    assert 'cheapest "words" (1 core' in bearable_load(worse)
    assert bearable_load(worse).endswith("The verdict on each of these is DON'T SHIP.")
    alone = decided(report({"words": 1, "deep": 9}), words="dont_ship")
    assert bearable_load(alone).endswith("The verdict on it is DON'T SHIP.")


@pytest.mark.parametrize(
    ("front", "verdicts", "said"),
    [
        (
            ["words", "both"],
            {"words": "dont_ship", "both": "dont_ship"},
            'No other is better than 2 of 3 runs in quality at once: "words", "both"; but the '
            "verdict on each of them is DON'T SHIP.",
        ),
        (
            ["words"],
            {"words": "dont_ship"},
            'No other is better than 1 of 3 runs in quality at once: "words"; but the verdict on it'
            " is DON'T SHIP.",
        ),
        (
            ["words", "both"],
            {"words": "dont_ship", "both": "hold"},
            '1 of 3 runs is worth a look for quality: "both"; the verdict on "words" is '
            "DON'T SHIP.",
        ),
        (
            ["words", "both", "deep"],
            {"words": "dont_ship"},
            'No run is better than another in quality at once; the verdict on "words" is '
            "DON'T SHIP.",
        ),
    ],
)
def test_a_run_that_is_refused_is_not_worth_a_look(front, verdicts, said):
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
    assert pareto(told).caption == said
