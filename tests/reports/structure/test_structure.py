"""Views of a planted account, of which every figure is known."""

import json as standard_json
from dataclasses import replace

import pytest

from assay.records import (
    Correlation,
    Distribution,
    Interval,
    Method,
    Relation,
    Structure,
    Target,
    Uplift,
    UpliftTrial,
    UpliftTrials,
)
from assay.reports.formats.md import md
from assay.reports.layout import layout
from assay.reports.runs.json._read_structure import read_structure
from assay.reports.structure.figures import figures
from assay.reports.structure.grid import grid
from assay.reports.structure.json import json
from assay.reports.structure.lines import lines
from assay.reports.structure.methods import methods
from assay.reports.structure.summary import summary
from assay.reports.structure.trials import trials
from assay.reports.structure.values import values

INFINITE = float("inf")


def gain(difference, reach=0.01, *, baseline=0.5, p=0.02):
    interval = Interval(difference - reach, difference + reach)
    relative = difference / baseline if baseline else None
    return Uplift(8, baseline, baseline + difference, difference, interval, relative, p, 3, 4, 1)


def method(name, difference=None, **rest):
    """Score .5 by cosine, and as much more as is said."""
    score = 0.5 + (difference or 0.0)
    uplift = {} if difference is None else {m: gain(difference) for m in ("ndcg@10", "mrr@10")}
    return Method(name, {"ndcg@10": score, "mrr@10": score}, {"ndcg@10": Interval(0.4, 0.6),
                  "mrr@10": Interval(-INFINITE, INFINITE)}, uplift, **rest)  # fmt: skip


def spread(value):
    shares = dict.fromkeys(("p5", "p10", "p25", "p50", "p75", "p90", "p95"), value)
    return Distribution(8, 0, value, value, value, shares, (value, value), (8,))


@pytest.fixture
def structure():
    known = Correlation(0.5, Interval(0.1, 0.8), 0.01)
    unknown = Correlation(None, None, None)
    return Structure(
        primary="ndcg@10",
        queries=8,
        studied=9,
        methods=(
            method("cosine", redundancy=0.3, latency_ms={"p50": 1.0, "p95": 2.0}),
            method("coherence", 0.02, latency_ms={"p50": 10.0, "p95": 20.0}),
            method("coherence_mmr", 0.01),
            method("coherence_open", 0.015),
            method("neighbour_average", 0.03),
            method("shuffled_graph", -0.001),
        ),
        against={"neighbour_average": gain(-0.01), "shuffled_graph": gain(0.021)},
        gates={"none": 5, "easy": 4, "low_impact": 0},
        fallbacks={"none": 8, "residual": 0, "no_anchor": 0, "forced": 1},
        rates={"easy": 4 / 9, "low_impact": 0.0, "gated": 4 / 9, "fallback": 0.0},
        parts={
            "ungated": {"coherence": gain(0.04), "coherence_open": gain(0.04)},
            "gated": {"coherence": gain(0.0, 0.0), "coherence_open": gain(-0.01)},
            "fallback": {"coherence": gain(0.0, INFINITE)},
        },
        distributions={
            "delta_h": spread(2.31),
            "coherence_fraction": spread(0.7),
            "condition_bound": spread(2.5),
            "efficiency": spread(0.25),
            "edge_overlap": spread(0.31),
            "completeness": spread(1.0),
        },
        redundancy=replace(gain(0.1), baseline=0.37, score=0.27),
        diversified=2,
        relations={
            "delta_h": Relation(8, known, known, gain(0.01), gain(0.03), "It tells."),
            "redundancy": Relation(0, unknown, unknown, None, None, "Not known."),
        },
        suggested_alpha=0.11,
        targets={
            "latency": Target("p95 <= 400 ms for k <= 8", 20.0, met=True),
            "easy_gate": Target("easy gate 30-60%", 0.7, met=False),
            "uplift": Target("uplift >= 3%", 0.04, met=False, note="not shown"),
            "edge_overlap": Target("edge overlap >= 0.25", None, None),
        },
        verdict="Coherence gains +0.0200 (+0.0100 to +0.0300) ndcg@10 over cosine.",
        notes=("one note",),
    )


@pytest.fixture
def two(structure):
    bad = replace(structure, methods=(method("cosine"), method("coherence", -0.25)), against={})
    cells = (UpliftTrial(0.0, 0.5, bad), UpliftTrial(0.0, 1.0, structure))
    settings = {"candidates": 400, "k": 10, "coherence": {"alpha": 0.1}}
    return UpliftTrials(settings, cells, "It gains in 1 of 2 cells.", ("planted",))


def drawn(table, width=80):
    return ["".join(piece.text for piece in line).rstrip() for line in layout(table, width)]


def test_the_summary_puts_controls_beside_the_method(structure, snapshot):
    snapshot(drawn(summary(structure)))
    scores = [row[1] for row in summary(structure).rows]
    assert scores == pytest.approx([0.5, 0.52, 0.51, 0.515, 0.53, 0.499])
    assert summary(structure).best == {(4, 1)}


def test_the_best_is_what_gains_most_also_where_less_is_better(structure):
    low = replace(method("coherence", 0.1), scores={"ndcg@10": 0.4})
    less = replace(structure, methods=(method("cosine"), low))
    assert summary(less).best == {(1, 1)}


def test_the_lines_tell_rates_parts_readings_and_targets(structure, snapshot):
    text = "\n".join(lines(structure, width=300)).splitlines()
    snapshot(text)
    assert text[0] == structure.verdict
    assert [number in text[1] for number in ("9", "44.4%", "8", "1")] == [True] * 4
    for part in ("+0.0400 [+0.030, +0.050]", "+0.0000 [+0.000, +0.000]", "-0.0100 [-0.020"):
        assert part in text[2]
    for value in ("2.310", "0.700", "2.50", "0.250", "0.31", "0.370", "0.270", "100.0%", "0.110"):
        assert value in text[3]
    assert "+0.50 (p 0.0100)" in text[4]
    told = [text[6].index(target.aim) for target in structure.targets.values()]
    assert told == sorted(told)
    assert text[7].endswith("one note")
    assert max(map(len, lines(structure, width=60))) <= 60


def test_in_brief_there_is_what_one_run_among_others_needs(structure, snapshot):
    said = lines(structure, width=100, brief=True)
    snapshot(said)
    assert said[0] == structure.verdict
    assert [number in said[1] for number in ("44.4%", "+0.0400", "+0.0000")] == [True] * 3
    assert "2 of 3" in said[4]
    assert structure.targets["latency"].aim not in said[4]


def test_in_brief_correlations_by_chance_and_what_is_not_measured_are_left_out(structure, snapshot):
    one = structure.relations["delta_h"]
    chance = replace(one, spearman=replace(one.spearman, p=0.06), low=gain(0.0, 0.01))
    bare = replace(
        structure, relations={"delta_h": chance}, targets={}, distributions={}, parts={},
        suggested_alpha=None, notes=(),
    )  # fmt: skip
    said = lines(bare, width=100, brief=True)
    assert len(said) == 2
    assert "44.4%" in said[1]
    halves = replace(bare, relations={"delta_h": replace(chance, low=gain(0.05, 0.01))})
    assert "It tells." in lines(halves, width=100, brief=True)[-1]
    met = {name: replace(one, met=True) for name, one in structure.targets.items()}
    all_met = lines(replace(bare, targets=met), brief=True)[-1]
    assert "4" in all_met
    snapshot([*said, all_met])


def test_in_brief_redundancy_is_told_of_what_was_diversified(structure):
    mixed = replace(structure, returned="coherence_mmr")
    said = "\n".join(lines(mixed, width=200, brief=True))
    assert said.index("0.370") < said.index("0.270")
    assert "0.370" not in "\n".join(lines(structure, width=200, brief=True))


def test_what_is_returned_is_what_is_told(structure, snapshot):
    gated = structure.parts["gated"] | {"coherence_mmr": gain(-0.02)}
    mixed = replace(structure, returned="coherence_mmr", parts={"gated": gated})

    said = lines(mixed, width=300)[2]
    snapshot([said, *(f"{name}: {value}" for name, value in figures(mixed).rows)])
    assert said.index("-0.0200") < said.index("-0.0100 [")
    values = [value for _, value in figures(mixed).rows]
    assert "0.5000 / 0.5100 (+2.0%)" in values
    assert "0.5000 / 0.5200 (+4.0%)" in values
    assert "10.0 / 20.0" not in values  # what was timed is another method
    assert json(mixed)["returned"] == "coherence_mmr"


def test_json_says_the_answer_and_whose_uplift_is_related(structure):
    value = json(replace(structure, against_open={"neighbour_average": gain(0.001, 0.005)}))
    assert value["against"]["neighbour_average"]["shown"] == "alike"  # at most 0: below 2 % of .49
    assert value["against"]["shuffled_graph"]["shown"] == "better"
    assert value["against_open"]["neighbour_average"]["shown"] == "alike"
    assert value["correlations"]["delta_h"]["method"] == "coherence_open"


def test_json_is_whole_and_has_no_infinity(structure):
    value = standard_json.loads(standard_json.dumps(json(structure), allow_nan=False))
    assert value["methods"]["coherence"]["uplift"]["ndcg@10"]["ci"] == pytest.approx([0.01, 0.03])
    assert value["methods"]["cosine"]["intervals"] == {"ndcg@10": [0.4, 0.6], "mrr@10": None}
    assert value["parts"]["fallback"]["coherence"]["ci"] is None
    assert value["distributions"]["delta_h"]["histogram"] == {"edges": [2.31, 2.31], "counts": [8]}
    assert value["correlations"]["delta_h"]["spearman"] == {"r": 0.5, "ci": [0.1, 0.8], "p": 0.01}
    assert value["correlations"]["redundancy"]["low"] is None
    assert value["targets"]["edge_overlap"]["met"] is None
    assert set(value) == {
        "primary", "queries", "studied", "verdict", "methods", "against", "gates", "fallbacks",
        "rates", "parts", "distributions", "redundancy", "diversified", "correlations",
        "suggested_alpha", "targets", "notes", "returned", "against_open",
    }  # fmt: skip


def test_what_is_read_from_json_is_what_was_written(structure):
    odd = replace(structure, suggested_alpha=None, redundancy=None, returned="coherence_mmr")
    for one in (structure, odd):
        written = standard_json.loads(standard_json.dumps(json(one), allow_nan=False))
        read = read_structure(written)
        assert json(read) == json(one)
        assert (read.methods, read.relations) == (one.methods, one.relations)
        assert (read.distributions, read.targets) == (one.distributions, one.targets)
        assert (read.against, read.parts) == (one.against, one.parts)


def test_the_table_of_the_ancestor(structure, snapshot):
    text = md([methods(structure)]).decode()
    snapshot(text)
    rows = [line.split(" | ") for line in text.splitlines()[2:]]
    assert rows[0][1:5] == ["0.5000", "0.5000", "2.0", "0.0000"]
    assert rows[1][6:] == ["+4.00", "+4.00", "+0.0200", "[+0.0100, +0.0300]", "3/4/1 |"]
    assert rows[4][1:5] == ["**0.5300**", "0.5300", "-", "-"]  # a control has no energy


def test_the_lines_of_the_ancestors_report(structure, snapshot):
    table = figures(structure)
    snapshot(f"{name}: {value}" for name, value in table.rows)
    values = [str(value) for _, value in table.rows]
    known = ["0.5000 / 0.5200 (+4.0%)", "10.0 / 20.0", "44.4%", "0.31", "0.370 / 0.270", "0.110"]
    known += ["+0.0400 [+0.0300, +0.0500]", "+0.0000 [+0.0000, +0.0000]", "one note"]
    known += [", ".join([value] * 3) for value in ("2.310", "0.700", "0.250")]  # mean, p5, p95
    assert {*known} <= {*values}
    assert "Alpha" not in [str(name) for name, _ in table.rows]


def test_the_grid_has_a_block_for_each_noise(two, snapshot):
    snapshot(drawn(grid(two)))
    assert grid(two).best == {(1, 2), (3, 2)}  # what is shown to gain; +.010 ± .010 is not


def test_values_have_a_row_for_each_cell_method_and_metric(two):
    table = values(two)
    assert len(table.rows) == (2 + 6) * 2
    row = dict(zip(table.titles, table.rows[6], strict=True))
    assert row["spread"] == 1.0
    assert (row["method"], row["metric"], row["score"]) == ("coherence", "ndcg@10", 0.52)
    assert (row["low"], row["high"], row["p95_ms"]) == (pytest.approx(0.01), 0.03, 20.0)
    assert all(len(row) == len(table.titles) for row in table.rows)


def test_trials_say_what_was_planted(two):
    value = trials(two)
    assert value["settings"]["k"] == 10
    assert [(one["noise"], one["spread"]) for one in value["cells"]] == [(0, 0.5), (0, 1)]
    assert value["notes"] == ["planted"]


def test_little_is_known_of_cosines_alone(structure, snapshot):
    bare = replace(
        structure, methods=(method("cosine"),), against={}, parts={}, relations={}, targets={},
        distributions={}, redundancy=None, suggested_alpha=None, rates=dict.fromkeys(
            ("easy", "low_impact", "gated", "fallback")), notes=(),
    )  # fmt: skip
    snapshot(lines(bare))
    assert len(drawn(summary(bare))) == 3
    snapshot(md([methods(bare), figures(bare)]).decode())
    standard_json.dumps(json(bare), allow_nan=False)
