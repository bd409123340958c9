"""A load that was asked for is answered in a sentence: the cheapest that bears it, and the best."""

import pytest

from assay.records import Report, Run
from assay.reports.analysis.borne import borne
from assay.reports.analysis.lessons import lessons
from assay.reports.analysis.load import load


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
    assert borne(told) == (
        '50 queries per second on 4 cores: 2 of 3 runs bear it, cheapest "words" (1 core, '
        '0.05 an hour, p95 8 ms, ndcg@10 0.400); "both" scores best of these (3 cores, '
        "0.15 an hour, p95 8 ms, ndcg@10 0.600)."
    )
    assert lessons(told)[0] == borne(told)


def test_one_may_be_both():
    assert borne(report({"words": 3, "both": 2})).endswith(", and scores best of these.")
    assert "scores best of these and needs no more cores (" in borne(
        report({"words": 1, "both": 1})
    )


def test_what_no_run_bears_is_said_with_what_it_would_take():
    assert borne(report({"words": 9, "deep": None})) == (
        'No run bears 50 queries per second on 4 cores. The least would be 9 cores, with "words".'
    )
    assert borne(report({"deep": None})) == "No run bears 50 queries per second on 4 cores."


def test_loads_that_nobody_asked_for_get_no_answer():
    assert borne(report({"words": 1}, asked=())) == ""
    assert borne(Report({"name": "b", "primary": "ndcg@10"}, {}, {}, {}, ())) == ""


@pytest.mark.parametrize("busy", [True, False])
def test_a_busy_machine_is_told(busy):
    told = load(report({"words": 1}, **({"busy_machine": True} if busy else {}))).caption
    assert ("measured on a busy machine (a search got as little as 25% of a core)" in told) is busy
    answer = borne(report({"words": 1}, **({"busy_machine": True} if busy else {})))
    assert answer.endswith("`assay run FILE --fresh` on a quiet one measures again.") is busy
