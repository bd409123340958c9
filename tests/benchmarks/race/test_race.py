"""Configurations that are beaten stop; the others are measured as if nobody had raced."""

import json
from collections import Counter
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest
from tests.benchmarks.run_stand_ins import run_stand_ins
from tests.benchmarks.stand_in import Clock, StandIn

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.race.account import race_account as told_of
from assay.benchmarks.race.order import Order
from assay.benchmarks.work.open_systems import OpenSystems
from assay.errors import InputError
from assay.records import RaceStanding
from assay.records.run_settings import RunSettings
from assay.searches.built_search import AnswerCheck
from assay.workspace.ledger.ledger import open_ledger

QUERIES = 80
GOOD = {"name": "good", "search": "lexical"}
BAD = {"name": "bad", "search": "lexical", "depth": 50}
BASE = {"name": "base", "search": "lexical", "depth": 60}
NEAR = {"name": "near", "search": "lexical", "depth": 80}
WORST = {"name": "worst", "search": "lexical", "depth": 70}


def words(at):
    return f"word{at} text{at}"


def fill(folder):
    """Write a corpus of 80 files, each the answer to one query."""
    (folder / "docs").mkdir()
    for at in range(QUERIES):
        (folder / "docs" / f"d{at}.md").write_text(words(at))
    queries = [
        {
            "query_key": f"q{at}",
            "query_text": words(at),
            "relevant_docs": [{"doc_ref": {"path": f"d{at}.md"}, "relevance_grade": 1}],
        }
        for at in range(QUERIES)
    ]
    (folder / "queries.json").write_text(json.dumps({"queries": queries}))
    return folder


@pytest.fixture
def run(tmp_path, no_clusters):
    return runner(fill(tmp_path))


@pytest.fixture(scope="module")
def raced(tmp_path_factory):
    """Run a race that two of four lose once, for all tests that only look at it."""
    run = runner(fill(tmp_path_factory.mktemp("raced")))
    with pytest.MonkeyPatch.context() as patch:
        where = "assay.benchmarks.queries.query_facts.cluster_queries"
        patch.setattr(where, lambda *_, **__: {})  # as no_clusters does
        run.report = run(BASE, GOOD, BAD, WORST)
    return run


def runner(folder):
    """Run stand-ins that find the answer to a share of the queries; count what they are asked."""
    asked, clock = {}, Clock()
    right = {"good": 1.0, "bad": 0.3, "base": 0.5, "worst": 0.1, "twin": 0.3, "near": 1.0}
    opened, closed = [], []

    def build(corpus, configuration, *, folder, track):
        name = configuration.name
        opened.append(name)

        class Counting(StandIn):
            def found(self, query, *, exclude=()):
                asked.setdefault(name, []).append(query.key)
                running.each(asked)
                if query.key in running.broken.get(name, ()):
                    raise running.why[len(asked[name]) % len(running.why)]("out of order")
                return super().found(query, exclude=exclude)

            def close(self):
                super().close()
                closed.append(name)

            def checked(self, answers):
                return AnswerCheck(failure="it lacks an answer" if name in running.odd else "")

        share = right[name]
        answers = {
            words(at): [(f"d{at}.md", 1.0)]
            if at % 10 < share * 10
            else [(f"d{(at + 1) % QUERIES}.md", 1.0)]
            for at in range(QUERIES)
        }
        documents = {document.id: document.text for document in corpus.documents()}
        fingerprint = "bad" if name == "twin" else name
        return Counting(documents, name=fingerprint, answers=answers, clock=clock)

    def running(*configurations, race=True, baseline="", ledger=None, **options):
        asked.clear()
        opened.clear()
        closed.clear()
        given = {"dataset": "queries.json", "corpus": "docs", "metrics": ["ndcg@10", "recall@5"]}
        given |= {"configurations": [*configurations], "race": race}
        given |= {"baseline": baseline} if baseline else {}
        (folder / "bench.json").write_text(json.dumps(given))
        benchmark = read_benchmark(folder / "bench.json")
        return run_stand_ins(benchmark, build=build, clock=clock, ledger=ledger, **options)

    running.broken, running.odd, running.why = {}, set(), [ValueError]
    running.right, running.closed = right, closed
    running.asked, running.opened, running.each = asked, opened, lambda _asked: None
    return running


def of(report, name):
    return next(one for one in report.runs if name in (one.name, *one.aliases))


def test_the_beaten_stop_and_the_others_are_measured_as_without_a_race(run, raced):
    full, report = run(BASE, GOOD, BAD, WORST, race=False), raced.report
    assert {one.name: one.status for one in report.runs} == {
        "base": "completed",  # beaten, but verdicts need it
        "good": "completed",
        "bad": "beaten",
        "worst": "beaten",
    }
    for name in ("base", "good"):
        assert of(report, name).per_query == of(full, name).per_query
        assert of(report, name).scores == of(full, name).scores
        assert of(report, name).rankings == of(full, name).rankings
    assert [one.run for one in report.comparisons.candidates] == ["good"]
    assert report.recommendations["best_quality"]["run"] == "good"
    assert report.winner["best"] == "good"


def test_a_race_makes_no_verdict_easier(run):
    full = run(BASE, GOOD, NEAR, BAD, WORST, race=False).comparisons
    report = run(BASE, GOOD, NEAR, BAD, WORST)
    raced = report.comparisons
    assert {one.name for one in report.runs if one.status == "beaten"} == {"bad", "worst"}
    before = {one.run: one for one in full.candidates}
    assert [one.run for one in raced.candidates] == ["good", "near"]
    for one in raced.candidates:
        for metric, found in one.metrics.items():
            was = before[one.run].metrics[metric]
            assert found.p_corrected >= was.p_corrected
            assert found.smallest_detectable == was.smallest_detectable  # alpha / 3 in both
        assert one.verdict.outcome == before[one.run].verdict.outcome
        found = one.metrics["ndcg@10"]
        assert found.p_corrected == pytest.approx(3 * found.p)  # Holm: two have the same rankings
    assert {*full.best_set} & {"base", "good", "near"} <= {*raced.best_set}
    assert raced.corrected_gain <= raced.observed_gain
    assert raced.settings["stopped"] == 2


@pytest.mark.parametrize("way", ["every query fails", "nothing is known"])
def test_one_that_was_stopped_and_has_failed_makes_no_verdict_easier(run, way):
    if way == "every query fails":
        run.why = [ValueError, OSError]  # not alike, so that it is not given up
        run.broken["worst"] = [f"q{at}" for at in range(QUERIES)]
    else:
        run.right["worst"] = 0.0
        run.odd.add("worst")
    report = run(BASE, GOOD, NEAR, BAD, WORST)
    assert of(report, "worst").status == "failed"
    assert of(report, "bad").status == "beaten"
    assert {one["run"] for one in report.race["beaten"]} == {"bad", "worst"}
    compared = report.comparisons
    assert compared.settings["stopped"] == 2
    for one in compared.candidates:
        found = one.metrics["ndcg@10"]
        assert found.p_corrected == pytest.approx(3 * found.p)  # Holm, over all that started
    run.broken, run.odd, run.right["worst"] = {}, set(), 0.1
    sound = run(BASE, GOOD, NEAR, BAD, WORST).comparisons
    for one, other in zip(compared.candidates, sound.candidates, strict=True):
        assert one.metrics == other.metrics
    assert compared.best_set == sound.best_set
    for told in filter(None, report.recommendations.values()):
        assert "stopped" in told["reason"]
    assert report.comparisons.corrected_gain == pytest.approx(sound.corrected_gain, abs=0.02)


def test_one_that_is_left_by_such_as_failed_is_alone(run, snapshot):
    run.why = [ValueError, OSError]
    run.broken["worst"] = [f"q{at}" for at in range(QUERIES)]
    report = run(GOOD, WORST)
    assert of(report, "worst").status == "failed"
    assert report.comparisons is None
    snapshot(report.recommendations["pick"]["reason"])


def test_recommendations_say_of_whom_they_speak(run, raced, snapshot):
    told = raced.report.recommendations
    assert all("stopped" in one["reason"] for one in told.values() if one)
    snapshot(told["best_quality"]["reason"])
    alone = run(GOOD, BAD, WORST).recommendations
    snapshot(sorted({one["reason"] for one in alone.values() if one}))
    told = run(BASE, GOOD, race=False).recommendations
    assert not any("stopped" in one["reason"] for one in told.values() if one)


def test_what_is_told_of_a_race(raced):
    report, told = raced.report, raced.report.race
    assert told["survivors"] == ["base", "good"]
    assert (told["alpha"], told["queries"], told["order_seed"]) == (0.05, QUERIES, 0)
    assert [one["run"] for one in told["beaten"]] == ["bad", "worst"]
    for one in told["beaten"]:
        its = of(report, one["run"])
        assert len(its.per_query) == one["after"] < QUERIES
        assert its.scores["ndcg@10"] == pytest.approx(one["score"])
        assert one["by"] == "good"
        assert one["leader_score"] == 1.0
        assert one["e_value"] >= 20
    after = sum(one["after"] for one in told["beaten"])
    assert told["searches"] == 2 * QUERIES + after  # the others are asked all queries
    assert told["searches_full"] == 4 * QUERIES
    assert told["saved"] == 1 - told["searches"] / told["searches_full"] > 0.2
    assert "at most 0.05" in told["statement"]
    assert told["statement"] in report.notes


def test_nobody_is_asked_more_than_is_told(raced):
    for one in raced.report.race["beaten"]:
        counted = Counter(raced.asked[one["run"]])
        assert len(counted) == one["after"]
        assert sum(count > 3 for count in counted.values()) <= 3 + 3  # three asks, and warming up
    counted = [raced.asked["good"].count(f"q{at}") for at in range(QUERIES)]
    assert all(count >= 3 for count in counted)
    assert sum(counted) <= 3 * QUERIES + 3 + 10  # nothing is asked again at the end


def test_a_system_stays_open_from_block_to_block(raced):
    assert sorted(raced.opened) == ["bad", "base", "good", "worst"]


def test_all_systems_are_closed_at_the_end(run):
    closed = []
    run(BASE, GOOD, BAD, WORST, keep=lambda _rankings: closed.append([*run.closed]))
    assert sorted(closed[0]) == ["bad", "base", "good", "worst"]
    assert {*closed[0][:2]} == {"bad", "worst"}  # as soon as they were beaten


def test_all_systems_are_closed_where_the_rest_is_interrupted(run):
    def killed(asked):
        if len({*asked["good"]}) > QUERIES * 0.9:
            raise KeyboardInterrupt

    run.each = killed
    with pytest.raises(KeyboardInterrupt) as raised:  # which keeps alive what was at work
        run(GOOD, BAD, WORST)
    assert raised.tb is not None
    assert sorted(run.closed) == ["bad", "good", "worst"]


def test_one_that_cannot_be_closed_keeps_no_other_open():
    told = []

    def build(_collection, chosen, **_):
        def close():
            told.append(chosen.name)
            raise OSError(chosen.name)

        return SimpleNamespace(close=close)

    held = OpenSystems(build)
    for name in ("a", "b"):
        held.open((name, "collection", 0), None, SimpleNamespace(name=name))
    with pytest.raises(OSError, match="a"):
        held.close()
    assert sorted(told) == ["a", "b"]


def test_the_order_is_that_of_the_seed(run):
    first, again, other = (run(BASE, GOOD, BAD, seed=seed) for seed in (1, 1, 2))
    assert first.race == again.race
    assert first.race["order_seed"] == 1
    assert [*of(first, "bad").per_query] != [*of(other, "bad").per_query]
    in_order = {key: at for at, key in enumerate(of(first, "good").per_query)}
    assert max(in_order[key] for key in of(first, "bad").per_query) > QUERIES / 2


def test_a_race_that_was_killed_goes_on_as_it_would_have(run, raced, tmp_path):
    straight = raced.report

    def killed(asked):
        if sum(map(len, asked.values())) > 300:
            raise KeyboardInterrupt

    with closing(open_ledger(tmp_path / "ledger.sqlite")) as ledger:
        run.each = killed
        with pytest.raises(KeyboardInterrupt):
            run(BASE, GOOD, BAD, WORST, ledger=ledger)
        run.each = lambda _asked: None
        resumed = run(BASE, GOOD, BAD, WORST, ledger=ledger, resume=True)
    assert resumed.race == straight.race
    assert of(resumed, "good").per_query == of(straight, "good").per_query
    assert of(resumed, "bad").per_query == of(straight, "bad").per_query
    assert "worst" not in run.asked  # it was beaten by what is on the tape


def test_the_baseline_by_whatever_name_is_never_stopped(run):
    twin = {**BAD, "name": "twin", "depth": 55}
    report = run(GOOD, BAD, twin, WORST, baseline="twin")
    merged = of(report, "twin")
    assert merged is of(report, "bad")  # they came to the same
    assert merged.status == "completed"
    assert of(report, "worst").status == "beaten"


def test_those_that_came_to_the_same_are_stopped_together(run):
    report = run(GOOD, BAD, {**BAD, "name": "twin", "depth": 55}, WORST)
    assert of(report, "twin") is of(report, "bad")
    assert of(report, "bad").status == "beaten"
    assert [one["run"] for one in report.race["beaten"]] == ["bad", "twin", "worst"]


def test_a_sterner_bound_stops_later(run):
    mild = run(BASE, GOOD, BAD, race={"alpha": 0.2, "first": 5})
    stern = run(BASE, GOOD, BAD, race={"alpha": 0.001, "first": 5})
    assert mild.race["beaten"][0]["after"] < stern.race["beaten"][0]["after"]


def test_too_few_queries_to_stop_anybody(run, snapshot):
    report = run(BASE, GOOD, BAD, race={"first": 200})
    assert {one.status for one in report.runs} == {"completed"}
    assert report.race["saved"] == 0
    assert report.race["survivors"] == ["base", "good", "bad"]
    assert report.race["searches"] == report.race["searches_full"] == 3 * QUERIES
    assert "`race: {first: 26}`" in report.race["statement"]
    snapshot(report.race["statement"])
    assert report.race["statement"] in report.notes


@pytest.mark.parametrize("at", [0, 36], ids=["the first block", "a later block"])
def test_failures_that_begin_a_block_are_no_reason_to_give_up(run, at):
    run(GOOD, NEAR)
    order = [*dict.fromkeys(run.asked["near"])]  # blocks end at 20, 25, 30, 36, 43 ...
    run.broken["good"] = order[at : at + 5]
    assert not {"q0", "q1", "q2", "q3", "q4"} <= {*run.broken["good"]}
    full = run(GOOD, NEAR, race=False)
    raced = run(GOOD, NEAR)
    assert {one.status for one in raced.runs} == {"completed"}
    assert of(raced, "good").failed == of(full, "good").failed
    assert len(of(raced, "good").failed) == 5
    assert of(raced, "good").scores == of(full, "good").scores


def test_a_system_that_always_fails_is_given_up_at_once(run):
    run.broken["bad"] = [f"q{at}" for at in range(QUERIES)]
    report = run(GOOD, NEAR, BAD)
    assert of(report, "bad").status == "failed"
    assert len({*run.asked["bad"]}) <= 10  # five of the first block, five of all
    assert report.race["survivors"] == ["good", "near"]
    assert report.race["searches"] == report.race["searches_full"] == 2 * QUERIES
    assert report.race["saved"] == 0


def test_what_fails_takes_no_part_in_what_is_saved(run):
    alone = run(GOOD, WORST, BASE)
    run.broken["bad"] = [f"q{at}" for at in range(QUERIES)]
    report = run(GOOD, WORST, BASE, BAD)
    assert of(report, "bad").status == "failed"
    assert report.race == alone.race
    assert report.race["saved"] > 0
    assert report.race["statement"] in report.notes
    assert "2 of 3 " in report.race["statement"]


def test_scores_until_then_count_each_dataset_the_same():
    file = {"dataset": "stdlib", "race": True, "configurations": [{"name": "a"}]}
    raced = RaceStanding(
        after=np.array([0, 4]), e_values=np.array([1.0, 25.0]), by=np.array([0, 0])
    )
    order = Order(
        tuple("abcdef"), (4,), np.array([0.5, 0.5, 0.5, 1, 0.5, 1]), np.array([0, 0, 0, 1, 0, 1]), 4
    )
    found = told_of(
        raced,
        {"a": [1.0, 1.0, 1.0, 0.0, 1.0, 1.0], "b": [0.0, 0.0, 0.3, 0.5]},
        asked={"a": 0, "b": 4},
        order=order,
        benchmark=read_benchmark(file),
        queries=6,
        fellows={},
        seed=0,
    )
    (beaten,) = found["beaten"]
    assert beaten["score"] == pytest.approx((0.1 + 0.5) / 2)
    assert beaten["leader_score"] == pytest.approx((1.0 + 0.0) / 2)


def test_one_that_scores_is_beaten_whatever_its_first_block_lacks(run):
    run.odd.add("bad")
    report = run(BASE, GOOD, BAD, WORST)
    assert of(report, "bad").status == "beaten"
    assert of(report, "bad").scores["ndcg@10"] > 0


def test_a_race_that_nobody_loses_takes_all_searches(run):
    full, raced = (
        run(GOOD, NEAR, race=race, settings=RunSettings(repeats=2)) for race in (False, True)
    )
    assert raced.plan["searches"] == full.plan["searches"]


def test_one_configuration_cannot_race(run, snapshot):
    with pytest.raises(InputError) as caught:
        run(GOOD)
    snapshot(caught.value)
