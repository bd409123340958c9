"""What is learnt is told in tables that fit, each below a sentence that says what to do with it."""

import re
import unicodedata
from dataclasses import replace

import pytest

from assay.records import Report, Run
from assay.reports.analysis.latency_across import latency_across
from assay.reports.analysis.lessons import lessons
from assay.reports.analysis.tables import EACH, tables
from assay.reports.analysis.waterfall import waterfall
from assay.reports.formats.md import md
from assay.reports.layout import layout
from assay.reports.text import text

METRIC = "ndcg@10"
NAMES = ("words", "both", "deep")


def scores(names, start=0.4):
    return {name: start + 0.05 * at for at, name in enumerate(names)}


def effect(before, after, difference, p, **options):
    ends = [difference - 0.05, difference + 0.05]
    told = {"from": before, "to": after, "difference": difference, "ci": ends, "p": p}
    return told | {"p_holm": p, "pairs": 2, "queries": 9} | options


def loaded(qps):
    return {
        **{"qps": qps, "cores": 2, "utilisation": 0.5, "p50_ms": 4.0, "p95_ms": 8.25},
        **{"p99_ms": 12.0, "cpu_cores": 1.0, "cores_needed": 3, "stable": True},
    }


def paid(qps, price, machines):
    month = {"price_per_hour": price, "price_per_month": 730 * price}
    return {"qps": qps, "machines": machines, **month}


def analysis(names):
    """Make what an analysis has of runs of these names, the first of them the baseline."""
    others = names[1:]
    gained = {"absolute": 0.1, "ci": [0.02, 0.18], "relative": 0.25, "relative_ci": [0.05, 0.5]}
    moved = {"improved": 5, "same": 1, "regressed": 3, "failed": 0}
    moved |= {"largest_gain": {"query": "q-7", "difference": 0.5}, "largest_loss": None}
    reading = {"answered": 0.9, "queries": 10, "opened": {"mean": 2.5, "p50": 2.0, "p95": None}}
    reading |= {"tokens": {"mean": 1234.0, "p50": 900.0, "p95": None}, "ci": [2.0, 3.0]}
    levels = [{"level": "easy", "queries": 3, "scores": scores(names, 0.7)}]
    levels += [{"level": "hard", "queries": 3, "scores": scores(names, 0.1)}]
    service = {"mean": 5.0, "p95": 9.0}
    near = {"recall": 0.975, "worst": 0.5, "p50": 0.4, "p95": 0.6, "score": 0.499}
    near |= {"difference": -0.001, "ci": [-0.004, 0.002], "noninferior": True}
    return {
        "categories": [
            {"category": "error", "queries": 4, "mean": 0.3, "ci": [0.2, 0.4]}
            | {"scores": scores(names, 0.3)},
            {"category": "concept", "queries": 5, "mean": 0.8, "scores": scores(names)},
        ],
        "breakdowns": {
            "language": [
                {"value": "de", "queries": 4, "mean": 0.3, "ci": [0.1, 0.5]}
                | {"scores": scores(names, 0.3)},
                {"value": "en", "queries": 5, "mean": 0.8, "ci": None, "scores": scores(names)},
            ],
            "product": [{"value": "pump", "queries": 9, "mean": 0.5, "scores": scores(names)}],
        },
        "difficulty": {
            "given": [],
            "measured": levels,
            "predicted": {"correlation": 0.5, "ci": [0.2, 0.7], "n": 9, "levels": levels},
        },
        "file_types": [
            {"file_type": "py", "queries": 7, "judgments": 9, "k": 10}
            | {"scores": scores(names), "recall": scores(names, 0.6)},
            {"file_type": "md", "queries": 2, "judgments": 2, "k": 10}
            | {"scores": scores(names), "recall": scores(names, 0.1)},
        ],
        "clusters": [
            {"cluster": "a", "terms": ["lock", "wait"], "queries": 4, "keys": [], "mean": 0.2}
            | {"scores": scores(names)},
            {"cluster": "b", "terms": ["bytes"], "queries": 5, "keys": [], "mean": 0.6}
            | {"scores": scores(names)},
        ],
        "harder": {
            "categories": unlike(0.03, error=(0.3, 0.8), concept=(0.8, 0.3)),
            "clusters": unlike(0.45, a=(0.2, 0.6), b=(0.6, 0.2)),
            "file_types": unlike(0.0003, md=(0.15, 0.6), py=(0.5, None)),
            "breakdowns.language": unlike(0.02, de=(0.3, 0.8), en=(0.8, 0.3)),
        },
        "leaked": {
            "queries": 2,
            "share": 0.2,
            "runs": {name: {METRIC: {"with": 0.5, "without": 0.45}} for name in names},
            "changes_winner": True,
        },
        "differences": {name: {"baseline": names[0], **moved} for name in others},
        "main_effects": [
            {"parameter": "search", "levels": [], "matters": True}
            | {"effects": [effect("lexical", "hybrid", 0.107, 0.0001)]}
            | {"latency": [{"from": "lexical", "to": "hybrid", "ratio_p50": 32.2, "ci": None}]},
            {"parameter": "depth", "levels": [], "latency": [], "matters": False}
            | {"effects": [effect(100, 400, 0.3, 0.6)]},
        ],
        "uplift": {n: {"baseline": names[0], "metrics": {METRIC: gained}} for n in others},
        "time_to_answer": {
            name: reading | {"shared": {"queries": 6, "opened": 3.0 - 0.1 * at, "tokens": 700.0}}
            for at, name in enumerate(names)
        },
        "latency_across": [
            {"parameter": "depth", "group": {}}
            | {
                "points": [
                    {"value": 100 * at, "run": name, "p50": 2.0 * at, "p95": 9.0, "score": 0.1 * at}
                    for at, name in enumerate(names, 1)
                ]
            }
        ],
        "approximate": {
            "k": 10,
            "margin": 0.02,
            "exact": {names[0]: {"p50": 8.0, "p95": 9.0, "score": 0.5}},
            "cheapest": names[1],
            "lines": [
                {"index": {"kind": "hnsw"}, "setting": "ef_search", "exact": names[0]}
                | {"points": [{"run": name, "value": 64, **near} for name in others]}
            ],
        },
        "load": {
            "cores": 2,
            "runs": {
                name: {"service_ms": service, "capacity_qps": 50.0 * at}
                | {"cpu_hours_per_million": 1.39, "loads": [loaded(10.0), loaded(20.0)]}
                for at, name in enumerate(names, 1)
            },
            "costs": {
                name: {"run": name, "price": {"per_hour": 0.5 * at}, "price_per_million": 2.0}
                | {"loads": [paid(10.0, 0.5 * at, 1), paid(20.0, 1.5 * at, 3)]}
                for at, name in enumerate(names, 1)
            },
        },
        "pareto": {
            "axes": {"quality": METRIC, "latency": "latency_ms.p50"},
            "left_out": {"storage": "no run has it"},
            "front": [*others],
            "dominated": {names[0]: names[1]},
            "points": {n: {"quality": 0.5, "latency": 1234.5, "storage": None} for n in names},
        },
    }


def unlike(p, **means):
    """Tell of groups with these means and those of the others, all with this p."""
    each = {
        name: {"queries": 4, "mean": mean, "others": others, "p": p / 3, "p_holm": p}
        for name, (mean, others) in means.items()
    }
    return {"queries": 9, "groups": len(means), "p": p / 3, "p_holm": p, "each": each}


def race(names):
    said = (
        "race: 1 of 3 configurations was stopped early: the chance that it is best is at most .05"
    )
    told = {"run": names[0], "by": names[1], "score": 0.2, "leader_score": 0.6, "after": 1200}
    beaten = [told | {"e_value": 20.5}, told | {"run": names[2], "e_value": None}]
    return {"alpha": 0.05, "beaten": beaten, "statement": said}


def report(names=NAMES, **changed):
    losses = {"judgments": 0.0, "retrieve": 0.18, "rerank": 0.02, "order": 0.1, "failed": 0.0}
    runs = [
        Run(name=name, fingerprint=name, configuration={}, waterfall=losses | {"order": 0.1 + at})
        for at, name in enumerate(names)
    ]
    return Report(
        benchmark={"name": "bench", "metrics": [METRIC], "primary": METRIC}
        | {"prices": {name: {"per_hour": 0.5 * at} for at, name in enumerate(names, 1)}},
        dataset={},
        corpus={},
        environment={},
        runs=tuple(runs),
        analysis=analysis(names) | changed,
        race=race(names),
    )


FACTS = {  # that hold in whatever words
    "uplift": ["+25.0% ", "+5.0% to +50.0%", '"both"', '"words"'],
    "differences": ["3 queries", '"both"', '"words"'],
    "main_effects": ["+0.107 ", "+0.057 to +0.157", "search lexical -> hybrid"],
    "waterfall": ["Retrieval", "0.18 of the 0.30", '"words"'],
    "categories": ['"error" (0.30', "0.20 to 0.40", '"concept" (0.80)', "p = 0.03"],
    "breakdowns": ["with language", '"de" (0.30', "0.10 to 0.50", '"en" (0.80)', "p = 0.02"],
    "difficulty": ["3 hardest", "0.20.", "0.50", "0.20 to 0.70"],
    "file_types": ['"md" (0.45)', "p = 0.0003", "20%", "top 10"],
    "clusters": ["p = 0.45"],
    "leaked": ["2 queries", "20%"],
    "time_to_answer": ['"deep"', "2.8", "6 queries", "90%", "*: "],
    "latency_across": ["depth", "100 to 300", "3.00", "+0.200", '"words"'],
    "approximate": ['"both"', "2%", "-0.001", "-0.004 to +0.002", "97.5%", "0.4 ms", "8 ms"],
    "pareto": ["2 of 3 runs", '"both", "deep"', "storage"],
    "load": ['"deep"', "150", "2 cores", '"words"', "50.0"],
    "loads": ["2 cores"],
    "costs": ["730 hours"],
    "race": ["1 of 3", ".05", "20", "5%"],
}


def question(name):
    return next(one for one in EACH if one.__name__ == name)


@pytest.mark.parametrize("name", FACTS)
def test_each_table_says_what_is_learnt(name, snapshot):
    said = question(name)(report()).caption
    snapshot(said)
    places = [said.find(fact) for fact in FACTS[name]]
    assert -1 not in places
    assert places == sorted(places)


def test_every_question_has_its_table():
    assert len(tables(report())) == len(EACH) == len(FACTS)


def test_the_largest_loss_of_each_run_is_marked_and_what_loses_nothing_left_out():
    table = next(one for one in tables(report()) if "order" in one.titles)
    assert table.titles == ("run", "retrieve", "rerank", "order", "total lost")
    assert table.best == {(0, 1), (1, 3), (2, 3)}
    assert text(table, 0, 4) == "0.300"


def test_stages_of_different_searches_stand_in_their_order(snapshot):
    made = report()
    each = [
        {"lexical": 0.1, "cut": 0.1, "order": 0.3},
        {"retrieve": 0.1, "rerank": 0.1, "coherence": 0.1, "cut": 0.1, "order": 0.2, "failed": 0.1},
        {"dense": 0.1, "cut": 0.1, "order": 0.3},
    ]
    runs = [replace(run, waterfall=one) for run, one in zip(made.runs, each, strict=True)]
    table = waterfall(replace(made, runs=tuple(runs)))
    assert table.titles[1:4] == ("lexical", "dense", "retrieve")
    assert table.titles[4:] == ("rerank", "coherence", "cut", "order", "failed", "total lost")
    snapshot(table.caption)


def test_a_run_that_was_beaten_is_not_the_one_that_loses_least():
    made = report()
    first = replace(made.runs[0], status="beaten")
    table = waterfall(replace(made, runs=(first, *made.runs[1:])))
    assert [row[0] for row in table.rows] == ["both", "deep"]
    assert 'by "both"' in table.caption


def test_the_best_run_of_each_category_is_marked():
    table = next(one for one in tables(report()) if one.titles[0] == "category")
    assert table.titles == ("category", "queries", *NAMES)
    assert table.best == {(0, 4), (1, 4)}


def category(made):
    return next(one for one in tables(made) if one.titles[0] == "category").caption


def test_tables_of_groups_say_that_their_means_are_weighted():
    plain = report()
    weighted = replace(plain, queries={"q": {"weight": 3.0}})
    groups = ("category", "field", "difficulty", "file type", "typical terms")
    for made, expected in ((plain, set()), (weighted, {*groups})):
        said = {one.titles[0] for one in tables(made) if "weighted by traffic" in one.caption}
        assert said == expected


def test_no_category_is_called_harder_that_chance_may_have_made_so(snapshot):
    likely = unlike(0.0601, error=(0.3, 0.8), concept=(0.8, 0.3))
    made = report(harder={"categories": likely}, leaked={}, pareto={})
    said = category(made)
    assert "p = 0.06" in said
    assert not any(name in said for name in ("error", "concept"))
    assert said not in lessons(made)
    shown = report(leaked={}, pareto={})
    assert category(shown) in lessons(shown)
    untested = report(harder={}, leaked={}, pareto={})
    snapshot([said, category(untested)])
    assert "p " not in category(untested)
    assert category(untested) not in lessons(untested)


def test_only_who_is_shown_to_differ_is_named_and_of_many_the_first(snapshot):
    found = unlike(0.01, a=(0.5, 0.4), b=(0.6, 0.4))
    found["each"]["c"] = {"mean": 0.1, "others": 0.5, "p_holm": 0.06}
    few = category(report(harder={"categories": found}))
    many = unlike(0.002, **{name: (at / 10, 0.9) for at, name in enumerate("edcba")})
    cut = category(report(harder={"categories": many}))
    snapshot([few, cut])
    named = re.compile(r'"(\w)" \((0\.\d\d)\)').findall
    assert (named(few), "p = 0.01" in few) == ([("b", "0.60"), ("a", "0.50")], True)
    assert named(cut) == [("e", "0.00"), ("d", "0.10"), ("c", "0.20")]
    assert "2 more" in cut


def test_effects_that_are_shown_are_marked():
    table = next(one for one in tables(report()) if one.titles[0] == "setting")
    shown = [[text(table, row, column) for column in range(6)] for row in range(2)]
    assert shown[0][:3] == ["search", "lexical -> hybrid", "+0.107 [+0.057, +0.157]"]
    assert shown[0][3:] == ["<.001", "2", "x 32.20"]
    assert shown[1][1:4] == ["100 -> 400", "+0.300 [+0.250, +0.350]", "0.600"]
    assert table.best == {(0, 2)}


def test_a_load_that_is_too_much_and_an_answer_that_never_comes_are_said():
    made = report()
    runs = made.analysis["load"]["runs"]
    runs["deep"]["loads"][1] |= {"p50_ms": None, "p95_ms": None, "p99_ms": None, "stable": False}
    shown = "\n".join(lines(tables(made), None))
    assert "overload" in shown
    assert "never" in shown


def test_several_loads_have_a_column_each():
    made = report()
    for one in made.analysis["load"]["runs"].values():
        one["loads"] = [loaded(1.0), loaded(20.0), loaded(5000.0)]
    assert tables(made)[-3].titles == ("run", "1/s", "20/s", "5,000/s")


def test_a_price_stands_beside_what_it_is_of():
    made = report()
    made.analysis["load"]["price"] = 0.04
    for one in made.analysis["load"]["runs"].values():
        one["price_per_million"] = 0.0556
        one["loads"] = [loaded(10.0) | {"price_per_hour": 0.12}]
    cost, under = tables(made)[-4:-2]
    assert (cost.titles[-1], text(cost, 0, 5)) == ("price/million", "0.0556")
    assert under.titles == ("run", "p50 at 10/s", "p95", "p99", "busy", "cores", "price/h")
    shown = [text(under, 0, column) for column in range(1, 7)]
    assert shown == ["4.00", "8.25", "12.00", "50%", "3", "0.120"]


def test_who_was_beaten_is_told_and_what_is_sure():
    table = tables(report())[-1]
    shown = [[text(table, row, column) for column in range(6)] for row in range(2)]
    assert shown[0] == ["words", "1,200", "0.200", "0.600", "20", "both"]
    assert shown[1][4] == "certain"


def test_nothing_to_learn_is_nothing():
    assert tables(replace(report(), analysis={}, runs=(), race={})) == []
    assert lessons(replace(report(), analysis={}, runs=())) == []
    empty = {key: type(value)() for key, value in analysis(NAMES).items()}
    plain = tuple(replace(run, waterfall={}) for run in report().runs)
    assert tables(replace(report(), analysis=empty, runs=plain, race={})) == []


def test_no_effect_that_is_shown_is_said(snapshot):
    table = next(
        one
        for one in tables(report(main_effects=analysis(NAMES)["main_effects"][1:]))
        if one.titles[0] == "setting"
    )
    snapshot(table.caption)
    assert not any(name in table.caption for name in ("search", "depth"))


def test_a_gain_that_may_be_chance_and_a_loss_are_called_so(snapshot):
    one = {"absolute": 0.1, "ci": [-0.1, 0.3], "relative": 0.2, "relative_ci": None}
    made = report(uplift={"both": {"baseline": "words", "metrics": {METRIC: one}}})
    said = [tables(made)[0].caption]
    for worse in ({"absolute": -0.1, "relative": -0.2}, {"relative": None}):
        one |= worse
        said.append(tables(made)[0].caption)
    snapshot(said)
    assert all(
        number in each for number, each in zip(("+20.0%", "-20.0%", "-0.1"), said, strict=True)
    )
    assert all('"words"' in each and '"both"' in each for each in said)


def test_lessons_are_few_and_the_leak_comes_first():
    told = lessons(report())
    assert len(told) == 6
    assert told[0] == question("leaked")(report()).caption
    assert told[1] == question("waterfall")(report()).caption
    assert not any("*:" in line for line in told)
    calm = report(leaked={**analysis(NAMES)["leaked"], "changes_winner": False})
    assert question("leaked")(calm).caption not in lessons(calm)
    assert lessons(calm)[0] == told[1]


LONG = [
    f"team search, careful={kind} chunk_size={size} rerank={rerank} model=minilm-l6-v2-onnx"
    for kind in ("hybrid", "dense")
    for size in (128, 256, 512, 1024)
    for rerank in ("none", "maxsim")
]


def lines(made, width):
    return ["".join(p.text for p in line).rstrip() for one in made for line in layout(one, width)]


def wide(line):
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in line)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "names",
    [NAMES, LONG, [f"検索エンジンの結果その{at}" for at in range(16)]],
    ids=["3", "16", "cjk"],
)
def test_nothing_is_wider_than_the_terminal_and_no_number_is_lost(names, width):
    made = tables(report(names), width=width)
    shown = lines(made, width)
    assert max(map(wide, shown)) <= width
    number = re.compile(r"[+-]?\d+\.\d+")
    whole = number.findall("\n".join(line for one in made for line in body(one)))
    found = number.findall("\n".join(shown))
    assert all(found.count(one) >= whole.count(one) for one in set(whole))


def body(table):
    return ["".join(p.text for p in line) for line in layout(replace(table, caption=""))]


def test_long_names_are_told_apart_by_number(snapshot):
    made = report(LONG)
    grid = next(one for one in tables(made) if one.titles[0] == "category")
    assert grid.titles[2:] == tuple(str(at) for at in range(1, 17))
    (said,) = [one for one in lessons(made) if grid.caption.startswith(one)]
    assert len(grid.caption) > len(said)  # a lesson does not explain columns
    snapshot(grid.caption)
    front = next(one for one in tables(made) if "Pareto front" in one.titles)
    assert text(front, 0, 0).startswith(" 1 team")
    assert text(front, 0, len(front.titles) - 1) == "dominated by 2"
    assert "run 1 (" in tables(made)[0].caption


def test_columns_that_say_least_are_spared_where_there_is_no_room():
    made = report(LONG)
    for one in made.analysis["uplift"].values():
        one["metrics"] = dict.fromkeys([METRIC, "recall@5", "mrr@10"], one["metrics"][METRIC])
    narrow, whole = (tables(made, width=width) for width in (60, None))
    assert narrow[0].titles == ("run", METRIC, "relative")
    assert whole[0].titles == ("run", METRIC, "relative", "recall@5 rel.", "mrr@10 rel.")
    spared = [{*b.titles} - {*a.titles} for a, b in zip(narrow, whole, strict=True)]
    assert spared[1] == {"same", "failed"}
    assert {"p50", "tokens p95"} in spared


def test_names_that_steer_a_terminal_are_spelled_out():
    names = ("plain", "evil\x1b[31m\nline", "a, b")
    shown = " ".join([*lessons(report(names)), *(one.caption for one in tables(report(names)))])
    assert "\x1b" not in shown
    assert "\n" not in shown
    assert '"a, b"' in shown


def test_markdown_has_every_table():
    shown = md(tables(report(LONG))).decode()
    assert len(re.findall(r"^\*\*.+\*\*\n\n\|.+\|\n\| --- \|", shown, re.MULTILINE)) == len(EACH)
    assert f"**{question('main_effects')(report(LONG)).caption}".split(":")[0] in shown


def test_a_few_leaked_queries_are_not_none():
    told = report(NAMES)
    found = told.analysis["leaked"] | {"queries": 1, "share": 1 / 225}
    assert "0.4%" in question("leaked")(replace(told, analysis={"leaked": found})).caption


@pytest.mark.parametrize(
    ("changed", "named"),
    [({"failed": ["deep"]}, '"deep"'), ({"front": ["both"]}, '1 of 3 runs.*"both"')],
    ids=["failed", "alone"],
)
def test_the_front_names_runs_that_failed_and_one_alone(changed, named, snapshot):
    told = report(NAMES)
    found = told.analysis["pareto"] | changed
    said = question("pareto")(replace(told, analysis={"pareto": found})).caption
    snapshot(said)
    assert re.search(named, said)


def test_times_of_a_busy_machine_tell_nothing_of_a_setting(snapshot):
    told = report(NAMES)
    runs = told.analysis["load"]["runs"]
    slow = {name: one | {"busy_machine": True, "cores_busy": 0.4} for name, one in runs.items()}
    load = told.analysis["load"] | {"runs": slow}
    found = {"latency_across": told.analysis["latency_across"], "load": load}
    busy = [replace(one, latency_ms={**one.latency_ms, "busy": True}) for one in told.runs]
    across = latency_across(replace(told, runs=tuple(busy), analysis=found))
    snapshot(across.caption)
    assert "40%" in across.caption
    assert "`assay run FILE`" in across.caption
    parallel = replace(told, runs=tuple(busy))
    for name, number in (("latency_across", "3.00"), ("load", "150")):
        assert number in question(name)(told).caption
        assert number not in question(name)(parallel).caption
