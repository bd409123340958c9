"""What a person sees of many runs: settings that differ, numbers, lines that fit."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records import (
    Candidate,
    Comparison,
    Comparisons,
    Interval,
    Run,
    Verdict,
)
from assay.reports.comparisons.decision_table import decision_table
from assay.reports.comparisons.verdicts import verdict_words, verdicts
from assay.reports.layout import layout
from assay.reports.runs.phrases.failures import failures
from assay.reports.runs.phrases.headline import headline
from assay.reports.runs.phrases.recommendations import recommendations
from assay.reports.runs.phrases.run_numbers import number_runs
from assay.reports.runs.tables.collection_costs import collection_costs
from assay.reports.runs.tables.collections import collections
from assay.reports.runs.tables.detail import detail
from assay.reports.runs.tables.of_query import of_query
from assay.reports.runs.tables.per_query import per_query
from assay.reports.runs.tables.repeats import repeats
from assay.reports.runs.tables.scores import scores
from assay.reports.runs.tables.settings import alike, settings
from assay.reports.runs.tables.summary import summary


def drawn(table, width=None):
    return ["".join(piece.text for piece in line).rstrip() for line in layout(table, width)]


def configured(report, *configurations, **options):
    names = [f"run{at}" for at in range(len(configurations))]
    made = report(*names)
    pairs = zip(made.runs, configurations, strict=True)
    return replace(made, runs=tuple(replace(r, configuration=c, **options) for r, c in pairs))


def test_only_settings_that_differ_get_a_column(report, snapshot):
    told = configured(
        report,
        {"search": "lexical", "depth": 200, "weights": [1.5, 1.0]},
        {"search": "dense", "depth": 200, "model": "minilm", "mmr": {"lambda": 0.3}},
        {"search": "dense", "depth": 200, "model": "minilm", "mmr": {"lambda": 0.5}},
    )
    table = settings(told)
    assert table.titles == ("run", "search", "mmr", "mmr.lambda")
    assert [list(row) for row in table.rows] == [
        ["run0", "lexical", "-", "-"],
        ["run1", "dense", "on", "0.3"],
        ["run2", "dense", "on", "0.5"],
    ]
    snapshot(alike(told))
    assert re.search("depth 200;.*weights 1.5/1, model minilm", alike(told))


def test_a_stage_that_only_one_run_has_is_a_difference(report):
    plain = {"search": "dense", "model": "minilm"}
    told = configured(
        report,
        plain,
        plain | {"rerank": "maxsim"},
        plain | {"coherence": {"alpha": 0.1}},
        {"search": "lexical", "lexical": "tantivy"},
    )
    assert settings(told).titles == ("run", "search", "rerank", "coherence")
    assert settings(told).rows[1] == ["run1", "dense", "maxsim", "-"]
    assert settings(told).rows[2] == ["run2", "dense", "-", "on"]
    assert alike(told).endswith("model minilm, lexical tantivy")


def test_what_a_lexical_search_does_unsaid_is_told_where_another_says_it(report):
    usual = {"search": "lexical", "lexical": "tantivy"}
    plain = usual | {"language": "none", "stop_words": "none"}
    table = settings(configured(report, usual, plain, {"search": "dense"}))
    assert table.titles == ("run", "search", "language", "stop_words")
    assert [row[1:] for row in table.rows] == [
        ["lexical", "english", "english"],
        ["lexical", "none", "none"],
        ["dense", "-", "-"],
    ]
    weighed = configured(report, usual, usual | {"fields": {"title": 2.0}})
    assert settings(weighed).titles == ("run", "fields.title")
    assert [row[1] for row in settings(weighed).rows] == ["0.25", "2"]
    assert "language" not in alike(weighed)


def test_runs_that_differ_in_nothing_have_no_such_table(report):
    told = configured(report, {"search": "dense"}, {"search": "dense"})
    assert settings(told) is None
    assert settings(configured(report, {"search": "dense"})) is None
    assert alike(configured(report, {"search": "dense"})) == ""


def test_what_follows_from_another_setting_is_no_difference(report):
    told = configured(
        report,
        {"chunker": "auto", "chunk_size": 256, "chunk_characters": 666, "min_chunk": 0},
        {"chunker": "text", "chunk_size": 256, "chunk_characters": 1024},
        {"chunker": "text", "chunk_size": 512, "chunk_characters": 2048},
    )
    assert settings(told).titles == ("run", "chunker", "chunk_size")
    assert alike(told) == ""
    auto = {"chunker": "auto", "chunk_size": 256}
    chosen = configured(report, auto | {"min_chunk": 0}, auto | {"min_chunk": 50})
    assert settings(chosen).titles == ("run", "min_chunk")


def test_what_names_tell_can_be_left_out(report):
    told = report("a rrf_k=1", "b")
    pairs = zip(told.runs, (1, 2), strict=True)
    runs = tuple(replace(run, configuration={"rrf_k": at, "k": at}) for run, at in pairs)
    told = replace(told, runs=runs)
    assert settings(told).titles == ("run", "rrf_k", "k")
    assert settings(told, named=False).titles == ("run", "k")


def test_other_names_of_a_run_are_shown(report):
    told = configured(report, {"rrf_k": None}, {"rrf_k": 60}, aliases=("x", "y"))
    assert settings(told).titles == ("run", "rrf_k", "same as")
    assert settings(told).rows[0] == ["run0", "none", "x/y"]


def matrix(report, count):
    names = [f"hybrid chunker=code chunk_size={2**at} rerank=maxsim" for at in range(count)]
    return report(*names)


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("count", [2, 5, 8, 16])
def test_a_summary_fits_the_terminal_without_losing_a_digit(report, width, count):
    told = matrix(report, count)
    table = number_runs(summary(told, width=width), [run.name for run in told.runs])
    lines = drawn(table, width)
    assert max(map(len, lines)) <= width
    shown = " ".join(lines)
    for run in told.runs:
        assert f"{run.scores['ndcg@10']:.4f}" in shown
        assert f"{run.latency_ms['p95']:,.2f}" in shown


def test_a_narrow_terminal_does_without_intervals_and_then_without_some_costs(report):
    told = report(*(f"{chr(97 + at) * 30}" for at in range(16)))
    assert "[" in "".join(drawn(summary(told, width=120), 120))
    shorter = report(*(f"{chr(97 + at) * 20}" for at in range(16)))
    narrow = summary(shorter, width=80)
    assert "[" not in "".join(drawn(narrow, 80))
    assert "p50 ms" in narrow.titles
    assert "p50 ms" not in summary(told, width=80).titles  # names stay whole instead
    assert f"{'b' * 30} " in "\n".join(drawn(summary(told, width=80), 80))
    assert "p50 ms" not in summary(told, width=60).titles
    assert "p95 ms" in summary(told, width=60).titles
    assert "p50 ms" in summary(told).titles


def test_the_numbers_of_rows_have_their_room(report):
    """Without them this table would just fit, with intervals and in 80 columns."""
    names = ["words", "both fusion=rrf threshold=none", "both fusion=rrf threshold=0.6"]
    names += ["both fusion=min_max threshold=none"]
    names += [f"weighed weights={one}" for one in ("2:1", "1:1", "1:3")]
    told = report(*names)
    costs = {"latency_ms": {}, "indexing": {"seconds": 0.2}}
    costs |= {"storage": {"bytes_per_document": 10306}}
    told = replace(told, runs=tuple(replace(run, **costs) for run in told.runs))
    lines = drawn(number_runs(summary(told, width=80), names), 80)
    assert len(lines) == 7 + 2  # no block below the first


def test_p_goes_where_names_need_the_room():
    told = compared(6)
    asked = Verdict("needs_queries", "Why.", 9_345)
    named = [
        replace(one, verdict=asked, run=f"hybrid chunk_size={at} rerank=maxsim")
        for at, one in enumerate(told.candidates)
    ]
    told = replace(told, candidates=tuple(named))
    assert "p (Holm)" in decision_table(told).titles
    assert decision_table(told, width=120).titles == decision_table(told).titles
    narrow = decision_table(told, width=80)
    assert narrow.titles == ("run", "change", "95% CI", "verdict")
    cells = drawn(narrow, 80)[3].split("  ")
    assert cells[:3] == ["hybrid 0 maxsim", "+0.100", "[+0.050, +0.150]"]
    assert "9,345" in cells[3]


def test_long_names_lose_their_keys_first_and_stay_apart(report):
    told = matrix(report, 8)
    names = [run.name for run in told.runs]
    lines = drawn(number_runs(summary(told, width=80), names), 80)[2:]
    assert lines[3].split("  ")[0] == "4 hybrid code 8 maxsim"
    tight = drawn(number_runs(summary(told, width=60), names), 60)[2:10]
    assert [line.split()[0] for line in tight] == list("12345678")


def test_few_or_short_names_have_no_number(report):
    for names in (["a"] * 3, [f"r{at}" for at in range(9)]):
        table = summary(report(*names))
        assert number_runs(table, names) == table


NAMES = st.lists(st.text("ab= _é漢", min_size=1, max_size=60), min_size=2, max_size=8, unique=True)


@given(NAMES, st.integers(40, 100))
def test_no_two_runs_look_alike(names, width):
    from assay.records import Table

    rows = [[name, 0.123456 + at] for at, name in enumerate(names)]
    lines = drawn(Table(("run", "score"), rows), width)[2:]
    assert [line[-6:] for line in lines] == [f"{0.123456 + at:.4f}" for at in range(len(names))]
    firsts = ["".join(piece.text for piece in one[:1]).rstrip() for one in _body(rows, width)]
    assert len(set(firsts)) == len({name.rstrip() for name in names})


def _body(rows, width):
    from assay.records import Table

    return layout(Table(("run", "score"), rows), width)[2:]


def test_failed_runs_say_why(report, make_run, snapshot):
    lost = Run("lost", "f", {}, "failed", error="no such\nmodel: xyz")
    odd = Run("odd", "f", {}, "failed", failed={"q1": "boom"})
    stopped = Run("stopped", "f", {}, "cancelled")
    told = report(runs=(make_run("fine", 0.5, 1.0), lost, odd, stopped))
    snapshot([*failures(told), headline(replace(told, status="cancelled"))])
    lost, odd, stopped = failures(told)
    assert lost.startswith('"lost"')
    assert lost.endswith("no such model: xyz")
    assert odd.endswith("q1: boom")
    assert stopped.startswith('"stopped"')
    assert headline(replace(told, status="cancelled")) != headline(told)


def test_a_report_without_figures_has_a_headline(report):
    bare = replace(report("a"), dataset={}, corpus={}, truth={})
    assert headline(bare) == "bench"


@pytest.mark.parametrize("count", [2, 6])
def test_collections_are_laid_out_with_their_mean(report, count):
    told = report(*(f"run{at}" for at in range(count)))
    parts = [
        {f"c{c}": {"ndcg@10": 0.1 * (at + c), "queries": 9} for c in range(4)}
        for at in range(count)
    ]
    macro = {"ndcg@10": {"mean": 0.25, "sd": 0.125, "range": 0.3}}
    pairs = zip(told.runs, parts, strict=True)
    told = replace(
        told, runs=tuple(replace(run, collections=one, macro=macro) for run, one in pairs)
    )
    lines = drawn(collections(told), 80)
    assert lines[0].startswith("ndcg@10 by collection")
    text = "\n".join(lines)
    for part in ("c0", "c3", "mean", "sd", "range", "0.2500", "0.1250"):
        assert part in text
    assert lines[1].split()[0] == ("collection" if count == 2 else "run")
    assert collections(report("a", "b")) is None


def test_builds_and_queries_vary_apart(report, make_run):
    from assay.benchmarks.runs.repeats import sum_up_repeats

    columns = np.array([[0.1, 0.2], [0.5, 0.6], [0.9, 1.0]])
    found = sum_up_repeats({"ndcg@10": columns}, {"latency_p95_ms": [10.0, 12.0]})
    built = make_run("often", 0.5, 1.0, repeats=found)
    table = repeats(report(runs=(built, make_run("once", 0.5, 1.0))))
    assert len(table.rows) == 1
    row = dict(zip(table.titles, table.rows[0], strict=True))
    assert row["builds"] == 2
    assert row["sd of builds"] == pytest.approx(0.1 / np.sqrt(2))
    assert row["sd of queries"] == pytest.approx(0.4)
    assert row["p95 ms"] == "11.00 ± 1.41"
    assert row["index s"] == "-"
    assert max(map(len, drawn(table, 80))) <= 80
    assert repeats(report("a", "b")) is None


def test_collections_mark_the_best_run_of_each(report):
    told = report("a", "b")
    parts = [
        {"x": {"ndcg@10": 0.5}, "y": {"ndcg@10": 0.1}},
        {"x": {"ndcg@10": 0.4}, "y": {"ndcg@10": 0.2}},
    ]
    pairs = zip(told.runs, parts, strict=True)
    told = replace(told, runs=tuple(replace(run, collections=one) for run, one in pairs))
    assert collections(told).best == {(0, 1), (1, 2), (2, 2)}


def test_costs_of_each_collection(report):
    told = report("a", "b")
    costs = {"files": 1200, "chunks": 3400, "seconds": 1.25, "index_bytes": 56000}
    parts = [{"x": costs, "y": {"files": 3}}, {"x": {"ndcg@10": 0.5}}]
    pairs = zip(told.runs, parts, strict=True)
    several = replace(told, runs=tuple(replace(run, collections=one) for run, one in pairs))
    table = collection_costs(several)
    assert table.titles == ("run", "collection", "files", "chunks", "seconds", "index bytes")
    assert table.rows[:2] == [["a", "x", 1200, 3400, 1.25, 56000], ["a", "y", 3, None, None, None]]
    assert "1,200   3,400      1.2       56,000" in "\n".join(drawn(table, 80))
    assert collection_costs(told) is None


def test_without_a_width_runs_are_rows_before_lines_are_very_long(report):
    names = [f"a configuration with quite a long name {at}" for at in range(5)]
    assert summary(report(*names)).titles[0] == "run"
    assert summary(report(*"abcde")).titles[0] == "metric"


def comparison(difference=0.1, p=0.01):
    ends = Interval(difference - 0.05, difference + 0.05)
    return Comparison(
        "ndcg@10", 50, 0.5, 0.5 + difference, ends, ends, difference, ends, p, p, 1.0,
        30, 10, 10, 0.02,
    )  # fmt: skip


def compared(count, **options):
    told = [
        Candidate(
            f"c{at}", {"ndcg@10": comparison()}, Verdict("ship", "Why.", None, "More."), {}, ()
        )
        for at in range(count)
    ]
    names = tuple(one.run for one in told)
    settings_ = {"correction": "holm", "alpha": 0.05}
    known = {"settings": settings_, **options}
    return Comparisons("base", "ndcg@10", 50, tuple(told), (), names, "c0", 0.1, 0.05, (), **known)


def test_few_candidates_get_paragraphs_and_many_a_table(snapshot):
    snapshot(verdicts(compared(3)))
    assert verdicts(compared(3)).count("More.") == 3
    assert "More." not in verdicts(compared(4))
    lines = drawn(decision_table(compared(8)), 80)
    assert lines[0] == 'ndcg@10 compared with "base"'
    assert lines[3].split() == ["c0", "+0.100", "[+0.050,", "+0.150]", "0.0100", "SHIP"]
    assert len(lines) == 11


def test_the_best_run_is_told_unless_others_tell_it(snapshot):
    told = verdicts(compared(2))
    assert told.endswith(told.partition("Best run\n")[2])
    assert told.startswith(verdicts(compared(2), best=False))
    assert "Best run" not in verdicts(compared(2), best=False)
    snapshot(told)


def test_a_verdict_keeps_its_number_in_a_narrow_table():
    told = compared(5)
    asked = Verdict("needs_queries", "Why.", 9_345)
    long = replace(told.candidates[0], verdict=asked, run="a name that is far too long for this")
    lines = drawn(decision_table(replace(told, candidates=(long, *told.candidates[1:]))), 80)
    assert any("9,345" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_verdict_without_more_to_say_says_no_more():
    one = Candidate("c", {"ndcg@10": comparison()}, Verdict("hold", "Why."), {}, ())
    assert verdict_words(one, "ndcg@10") == "c: HOLD\n  Why."
    more = replace(one, agreement={"overlap@10": 0.5})
    assert "overlap@10 0.50" in verdict_words(more, "ndcg@10")


def test_recommendations_say_how_sure_they_are(report, snapshot):
    unsure = {"interval": [0, 1], "runner_up": "b", "told_apart": False, "sentence": "..."}
    told = {
        "best_quality": {"run": "a", "by": "ndcg@10", "value": 0.5, "uncertainty": unsure},
        "smallest": {"run": "b", "by": "bytes_per_document", "value": 1234.4, "reason": "small"},
        "pick": {"run": "b", "by": "x", "value": 1.0, "reason": "the cheapest of 2"},
        "pick_within_budgets": {
            "run": None,
            "by": None,
            "value": None,
            "reason": "None keeps them.",
        },
        "something_new": {"run": "a", "by": "novelty", "value": 0.25},
    }
    said = recommendations(report("a", "b", recommendations=told))
    snapshot(said)
    facts = [("a", "0.5000"), ("b", "1,234"), ("a", "0.2500")]
    assert [(re.search(r": (\w) ", one)[1], number in one) for one, (_, number) in
            zip(said, facts, strict=True)] == [(run, True) for run, _ in facts]  # fmt: skip


def test_equal_bytes_are_equal_and_may_not_only_be_as_good(report, snapshot):
    known = {"told_apart": False, "runner_up": "b", "equal": ["b"], "sentence": "b needs as many"}
    told = {"smallest": {"run": "a", "by": "bytes_per_document", "value": 9, "uncertainty": known}}
    (said,) = recommendations(report("a", "b", recommendations=told))
    snapshot(said)
    assert known["sentence"] in said


def test_long_tables_for_programs_have_a_row_each(report):
    told = report("a", "b")
    assert scores(told).rows[0] == ["a", "ndcg@10", 0.1, 0.0, 0.2]
    assert scores(told).rows[1] == ["a", "recall@5", 0.5, None, None]
    assert per_query(told).titles == ("run", "query", "metric", "score", "error")
    assert len(per_query(told).rows) == 4
    assert per_query(told).rows[3] == ["b", "q1", "recall@5", 0.5, ""]


def test_every_view_takes_a_run_without_anything(report):
    told = report(runs=(Run("none", "", {}),))
    for table in (*detail(told, told.runs[0]), *of_query(told, "q"), summary(told)):
        drawn(table, 80)


def test_a_budget_says_whether_it_is_a_minimum(report, make_run):
    state = {"broken": False, "exceeded": False, "state": "kept"}
    budgets = {
        "latency_p95_ms": {"budget": 50, "value": 20.0, **state},  # of an older report
        "index_bytes": {"budget": 9e5, "value": 123456, "direction": "max", **state},
        "ndcg@10": {"budget": 0.6, "value": 0.5, "direction": "min", **state, "state": "broken"},
    }
    told = report(runs=(make_run("a", 0.5, 10.0, budgets=budgets),))
    (costs,) = [table for table in detail(told, told.runs[0]) if table.titles[-1] == "budget"]
    rows = {row[0]: row[2] for row in costs.rows if str(row[0]).startswith("budget ")}
    assert rows == {
        "budget latency_p95_ms": "50: kept",
        "budget index_bytes": "900,000: kept",
        "budget ndcg@10": "at least 0.6: broken",
    }


def test_a_system_has_one_row_of_latency(report):
    times = {"mean": 2.0, "p50": 2.0, "p95": 3.0, "p99": 3.0}
    run = Run("ours", "", {}, latency_ms={**times, "stages": {"search": times}})
    found = [table for table in detail(report(runs=(run,)), run) if table.titles[0] == "ms"]
    assert [[row[0] for row in table.rows] for table in found] == [["search"]]
