"""What single charts draw, worked out by hand."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.analysis.pareto import pareto
from assay.errors import InputError
from assay.records import Interval, Report, Run
from assay.reports.charts import draw
from assay.reports.charts.drawing.fronts import front_of, fronts
from assay.reports.charts.drawing.widths import wide
from assay.reports.charts.look import PAGE, PAPER
from assay.reports.charts.missing_data import missing_data


def layers(chart, panel=0):
    """Return the rows and the mark of each layer of a panel."""
    told = chart.to_dict()
    chosen = told.get("vconcat", [told])[panel]
    data = told.get("datasets", {})
    return [(one["mark"]["type"], _rows(one, data)) for one in chosen["layer"]]


def _rows(layer, datasets):
    given = layer["data"]
    return given["values"] if "values" in given else datasets[given["name"]]


def rows_of(chart, mark, panel=0):
    return [rows for kind, rows in layers(chart, panel) if kind == mark]


def subtitle(chart):
    """Return the caption, which a page has as text of its own."""
    told = chart.to_dict()
    return " ".join(told["title"]["subtitle"] if "title" in told else told["usermeta"]["caption"])


@pytest.fixture
def three(make_report):
    """Three runs: slow and good, fast and bad, and one that is beaten in both."""
    report = make_report(["slow", "fast", "worst"], analysed=False)
    told = ((0.7, 30.0), (0.5, 10.0), (0.4, 20.0))
    runs = [
        replace(
            run,
            scores={"ndcg@10": score},
            intervals={"ndcg@10": Interval(score - 0.1, score + 0.1)},
            latency_ms={"p50": ms, "p95": 2 * ms, "p99": 3 * ms},
        )
        for run, (score, ms) in zip(report.runs, told, strict=True)
    ]
    return replace(report, runs=tuple(runs))


def test_the_front_leaves_out_what_is_beaten_in_both(three):
    ((*steps, end),) = rows_of(draw.chart(three, "quality"), "line")
    assert [(one["x"], one["y"]) for one in steps] == [(10.0, 0.5), (30.0, 0.7)]
    assert end["y"] == 0.7  # it goes on to the right


def test_a_run_with_failed_queries_is_not_on_the_front(three):
    slow, fast, worst = three.runs
    broken = replace(worst, latency_ms={"p50": 1.0}, failed={"q": "gone"})
    drawn = draw.chart(replace(three, runs=(slow, fast, broken)), "quality")
    assert [one["x"] for one in rows_of(drawn, "line")[0][:-1]] == [10.0, 30.0]


def sized(report, *sizes):
    """Give runs these bytes of storage, and analyse the report as a benchmark does."""
    pairs = zip(report.runs, sizes, strict=True)
    runs = tuple(replace(run, storage={"index_bytes": size} if size else {}) for run, size in pairs)
    report = replace(report, runs=runs)
    return replace(report, analysis={"pareto": pareto(report, seed=0)})


def test_a_caption_tells_the_front_of_the_chart_from_that_of_the_table(three, snapshot):
    small = sized(three, 300, 200, 100)
    assert small.analysis["pareto"]["front"] == ["slow", "fast", "worst"]
    drawn = draw.chart(small, "quality")
    other = subtitle(drawn)
    assert "run 3" in other
    assert drawn.to_dict()["description"].endswith(other.split(". ")[-1])
    same = subtitle(draw.chart(sized(three, 300, 200, 400), "quality"))
    assert "run 3" not in same
    assert other.startswith(same.removesuffix("."))
    alike = sized(three, 300, 200, None)  # storage is left out, so that both fronts are the same
    assert [*alike.analysis["pareto"]["axes"]] == ["quality", "latency"]
    plain = subtitle(draw.chart(three, "quality"))  # nothing is analysed
    assert subtitle(draw.chart(alike, "quality")) == plain
    assert same.startswith(plain)
    assert "storage" not in plain
    snapshot([other, same, plain])


def test_a_caption_tells_who_is_on_the_line_alone(three, snapshot):
    slow, fast, worst = three.runs
    untimed = sized(replace(three, runs=(slow, fast, replace(worst, latency_ms={}))), 100, 200, 300)
    assert untimed.analysis["pareto"]["front"] == ["slow"]  # latency is left out
    said = subtitle(draw.chart(untimed, "quality"))
    snapshot(said)
    assert said.index("quality and storage") < said.index("run 2 ") < said.index("run 3 (")


def test_a_front_of_one_has_no_line(three, snapshot):
    slow, fast, worst = three.runs
    best = replace(fast, scores={"ndcg@10": 0.8})
    drawn = draw.chart(sized(replace(three, runs=(slow, best, worst)), 300, 200, 100), "quality")
    assert rows_of(drawn, "line") == []
    alone = subtitle(draw.chart(replace(three, runs=(slow,)), "quality"))
    snapshot([subtitle(drawn), alone])
    assert subtitle(drawn).index("run 2 ") < subtitle(drawn).index("run 3 ")
    assert subtitle(drawn).startswith(alone)  # which has nothing to say of a front


@given(st.lists(st.tuples(*[st.integers(1, 4)] * 3), min_size=2, max_size=8))
def test_every_run_that_is_on_one_front_only_is_named(made):
    named = [Run(f"r{at}", "f", {}, scores={"s": y}, latency_ms={"p50": x},
                 storage={"index_bytes": z}) for at, (x, y, z) in enumerate(made)]  # fmt: skip
    report = Report({"primary": "s"}, {}, {}, {}, tuple(named))
    report = replace(report, analysis={"pareto": pareto(report, seed=0)})
    spots = [(at, (float(x), float(y))) for at, (x, y, _) in enumerate(made, 1)]
    front = front_of([spot for _, spot in spots], better=True)
    said = fronts(report, spots, front, "s and latency")
    here = {at for at, spot in spots if spot in front}
    beaten = {at for at, a in spots for _, b in spots if b != a and b[0] <= a[0] and b[1] >= a[1]}
    assert here == {at for at, _ in spots} - beaten
    there = {int(name[1:]) + 1 for name in report.analysis["pareto"]["front"]}
    more, less = (sorted(one) for one in (there - here, here - there))
    found = re.findall(r"\bruns? (\d[\d, ]*?) (?:is|are) (not )?", said)
    wanted = [(", ".join(map(str, more)), ""), (", ".join(map(str, less)), "not ")]
    assert found == [(numbers, word) for numbers, word in wanted if numbers]


def timed(three, *, upper):
    """Give each run an interval of its p50 with this upper end."""
    runs = [
        replace(run, latency_ms=run.latency_ms | {"intervals": {"p50": [5.0, upper]}})
        for run in three.runs
    ]
    return replace(three, runs=tuple(runs))


def test_an_upper_end_that_is_not_known_is_broken_and_told(three, snapshot):
    chart = draw.chart(timed(three, upper=None), "quality")
    broken = rows_of(chart, "rule")[2]
    assert [one["x"] for one in broken] == [30.0, 10.0, 20.0]
    assert all(one["x2"] > one["x"] for one in broken)
    snapshot(subtitle(chart))
    assert "6 queries" in subtitle(chart)
    assert "6 queries" not in subtitle(draw.chart(timed(three, upper=40.0), "quality"))
    assert "6 queries" not in subtitle(draw.chart(three, "quality"))  # no interval at all


def busied(report, **of):
    """Let runs have had these shares of a core while they were timed."""
    runs = {
        run.name: {
            "loads": [{"qps": 1.0, "p95_ms": 2.0}],
            "capacity_qps": 5.0,
            "cores_busy": of.get(run.name, 0.99),
            "busy_machine": run.name in of,
        }
        for run in report.runs
    }
    told = [
        run.latency_ms | {"busy": run.name in of, "cpu": {"cores": of.get(run.name, 0.99)}}
        for run in report.runs
    ]
    timed = [replace(run, latency_ms=ms) for run, ms in zip(report.runs, told, strict=True)]
    analysis = {**across({}), "load": {"cores": 2, "runs": runs}}
    return replace(report, runs=tuple(timed), analysis=analysis)


@pytest.mark.parametrize("name", ["quality", "latency", "depth", "load"])
def test_times_of_a_busy_machine_are_told_as_such(three, name, snapshot):
    said = subtitle(draw.chart(busied(three, fast=0.35), name))
    snapshot(said)
    assert re.search(r'of "fast" were\b.*\b35%', said)
    assert "35%" not in subtitle(draw.chart(busied(three), name))
    on_page = subtitle(draw.chart(busied(three, fast=0.35), name, look=PAGE))
    assert on_page.replace("`", "") == said != on_page  # where commands can be marked


@pytest.mark.parametrize("name", ["quality", "latency"])
def test_times_without_embedding_are_told_as_such(three, name):
    first, *rest = three.runs
    given = replace(first, latency_ms={**first.latency_ms, "query_vectors": "given"})
    said = subtitle(draw.chart(replace(three, runs=(given, *rest)), name))
    assert f'without embedding queries in some runs ("{first.name}")' in said
    assert "without embedding" not in subtitle(draw.chart(three, name))


def test_scores_without_times_have_no_word_of_a_busy_machine(three, snapshot):
    runs = tuple(replace(run, latency_ms={}) for run in three.runs)
    report = replace(busied(three, fast=0.35), runs=runs)
    said = subtitle(draw.chart(report, "quality"))
    one = subtitle(draw.chart(replace(report, runs=runs[:1]), "quality"))
    snapshot([said, one])
    assert "35%" not in said
    assert said.startswith(one)  # one run is not compared
    assert said != one


def test_a_name_far_from_its_point_has_a_line_to_it_and_none_stands_on_the_budget(three):
    runs = [
        replace(run, name=f"a rather long name {at}", latency_ms={"p50": 10.0 + at / 9})
        for at, run in enumerate(three.runs)
    ]
    runs.append(replace(runs[0], name="far", latency_ms={"p50": 20.0}))
    budget = {"latency_p50_ms": 10.4}
    report = replace(three, runs=tuple(runs), benchmark={**three.benchmark, "budgets": budget})
    report = replace(report, runs=tuple(replace(r, scores={"ndcg@10": 0.5}) for r in report.runs))
    chart = draw.chart(report, "quality")
    domain = chart.to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"]
    pixel = 680 / (domain[1] - domain[0])
    names = [row for rows in rows_of(chart, "text")[1:] for row in rows if "long" in row["text"]]
    assert len(names) == 6  # each, and its halo
    for row in names:
        assert abs(row["x"] - 10.4) * pixel > wide(row["text"], 11) / 2
    leads = next(rows for rows in rows_of(chart, "rule") if {*rows[0]} == {"x", "y", "x2", "y2"})
    assert {(one["x"], one["y"]) for one in leads} <= {(run.latency_ms["p50"], 0.5) for run in runs}
    for lead in leads:  # it ends at a name
        assert any(abs(lead["x2"] - row["x"]) * pixel <= wide(row["text"], 11) for row in names)


def test_a_line_under_load_has_its_number_where_it_ends(three):
    loads = {"slow": ((1.0, 9.0),), "fast": ((1.0, 2.0), (10.0, 3.0)), "worst": ((1.0, 9.1),)}
    told = {
        name: {"loads": [{"qps": x, "p95_ms": y} for x, y in points]}
        for name, points in loads.items()
    }
    report = replace(three, analysis={"load": {"cores": 2, "runs": told}})
    chart = draw.chart(report, "load")
    (leads,) = rows_of(chart, "rule")
    ends = {name: points[-1] for name, points in loads.items()}
    assert {(one["x"], one["y"]) for one in leads} == {*ends.values()}
    assert all(one["x"] < one["x2"] < 1.1 * one["x"] for one in leads)  # of a decade in 600 pixels
    numbers = {row["text"]: row for row in rows_of(chart, "text")[0]}
    assert numbers["3"]["y"] > numbers["1"]["y"]  # in the order of their ends
    assert numbers["2"]["x"] > 10.0


def test_a_tick_under_load_is_a_load_that_was_simulated(three):
    points = [{"qps": x, "p95_ms": 2.0} for x in (50, 100, 105, 200, 1000, 5000)]
    told = {run.name: {"loads": points} for run in three.runs}
    chart = draw.chart(replace(three, analysis={"load": {"cores": 2, "runs": told}}), "load")
    assert ticks_of(chart) == [50, 100, 200, 1000, 5000]  # 105 would stand on 100


def ticks_of(chart):
    """Return the ticks of the axis across."""
    axes = [one["encoding"].get("x") for one in chart.to_dict()["vconcat"][0]["layer"]]
    return next(one for one in axes if one)["axis"]["values"]


def test_no_name_is_struck_through_by_the_front(make_report):
    report = make_report(["bm25", "dense", "hybrid", "rerank"], analysed=False)
    places = ((0.593, 0.24), (0.698, 2.0), (0.707, 5.0), (0.7065, 11.2))
    runs = [
        replace(run, scores={"ndcg@10": y}, intervals={}, latency_ms={"p50": x})
        for run, (y, x) in zip(report.runs, places, strict=True)
    ]
    chart = draw.chart(replace(report, runs=tuple(runs)), "quality")
    encoding = chart.to_dict()["layer"][-1]["encoding"]
    high, low = encoding["y"]["scale"]["domain"]
    (name,) = [row for row in rows_of(chart, "text")[-1] if "rerank" in row["text"]]
    assert abs(name["y"] - 0.707) / abs(high - low) * 340 > 6.5  # half of a line, in pixels


def test_signs_are_those_of_all_texts(make_report):
    report = make_report(["a", "b"], queries=9, analysed=False)
    drawn = draw.svg(report, "differences", look=PAGE)
    assert ">-0." in drawn
    assert "\u2212" not in drawn


def test_a_query_without_an_id_is_named_once(three):
    runs = [scored(three, at, {"how to do it": 0.2 + at / 2, "b": 0.1}) for at in (0, 1)]
    asked = {"how to do it": {"text": "how to do it"}, "b": {"text": "why"}}
    report = replace(three, runs=tuple(runs), comparisons=None, queries=asked, winner={})
    drawn = draw.svg(report, "differences")
    assert "how to do it: 0.200 to 0.700" in drawn
    assert "b: why: 0.100 to 0.100" in drawn


def test_a_budget_chooses_the_percentile_that_it_is_about(three):
    held = replace(three, benchmark={**three.benchmark, "budgets": {"latency_p95_ms": 50}})
    chart = draw.chart(held, "quality")
    points = rows_of(chart, "point")[0]
    assert [one["x"] for one in points] == [60.0, 20.0, 40.0]
    (budget,) = [row for (row, *_) in rows_of(chart, "rule") if {*row} == {"x", "say"}]
    assert budget["x"] == 50.0
    assert re.search(r"\bp95\b.*\b50 ms", budget["say"])


@pytest.mark.parametrize(("timed", "axis"), [(True, "y"), (False, "x")])
def test_a_minimum_of_the_score_is_a_line_on_its_axis(three, timed, axis):
    runs = three.runs if timed else tuple(replace(one, latency_ms={}) for one in three.runs)
    about = {**three.benchmark, "budgets": {"ndcg@10": 0.95, "recall@5": 0.2}}
    chart = draw.chart(replace(three, runs=runs, benchmark=about), "quality")
    (least,) = [row for (row, *_) in rows_of(chart, "rule") if {*row} == {axis, "say"}]
    assert least == {axis: 0.95, "say": "budget: ndcg@10 at least 0.95"}
    (word,) = [row for rows in rows_of(chart, "text") for row in rows if "min" in row["text"]]
    assert word == {axis: 0.95, "text": "minimum 0.95"}
    plain = draw.chart(replace(three, runs=runs), "quality")
    assert not [row for (row, *_) in rows_of(plain, "rule") if {*row} == {axis, "say"}]


@pytest.mark.parametrize(("most", "side"), [(10.0, "right"), (31.0, "left")])
def test_the_words_of_a_minimum_keep_off_the_line_of_a_latency(three, most, side):
    about = {**three.benchmark, "budgets": {"ndcg@10": 0.95, "latency_p50_ms": most}}
    told = draw.chart(replace(three, benchmark=about), "quality").to_dict()
    chosen, data = told.get("vconcat", [told])[0], told.get("datasets", {})
    (align,) = [
        layer["mark"]["align"]
        for layer in chosen["layer"]
        if any(row.get("text") == "minimum 0.95" for row in _rows(layer, data))
    ]
    assert align == side


def scored(report, number, scores):
    told = {key: {"ndcg@10": score} for key, score in scores.items()}
    return replace(report.runs[number], per_query=told)


def test_differences_are_sorted_and_counted(three, snapshot):
    before = scored(three, 0, {"a": 0.5, "b": 0.5, "c": 0.5, "only here": 1.0})
    after = scored(three, 1, {"a": 0.25, "b": 1.0, "c": 0.5})
    report = replace(three, runs=(before, after), comparisons=None, winner={})
    chart = draw.chart(report, "differences")
    assert [one["y"] for one in rows_of(chart, "rect")[0]] == [0.5, 0.0, -0.25]
    snapshot(subtitle(chart))
    assert re.findall(r"\+?\d[\d.]*", subtitle(chart))[:4] == ["1", "1", "1", "+0.083"]


def of_two_datasets(three):
    """One query of a dataset gains much, and three of another lose a little."""
    before = scored(three, 0, dict.fromkeys("abcd", 0.5))
    after = scored(three, 1, {"a": 0.9, "b": 0.4, "c": 0.4, "d": 0.4})
    after = replace(after, scores={"ndcg@10": 0.65})  # the mean of .9 and .4
    first = three.comparisons.candidates[0]
    one = replace(first.metrics["ndcg@10"], difference=0.15, interval=Interval(0.1, 0.2))
    compared = replace(
        three.comparisons, candidates=(replace(first, metrics={"ndcg@10": one}),), best="fast"
    )
    dataset = {"name": "one, two", "collections": {"one": {}, "two": {}}}
    return replace(
        three, runs=(before, after), comparisons=compared, dataset=dataset, winner={"best": "fast"}
    )


def test_the_interval_of_the_mean_stands_behind_the_bars(three):
    """A band in front of them would change their colours, which say better or worse."""
    chart = draw.chart(of_two_datasets(three), "differences")
    (band,), bars = rows_of(chart, "rect")
    assert (band["y"], band["y2"]) == (0.1, 0.2)
    assert {bar["colour"] for bar in bars} == {PAPER.better, PAPER.worse}
    assert layers(chart)[0] == ("rect", [band])


def test_a_label_of_a_line_goes_left_where_others_go_on_to_the_right(three):
    loads = {
        "slow": [(50, 10.0), (200, 10.0), (500, 60.0)],
        "fast": [(50, 10.2)],  # its number would stand on the line of the first
        "worst": [(50, 1.0), (200, 1.0)],
    }
    told = {
        name: {"capacity_qps": 900.0, "loads": [{"qps": x, "p95_ms": y} for x, y in points]}
        for name, points in loads.items()
    }
    chart = draw.chart(replace(three, analysis={"load": {"cores": 2, "runs": told}}), "load")
    places = {row["text"]: row["x"] for rows in rows_of(chart, "text") for row in rows}
    ends = [points[-1][0] for points in loads.values()]
    sides = [places[str(at)] > end for at, end in enumerate(ends, 1)]
    assert sides == [True, False, True]


def test_the_mean_of_differences_is_the_one_that_was_compared(three, snapshot):
    report = of_two_datasets(three)  # pooled it would be +0.025
    chart = draw.chart(report, "differences")
    snapshot(subtitle(chart))
    numbers = re.findall(r"\+?\d[\d.]*", subtitle(chart))
    assert numbers[:6] == ["1", "0", "3", "+0.150", "+0.100", "+0.200"]
    assert [{"y": 0.15}] in rows_of(chart, "rule")
    assert "per dataset" in subtitle(chart)
    assert "each dataset" not in subtitle(draw.chart(three, "differences"))


def test_the_mean_of_scores_is_that_of_the_leaderboard(three, snapshot):
    report = of_two_datasets(three)  # pooled it would be .525
    chart = draw.chart(report, "scores")
    assert rows_of(chart, "rule")[1][1]["x"] == 0.65
    snapshot(subtitle(chart))
    assert "per dataset" in subtitle(chart)


def test_differences_are_of_the_pick_or_of_the_run_that_is_named(three):
    picked = replace(three, winner={"pick": "worst", "best": "fast"})
    (title,) = draw.chart(picked, "differences").to_dict()["title"]["text"]
    assert "worst compared with slow" in title
    named = draw.chart(picked, "differences", run="fast", look=PAGE)
    assert subtitle(named).startswith("fast compared with slow.")
    of_the_baseline = replace(three, winner={"pick": "slow"})
    title = draw.chart(of_the_baseline, "differences").to_dict()["title"]
    assert "fast compared with slow" in str(title)


@pytest.mark.parametrize(
    "name",
    ["nobody", "slow", "worst"],  # unknown, the baseline, stopped in the race
)
def test_differences_of_what_cannot_be_compared_are_refused(three, name, snapshot):
    slow, fast, worst = three.runs
    raced = replace(three, runs=(slow, fast, replace(worst, status="beaten")))
    with pytest.raises(InputError, match=rf'"{name}"(.|\n)*: fast$') as caught:
        draw.svg(raced, "differences", run=name)
    snapshot(caught.value)


def test_what_a_race_stopped_is_why_there_is_nothing_to_draw(three, snapshot):
    slow, *others = three.runs
    raced = replace(three, runs=(slow, *(replace(run, status="beaten") for run in others)))
    for name in ("differences", "effects", "depth"):
        assert draw.chart(raced, name) is None
        snapshot(missing_data(raced, name))
        assert "2 of 3 " in missing_data(raced, name)
        assert "2 of 3 " not in missing_data(three, name)
    assert "2 of 3 " not in missing_data(raced, "energy")
    with pytest.raises(InputError) as caught:
        draw.svg(raced, "differences", run="fast")
    snapshot(caught.value)


def test_the_queries_that_changed_most_are_named_on_their_side(three):
    before = scored(three, 0, dict.fromkeys("abcdefg", 0.5))
    after = dict(zip("abcdefg", (0.6, 0.9, 0.5, 0.4, 0.8, 0.7, 0.1), strict=True))
    texts = {"b": {"text": "how to <do> it"}}
    report = replace(
        three, runs=(before, scored(three, 1, after)), comparisons=None, queries=texts, winner={}
    )
    chart = draw.chart(report, "differences")
    heads, rows = rows_of(chart, "text", panel=1)
    assert [row["text"] for row in heads] == ["Largest gains", "Largest losses"]
    side = heads[1]["x"]
    left = [row["text"] for row in rows if row["x"] < side]
    right = [row["text"] for row in rows if row["x"] >= side]
    assert left == ["+0.400", f"b: {texts['b']['text']}", "+0.300", "e", "+0.200", "f"]
    assert right == ["-0.400", "g", "-0.100", "d"]
    same = replace(report, runs=(before, replace(before, name="fast")))
    assert "vconcat" not in draw.chart(same, "differences").to_dict()
    assert "+0.000" in subtitle(draw.chart(same, "differences"))


def test_where_less_is_better_what_fell_most_has_gained_most(three):
    first = three.comparisons.candidates[0]
    one = replace(first.metrics["ndcg@10"], higher_is_better=False)
    falling = replace(three.comparisons, candidates=(replace(first, metrics={"ndcg@10": one}),))
    runs = (scored(three, 0, {"a": 0.5, "b": 0.5}), scored(three, 1, {"a": 0.9, "b": 0.4}))
    chart = draw.chart(replace(three, runs=runs, comparisons=falling, winner={}), "differences")
    bars = rows_of(chart, "rect")[-1]  # in front of the interval
    assert [bar["y"] for bar in bars] == [pytest.approx(-0.1), pytest.approx(0.4)]
    assert [bar["colour"] for bar in bars] == [PAPER.better, PAPER.worse]
    names = [row["text"] for row in rows_of(chart, "text", panel=1)[1]]
    assert names == ["-0.100", "b", "+0.400", "a"]


@pytest.mark.parametrize(
    ("count", "last"), [(15, (10, 15)), (225, (200, 225)), (205, (150, 205)), (524, (500, 524))]
)
def test_queries_are_counted_as_far_as_the_numbers_have_room(make_report, count, last):
    chart = draw.chart(make_report(["a", "b"], queries=count, analysed=False), "differences")
    assert tuple(ticks_of(chart)[-2:]) == last


def test_many_queries_are_two_areas_of_the_same_size(make_report):
    report = make_report(["a", "b"], queries=300, analysed=False)
    better, worse = rows_of(draw.chart(report, "differences"), "area")
    pairs = [
        report.runs[1].per_query[key]["ndcg@10"] - report.runs[0].per_query[key]["ndcg@10"]
        for key in report.runs[0].per_query
    ]
    assert better[0]["y"] == pytest.approx(max(pairs))
    assert min(one["y"] for one in worse) == pytest.approx(min(pairs))
    assert _area(better) - _area(worse) == pytest.approx(sum(map(abs, pairs)))


def _area(corners):
    return sum(one["y"] * (other["x"] - one["x"]) for one, other in pairwise(corners))


def test_a_waterfall_goes_from_what_is_kept_to_1(three):
    run = replace(three.runs[0], waterfall={"dense": 0.1, "order": 0.2})
    parts = rows_of(draw.chart(replace(three, runs=(run,)), "waterfall"), "rect")[0]
    assert [one["stage"] for one in parts] == ["kept", "dense", "order"]
    assert [(one["x"], one["x2"]) for one in parts] == [
        (0.0, pytest.approx(0.7)),
        (pytest.approx(0.7), pytest.approx(0.8)),
        (pytest.approx(0.8), pytest.approx(1.0)),
    ]


def test_what_is_kept_is_light_and_has_an_outline(three):
    run = replace(three.runs[0], waterfall={"dense": 0.4})
    chart = draw.chart(replace(three, runs=(run,)), "waterfall")
    ((kept, lost), (outline,)) = rows_of(chart, "rect")
    assert (kept["colour"], lost["colour"]) == (PAPER.kept, PAPER.stage("dense"))
    assert all(outline[end] == kept[end] for end in ("x", "x2", "y", "y2"))
    words = rows_of(chart, "text")[0]
    assert [one["colour"] for one in words] == [PAPER.ink, PAPER.paper]


def test_a_stage_that_wins_something_back_goes_backwards(three):
    run = replace(three.runs[0], waterfall={"dense": 0.5, "rerank": -0.2})
    parts = rows_of(draw.chart(replace(three, runs=(run,)), "waterfall"), "rect")[0]
    assert [(one["x"], one["x2"]) for one in parts] == [
        (0.0, pytest.approx(0.7)),
        (pytest.approx(0.7), pytest.approx(1.2)),
        (pytest.approx(1.0), pytest.approx(1.2)),
    ]
    assert parts[2]["y"] > parts[1]["y"]  # below the others


def test_stages_stand_in_the_order_of_searches_and_lose_something(three):
    told = (
        {"judgments": 0.0, "lexical": 0.2, "cut": 0.1, "order": 0.1},
        {"judgments": 0.0, "dense": 0.2, "rerank": 0.05, "cut": 0.1, "order": 0.1},
    )
    runs = [replace(run, waterfall=one) for run, one in zip(three.runs, told, strict=False)]
    (legend,) = rows_of(draw.chart(replace(three, runs=tuple(runs)), "waterfall"), "text", panel=1)
    names = [row["text"] for row in legend]
    assert names == ["kept", "lexical", "dense", "rerank", "cut", "order"]


def test_lines_are_named_by_what_tells_them_apart(three):
    points = [{"value": v, "run": "slow", "p50": v, "p95": v, "score": 0.5} for v in (1, 2)]
    shared = (
        {"search": "hybrid", "rerank": "none"},
        {"search": "hybrid", "rerank": "maxsim", "rerank_depth": 50},
    )
    told = [{"parameter": "depth", "group": one, "points": points} for one in shared]
    chart = draw.chart(replace(three, analysis={"latency_across": told}), "depth")
    texts = [row["text"] for rows in rows_of(chart, "text") for row in rows]
    assert texts[-2:] == ["none", "maxsim"]


def across(*groups, p50=(1.0, 2.0)):
    told = [
        {"value": at, "run": run, "p50": ms, "p95": ms, "score": 0.5}
        for at, (run, ms) in enumerate(zip(("slow", "fast"), p50, strict=True), 1)
    ]
    return {"latency_across": [{"parameter": "k", "group": one, "points": told} for one in groups]}


def test_lines_with_long_names_keep_what_tells_them_apart(three):
    long = {"model": "a" * 60, "search": "hybrid", "dense": "b" * 60}
    groups = [long | {"depth": at, "weights": [at, "c" * 30]} for at in (100, 200)]
    chart = draw.chart(replace(three, analysis=across(*groups)), "depth")
    texts = [row["text"] for rows in rows_of(chart, "text") for row in rows]
    assert texts[-2:] == ["depth 100", "depth 200"]


def test_runs_along_a_number_have_their_colours_and_shapes(three):
    chart = draw.chart(replace(three, analysis=across({})), "depth")
    (points,) = rows_of(chart, "point")
    assert [(one["colour"], one["shape"]) for one in points] == [
        (PAPER.run(at), PAPER.shape(at)) for at in (1, 2)
    ]


def test_every_point_along_a_number_has_its_score_and_the_axis_begins_at_0(three):
    chart = draw.chart(replace(three, analysis=across({})), "depth")
    texts = [row["text"] for rows in rows_of(chart, "text") for row in rows]
    assert texts.count("0.500") == 4  # each, and what is behind it
    domain = chart.to_dict()["vconcat"][0]["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert domain[0] == 0.0


def test_a_stage_has_one_colour_in_all_reports(three):
    def colours(waterfall):
        run = replace(three.runs[0], waterfall=waterfall)
        parts = rows_of(draw.chart(replace(three, runs=(run,)), "waterfall"), "rect")[0]
        return {one["stage"]: one["colour"] for one in parts}

    few, more = colours({"order": 0.2}), colours({"corpus": 0.1, "dense": 0.1, "order": 0.2})
    assert few["order"] == more["order"]
    assert len(set(more.values())) == 4


def test_a_run_with_all_queries_in_one_column_leaves_the_others_their_height(three, snapshot):
    spread = {f"q{at}": at / 20 + 0.02 for at in range(20)}
    runs = (scored(three, 0, spread), scored(three, 1, dict.fromkeys(spread, 0.0)))
    chart = draw.chart(replace(three, runs=runs), "scores")
    (columns,) = rows_of(chart, "rect")
    heights = {one["y2"] - one["y"] for one in columns}
    assert len(columns) == 21
    assert heights == {34.0}
    told = [row["text"] for row in rows_of(chart, "text")[0]]
    assert told == ["5%", "100%"]
    snapshot(subtitle(chart))


def test_columns_of_scores_have_all_queries(three):
    run = scored(three, 0, {"a": 0.0, "b": 0.0, "c": 1.0, "d": 0.52})
    chart = draw.chart(replace(three, runs=(run,)), "scores")
    columns = rows_of(chart, "rect")[0]
    assert [(round(one["x"], 9), round(one["x2"], 9)) for one in columns] == [
        (0.0, 0.05),
        (0.5, 0.55),
        (0.95, 1.0),
    ]
    heights = [one["y2"] - one["y"] for one in columns]
    assert heights[0] == 2 * heights[1] == 2 * heights[2]


def test_the_hardest_category_is_first_and_the_best_is_bold(three):
    told = ({"easy": 0.9, "hard": 0.1}, {"easy": 0.8, "hard": 0.3})
    runs = [
        replace(run, categories={n: {"ndcg@10": v, "queries": 2} for n, v in each.items()})
        for run, each in zip(three.runs, told, strict=False)
    ]
    chart = draw.chart(replace(three, runs=tuple(runs)), "categories")
    boxes = rows_of(chart, "rect")[0]
    assert [(one["text"], one["best"]) for one in boxes] == [
        (".10", False),
        (".30", True),
        (".90", True),
        (".80", False),
    ]
    assert max(boxes, key=lambda one: one["opacity"])["text"] == ".90"


def test_latency_is_that_of_the_report_where_it_has_no_queries(three):
    chart = draw.chart(three, "latency")
    assert [one["x"] for one in rows_of(chart, "rule")[0]] == [30.0, 10.0, 20.0]
    assert not rows_of(chart, "rect")


def test_effects_are_filled_where_the_corrected_p_shows_them(three):
    clear = {"from": 1, "difference": 0.1, "ci": [0.05, 0.15], "p": 0.01}
    effects = [
        clear | {"to": 2, "p_holm": 0.04},
        clear | {"to": 3, "p_holm": 0.06},  # its own interval leaves 0 out
        clear | {"to": 4},
    ]
    told = {"main_effects": [{"parameter": "depth", "effects": effects}]}
    report = replace(three, analysis=told)
    filled, rings = rows_of(draw.chart(report, "effects"), "point")
    assert [one["words"][:11] for one in filled] == ["depth 1 → 2", "depth 1 → 4"]
    assert [one["words"][:11] for one in rings] == ["depth 1 → 3"]
    assert "Holm" in subtitle(draw.chart(report, "effects"))
    title = draw.chart(report, "effects").to_dict()["title"]["text"]
    assert title[0].endswith("Main effects on ndcg@10")  # as the table is called


def test_effects_that_are_not_told_from_0_are_rings(three):
    effects = [
        {"from": 1, "to": 2, "difference": 0.1, "ci": [0.05, 0.15]},
        {"from": 1, "to": 3, "difference": 0.0, "ci": [-0.05, 0.05]},
        {"from": 1, "to": 4, "difference": None, "ci": None},
    ]
    told = {"main_effects": [{"parameter": "depth", "effects": effects}]}
    filled, rings = rows_of(draw.chart(replace(three, analysis=told), "effects"), "point")
    assert [one["words"] for one in filled] == ["depth 1 → 2: +0.100 [+0.050, +0.150]"]
    assert [one["x"] for one in rings] == [0.0]


def test_a_line_of_load_ends_where_the_machine_cannot_keep_up(three):
    loads = [{"qps": 10, "p95_ms": 20.0}, {"qps": 20, "p95_ms": None}]
    told = {"load": {"cores": 2, "runs": {"slow": {"capacity_qps": 15, "loads": loads}}}}
    points = rows_of(draw.chart(replace(three, analysis=told), "load"), "point")[0]
    assert [(one["x"], one["y"]) for one in points] == [(10.0, 20.0)]


def test_numbers_stand_for_names_that_are_many_or_long(three):
    texts = [row["text"] for rows in rows_of(draw.chart(three, "quality"), "text") for row in rows]
    assert "1 slow" in texts
    runs = tuple(replace(run, name=f"{run.name} {'x' * 40}") for run in three.runs)
    long = draw.chart(replace(three, runs=runs), "quality")
    texts = [row["text"] for rows in rows_of(long, "text") for row in rows]
    assert "1" in texts
    assert "vconcat" in long.to_dict()  # the key


def test_a_chart_is_drawn_on_paper_unless_a_page_is_around_it(three):
    assert draw.chart(three, "quality").to_dict()["background"] == PAPER.paper
    assert draw.chart(three, "quality", look=PAGE).to_dict()["background"] == "transparent"


def test_where_less_is_better_the_least_is_bold_and_the_most_is_hardest(three):
    one = next(iter(three.comparisons.candidates[0].metrics.values()))
    falling = replace(
        three.comparisons,
        candidates=(
            replace(
                three.comparisons.candidates[0],
                metrics={"ndcg@10": replace(one, higher_is_better=False)},
            ),
        ),
    )
    told = ({"a": 0.9, "b": 0.1}, {"a": 0.8, "b": 0.3})
    runs = [
        replace(run, categories={n: {"ndcg@10": v, "queries": 2} for n, v in each.items()})
        for run, each in zip(three.runs, told, strict=False)
    ]
    report = replace(three, runs=tuple(runs), comparisons=falling)
    boxes = rows_of(draw.chart(report, "categories"), "rect")[0]
    assert [(box["text"], box["best"]) for box in boxes] == [
        (".90", False),
        (".80", True),
        (".10", True),
        (".30", False),
    ]
