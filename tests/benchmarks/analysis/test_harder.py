import numpy as np
import pytest

from assay.benchmarks.analysis import harder as module
from assay.benchmarks.analysis.harder import harder
from assay.statistics.max_t_groups import max_t_groups

FILES = {"py": {"judged": {"a.py": 1}, "file_types": ["py"]}}
FILES["both"] = {"judged": {"a.py": 1, "b.md": 1}, "file_types": ["md", "py"]}
FILES["md"] = {"judged": {"b.md": 1}, "file_types": ["md"]}


def test_each_group_stands_beside_the_other_queries(scored_report):
    report = scored_report(
        {"one": {"q1": 0.0, "q2": 0.5, "q3": 1.0}, "two": {"q1": 0.5, "q2": 0.5, "q3": 0.5}},
        {"q1": {"category": "x"}, "q2": {"category": "x"}, "q3": {}},
    )
    told = harder(report, seed=4)
    # The means over the runs are .25, .5 and .75.
    p = max_t_groups(np.array([0.25, 0.5, 0.75]), np.array([[1, 0], [1, 0], [0, 1]]), seed=4)
    x, none = told["categories"].pop("each").values()
    assert x == {"queries": 2, "mean": 0.375, "others": 0.75, "p": p[0], "p_holm": p[0]}
    assert none == {"queries": 1, "mean": 0.75, "others": 0.375, "p": p[1], "p_holm": p[1]}
    assert told == {"categories": {"queries": 3, "groups": 2, "p": min(p), "p_holm": min(p)}}


def test_a_query_may_want_several_file_types_and_one_that_all_want_is_no_harder(scored_report):
    report = scored_report(
        {"a": {"q1": 0.25, "q2": 0.5, "q3": 1.0}},
        {"q1": FILES["py"], "q2": FILES["both"], "q3": {"text": "no type"}},
    )
    told = harder(report, seed=0)["file_types"]
    assert (told["queries"], told["groups"]) == (2, 2)
    assert told["each"]["md"]["others"] == 0.25
    assert told["each"]["py"] == {
        "queries": 2,
        **{"mean": 0.375, "others": None, "p": 1.0, "p_holm": 1.0},
    }


def test_what_is_found_is_corrected_for_the_questions_that_were_asked(scored_report):
    known = [
        {
            **FILES["py" if at % 2 else "md"],
            "category": "xyz"[at // 20],
            "cluster": "ab"[at % 20 < 9],
        }
        for at in range(60)
    ]
    scores = {f"q{at}": (0, 0.1, 0.4)[at // 20] + at % 7 / 9 for at in range(60)}
    told = harder(scored_report({"a": scores}, dict(zip(scores, known, strict=True))), seed=0)
    assert [*told] == ["categories", "clusters", "file_types"]
    (p1, first), (p2, second), (p3, third) = sorted((one["p"], name) for name, one in told.items())
    assert told[first]["p_holm"] == 3 * p1
    assert told[second]["p_holm"] == max(3 * p1, min(1, 2 * p2))
    assert told[third]["p_holm"] == max(told[second]["p_holm"], p3)
    middle = told[first]["each"]["y"]
    assert p1 < middle["p"] < middle["p_holm"] == min(1.0, 3 * middle["p"])
    for one in told.values():
        assert min(each["p_holm"] for each in one["each"].values()) == one["p_holm"]
        assert all(each["p_holm"] >= each["p"] for each in one["each"].values())


@pytest.mark.parametrize("apart", [0.0, 0.4])
def test_categories_by_chance_are_not_told_and_those_that_differ_are(
    scored_report, monkeypatch, apart
):
    monkeypatch.setattr(module, "SHUFFLES", 199)
    monkeypatch.setattr(module, "FEWEST", 199)
    rng, told = np.random.default_rng(5), 0
    for seed in range(100 if apart == 0 else 10):
        labels = rng.permutation(np.arange(100) % 5).tolist()
        scores = rng.choice([0.0, 0.5, 1.0], 100) + apart * (np.array(labels) == 0)
        keys = [f"q{at}" for at in range(100)]
        report = scored_report(
            {"a": dict(zip(keys, scores.tolist(), strict=True))},
            {key: {"category": f"c{one}"} for key, one in zip(keys, labels, strict=True)},
        )
        told += harder(report, seed=seed)["categories"]["p_holm"] <= 0.05
    assert told <= 9 if apart == 0 else told >= 8  # 9 of 100 at most: 1.96 errors above 5


def test_of_many_queries_fewer_shuffles_are_made(scored_report, monkeypatch):
    made = []

    def counted(scores, groups, *, shuffles, seed):
        made.append(shuffles)
        return np.ones(groups.shape[1])

    monkeypatch.setattr(module, "max_t_groups", counted)
    for queries in (100, 1_000, 20_000):
        keys = [f"q{at}" for at in range(queries)]
        known = {key: {"category": "xy"[at % 2]} for at, key in enumerate(keys)}
        harder(scored_report({"a": dict.fromkeys(keys, 0.5)}, known), seed=0)
    assert made == [10_000, 5_000, 1_000]


def test_of_many_categories_the_largest_are_tested(scored_report):
    keys = [f"q{at}" for at in range(120)]
    known = {key: {"category": f"c{at % 60}" if at < 119 else "c3"} for at, key in enumerate(keys)}
    told = harder(scored_report({"a": dict.fromkeys(keys, 0.5)}, known), seed=0)["categories"]
    assert (told["queries"], told["groups"], len(told["each"])) == (120, 60, 50)
    assert told["each"]["c3"]["queries"] == 3


def test_nothing_is_told_of_a_single_group_or_where_nothing_was_scored(scored_report):
    assert harder(scored_report({"a": {"q": 1.0}}, {"q": {"category": "x"}}), seed=0) == {}
    assert harder(scored_report({"a": {"q": 1.0}}), seed=0) == {}
    assert harder(scored_report({}, {"q": {"category": "x"}}), seed=0) == {}
