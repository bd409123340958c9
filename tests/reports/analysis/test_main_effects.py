"""The sentences of main effects, of the front and of the race itself, where it stopped runs."""

import re
from dataclasses import replace

from assay.records import Report, Run
from assay.reports.analysis.lessons import lessons
from assay.reports.analysis.main_effects import main_effects
from assay.reports.analysis.pareto import pareto
from assay.reports.analysis.race import race

METRIC = "ndcg@10"


def effect(before, after, difference, p, **more):
    ends = [difference - 0.01, difference + 0.01]
    told = {"from": before, "to": after, "difference": difference, "ci": ends, "p": p}
    return told | {"p_holm": p, "pairs": 1, "queries": 9} | more


def parameter(name, *effects, stopped=()):
    matters = any(one["p_holm"] < 0.05 for one in effects)
    told = {"parameter": name, "levels": [], "latency": [], "matters": matters}
    return told | {"effects": [*effects], "stopped": [*stopped]}


def report(*told, states=("completed", "completed", "beaten"), **analysis):
    runs = [
        Run(name=str(at), fingerprint=str(at), configuration={}, status=state)
        for at, state in enumerate(states)
    ]
    about = {"name": "bench", "metrics": [METRIC], "primary": METRIC}
    made = Report(benchmark=about, dataset={}, corpus={}, environment={}, runs=tuple(runs))
    return replace(made, analysis={"main_effects": [*told], **analysis})


def test_what_a_race_left_untold_is_named(snapshot):
    unit = parameter("lexical_unit", effect("document", "chunk", 0.001, 0.7))
    search = parameter("search", stopped=["dense"])
    made = report(unit, search, parameter("chunk_size", stopped=[64, 512]))
    (said,) = lessons(made)
    snapshot(said)
    assert said.index("2 runs") < said.index("search (dense)") < said.index("chunk_size (64, 512)")
    table = main_effects(made)
    assert [row[:2] for row in table.rows[1:]] == [
        ["search", "-> dense"],
        ["chunk_size", "-> 64"],
        ["chunk_size", "-> 512"],
    ]
    assert table.best == frozenset()  # what is not known is not shown to matter
    assert table.texts[1, 2] == "stopped early"


def test_a_race_that_leaves_no_effect_still_says_so(snapshot):
    said = main_effects(report(parameter("depth", stopped=[400]))).caption
    snapshot(said)
    assert "depth (400)" in said
    assert main_effects(report(parameter("depth"))) is None


def test_an_effect_says_what_was_chosen_for_one_side_alone(snapshot):
    told = effect("lexical", "dense", 0.1, 0.001, **{"with": {"unit": ["document", "chunk"]}})
    whole = main_effects(report(parameter("search", told), states=["completed"] * 2)).caption
    raced = main_effects(report(parameter("search", told))).caption
    snapshot([whole, raced])
    assert re.search(r"lexical -> dense \(.*\bunit document\b.*\bchunk\)", whole)
    assert ("2 runs" in whole, "2 runs" in raced) == (False, True)


def test_an_interval_without_width_says_why(snapshot):
    alike = effect(1, 2, 0.1, 0.03, note="all values equal")
    same = effect(2, 3, 0.0, 1.0, note="all values equal")  # changes nothing at all
    made = report(parameter("depth", alike, same), states=["completed"] * 2)
    said = main_effects(made).caption
    assert "depth (1 -> 2, 9 queries)" in said
    assert "2 -> 3" not in said
    many = [effect(0, at, 0.1, 0.03, note="all values equal") for at in range(1, 6)]
    made = report(parameter("depth", *many), states=["completed"] * 2)
    cut = main_effects(made).caption
    assert "(0 -> 3, 9 queries) and 2 more" in cut
    snapshot([said, cut])


def test_a_front_is_of_the_runs_that_were_not_stopped(snapshot):
    point = {"quality": 0.5, "latency": 2.0, "storage": 3.0}
    front = {"axes": {"quality": METRIC, "latency": "latency_ms.p50"}, "left_out": {}}
    front |= {"points": {"0": point, "1": point}, "front": ["0"], "dominated": {"1": "0"}}
    same = report(pareto=front | {"front": ["0", "1"], "dominated": {}})
    said = [pareto(one).caption for one in (report(pareto=front), same)]
    snapshot(said)
    assert all(re.search("2 runs|Both runs", one) for one in said)  # of three


def test_evidence_is_no_probability(snapshot):
    beaten = {"run": "2", "by": "0", "after": 20, "score": 0.1, "leader_score": 0.9, "e_value": 31}
    told = {"alpha": 0.05, "beaten": [beaten], "statement": "race: 1 of 3 was stopped"}
    table = race(replace(report(), race=told))
    assert table.titles[4] == "evidence"
    snapshot(table.caption)
    assert re.search(r"\b20\b.*\b5%", table.caption)  # 1 / alpha, and alpha
