import json as plain
import re
from dataclasses import replace

import pytest

from assay.records import Interval, Run
from assay.reports.layout import layout
from assay.reports.runs.json.json import json
from assay.reports.runs.phrases.headline import headline
from assay.reports.runs.phrases.recommendations import recommendations
from assay.reports.runs.tables.summary import summary
from assay.reports.runs.tables.values import values

# What PRODUCT.md promises to other programs.
KEYS = "schema_version benchmark dataset corpus environment runs comparisons verdicts"
KEYS = {*KEYS.split(), "recommendations", "truth"}
RUN = "name fingerprint configuration status scores intervals latency_ms indexing storage errors"
RUN = {*RUN.split(), "categories", "per_query"}


def drawn(table, width=None):
    return ["".join(piece.text for piece in line).rstrip() for line in layout(table, width)]


def marked(table):
    return {(row, column) for row, column in table.best}


def test_few_runs_stand_beside_each_other(report):
    table = summary(report("bm25", "hybrid"))
    lines = drawn(table)
    assert lines[0].split() == ["metric", "bm25", "hybrid"]
    assert "0.1000 [0.000, 0.200]" in lines[2]
    assert [line.split()[0] for line in lines[2:]] == [
        "ndcg@10",
        "recall@5",
        "p50",
        "p95",
        "index",
        "bytes/doc",
    ]
    assert "1,234.5" in lines[6]
    # The better score, the smaller latency, and both where they are equal.
    assert {(0, 2), (1, 1), (1, 2), (2, 1), (3, 1)} <= marked(table)
    assert (2, 2) not in marked(table)
    assert (0, 1) not in marked(table)


def test_many_runs_stand_below_each_other(report):
    table = summary(report(*(f"configuration {at}" for at in range(9))))
    assert table.titles[:3] == ("run", "ndcg@10", "recall@5")
    assert len(table.rows) == 9
    assert (8, 1) in marked(table)
    assert (0, 3) in marked(table)


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_a_summary_fits_80_columns(report, count):
    names = [f"a configuration with a long name, number {at}" for at in range(count)]
    lines = drawn(summary(report(*names)), 80)
    assert max(map(len, lines)) <= 80
    assert len([line for line in lines if "ndcg@10" in line]) >= 1


def test_one_run_is_the_best_of_nothing(report):
    assert marked(summary(report("alone"))) == set()
    assert recommendations(report("alone")) == []


def test_what_is_left_when_others_failed_is_the_best_of_nothing(report):
    told = {"fastest": {"run": "a", "by": "latency_p50_ms", "value": 1.0}}
    both = report("a", "b", recommendations=told)
    assert len(recommendations(both)) == 1
    failed = replace(both, runs=(both.runs[0], replace(both.runs[1], status="failed")))
    assert recommendations(failed) == []


def test_a_metric_of_which_less_is_better_is_marked_so(report):
    table = summary(report("a", "b"), lower_is_better=frozenset({"ndcg@10"}))
    assert (0, 1) in marked(table)
    assert (0, 2) not in marked(table)


def test_a_latency_under_load_is_shown_as_such_and_not_compared(report, make_run):
    runs = make_run("alone", 0.3, 5.0), make_run("loaded", 0.2, 4.0)
    runs[1].latency_ms["concurrency"] = 4
    table = summary(report(runs=runs))
    p50 = next(line for line in drawn(table) if line.startswith("p50"))
    assert p50.split() == ["p50", "ms", "5.00", "4.00", "(4", "concurrent)"]
    assert not {(2, 1), (2, 2), (3, 1), (3, 2)} & marked(table)
    runs[0].latency_ms["concurrency"] = 4
    assert (2, 2) in marked(summary(report(runs=runs)))
    runs[0].latency_ms["busy"] = True
    assert not {(2, 1), (2, 2), (3, 1), (3, 2)} & marked(summary(report(runs=runs)))


def test_errors_get_a_line_only_where_there_are_some(report, make_run):
    broken = make_run("broken", 0.3, 5.0, failed={"q1": "boom", "q2": "boom"})
    lines = drawn(summary(report(runs=(make_run("fine", 0.2, 5.0), broken))))
    assert lines[-1].split() == ["errors", "0", "2"]


def test_a_run_whose_queries_failed_is_not_marked_as_the_fastest(report, make_run):
    broken = make_run("broken", 0.3, 1.0, failed={"q1": "boom"})
    runs = make_run("fine", 0.2, 5.0), broken, make_run("slow", 0.1, 9.0)
    table = summary(report(runs=runs))
    assert {(2, 1), (3, 1)} <= marked(table)
    assert not {(2, 2), (3, 2)} & marked(table)
    assert (0, 2) in marked(table)  # its score counts what failed
    alone = summary(report(runs=runs[:2]))
    assert not {row for row, _ in marked(alone)} & {2, 3}  # one has nothing to be compared with
    both = summary(report(runs=(broken, broken)))
    assert not {row for row, _ in marked(both)} & {2, 3}


def test_a_run_that_failed_is_shown_without_figures(report, make_run):
    dead = Run("dead", "ff", {}, status="failed", failed={"q": "x"})
    told = report(runs=(dead, make_run("fine", 0.2, 5.0)))
    lines = drawn(summary(told))
    assert lines[2].split()[:2] == ["ndcg@10", "-"]
    assert plain.dumps(json(told), allow_nan=False)
    assert values(told).rows[0][:3] == ["dead", "ff", "failed"]


def test_json_has_the_promised_keys(report):
    told = json(report("a", "b"))
    assert set(told) >= KEYS
    assert all(set(run) >= RUN for run in told["runs"])
    assert told["schema_version"] == 1
    assert told["runs"][0]["intervals"] == {"ndcg@10": [0.0, 0.2]}
    assert plain.loads(plain.dumps(told, allow_nan=False)) == told


def test_an_interval_that_is_not_known_is_null(report, make_run):
    odd = make_run("a", 0.1, 1.0)
    odd.intervals["ndcg@10"] = Interval(-float("inf"), float("inf"))
    told = report(runs=(odd,))
    assert json(told)["runs"][0]["intervals"] == {"ndcg@10": None}
    assert "[-]" in drawn(summary(told))[2]
    row = dict(zip(values(told).titles, values(told).rows[0], strict=True))
    assert row["ndcg@10 low"] is None


def test_values_have_a_row_per_run_at_full_precision(report, make_run):
    other = make_run("b", 1 / 3, 1.0)
    table = values(report(runs=(make_run("a", 0.1, 1.0), other)))
    row = dict(zip(table.titles, table.rows[1], strict=True))
    assert row["ndcg@10"] == 1 / 3
    assert row["latency_p95_ms"] == 2.0
    assert row["bytes_per_document"] == 4567.8
    assert row["setting weights"] == "[0.4, 0.6]"


def test_the_headline_tells_how_far_the_judgments_carry(report, snapshot):
    said = headline(report("a"))
    snapshot(said)
    numbers = re.findall(r"[\d,.]*\d%?", said)
    assert numbers == ["1,200", "34,567", "2", "3", "1", "1", "75.0%", "10"]


def test_the_headline_names_criteria_that_are_not_the_usual_ones(report):
    told = report("a")
    usual = {"alpha": 0.05, "margin": 0.02, "unjudged": "bounds", "unit": "document"}
    other = {"alpha": 0.1, "margin": 0.05, "unjudged": "zero", "unit": "chunk"}
    said = [headline(replace(told, benchmark={**told.benchmark, **one})) for one in (usual, other)]
    assert said[0] == headline(told)
    assert (
        "evaluated by chunk, alpha 0.1, margin 5%, unjudged documents count as not relevant"
        in said[1]
    )


def test_recommendations_in_words(report, snapshot):
    told = {
        "best_quality": {"run": "b", "by": "ndcg@10", "value": 0.25},
        "fastest": {"run": "a", "by": "latency_p50_ms", "value": 1234.5},
        "best_recall": None,
        "best_balance": {"run": "a", "by": "balance", "value": 0.875},
    }
    said = recommendations(report("a", "b", recommendations=told))
    snapshot(said)
    facts = ["b (ndcg@10 0.2500)", "a (p50 1,234.50 ms)", "a (0.88"]
    assert all(fact in line for fact, line in zip(facts, said, strict=True))


def test_seconds_without_what_was_remembered_are_marked(report, make_run, snapshot):
    runs = [make_run("cold", 0.2, 1.0), make_run("warm", 0.1, 1.0)]
    runs[1].indexing.update(seconds=0.2, seconds_complete=False, remembered_vectors=9)
    table = summary(report(runs=tuple(runs)))
    (line,) = [line for line in drawn(table) if line.startswith("index s")]
    assert line.split()[2:] == ["1,234.5", "0.2*"]
    snapshot(drawn(table)[0])
    assert drawn(table)[0].startswith("* ")
    assert not {(4, 1), (4, 2)} & marked(table)
    assert summary(report("one", "two")).caption == ""
