"""Gates on reports of other programs, through Python and the command line."""

import copy
import json
import os
import subprocess
import sys

import pytest
from tests.reports.ancestors.read.files import FILES

import assay
from assay.errors import InputError
from assay.reports.gates.exocortex import exocortex


def write(folder, name, value):
    place = folder / name
    place.write_text(json.dumps(value))
    return str(place)


def scaled(name, factor):
    """Return the JSON of a layout with every score multiplied."""
    whole = copy.deepcopy(FILES[name]())
    _scale(whole, factor, scores=False)
    return whole


SCORES = ("mrr", "recall", "ndcg", "avg_mrr", "avg_recall", "avg_ndcg", "reciprocal_rank")


def _scale(value, factor, *, scores):
    """Multiply what is below the name of a metric, and leave the rest as it is."""
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        named = scores or (isinstance(key, str) and key.lower().startswith((*SCORES, "ap")))
        named = named and "uplift" not in str(key)
        if isinstance(one, dict | list):
            _scale(one, factor, scores=named)
        elif named and isinstance(one, float):
            value[key] = one * factor


CHECKS = {
    "akashic": "mrr@10",
    "exocortex": "recall@10",
    "sia_code": "recall@5",
    "semantik": "mrr",
    "semantik_queries": "mrr",
    "consciousdb": "ndcg@10",
}


@pytest.mark.parametrize(("name", "metric"), CHECKS.items())
def test_a_drop_beyond_what_is_allowed_fails_and_a_smaller_one_does_not(tmp_path, name, metric):
    old = write(tmp_path, "old.json", FILES[name]())
    for factor, outcome in ((1.0, "pass"), (0.96, "pass"), (0.94, "fail")):
        new = write(tmp_path, "new.json", scaled(name, factor))
        found = assay.gate(old, new, allow=f"{metric}:5%", bare=True)
        assert {one.outcome for one in found.results} == {outcome}
        assert found.results[0].relative == pytest.approx(factor - 1)


@pytest.mark.parametrize("name", FILES)
def test_the_same_file_twice_passes_every_check(tmp_path, name):
    place = write(tmp_path, "a.json", FILES[name]())
    metrics = assay.gate(place, place, preset="regression").results
    assert {one.outcome for one in metrics} <= {"pass", "inconclusive"}
    for bare in (False, True):
        assert assay.gate(place, place, bare=bare).outcome == "pass"  # the primary metric


@pytest.mark.parametrize("name", CHECKS)
def test_a_drop_of_means_or_of_two_queries_is_inconclusive(tmp_path, name):
    old = write(tmp_path, "old.json", FILES[name]())
    new = write(tmp_path, "new.json", scaled(name, 0.5))
    found = assay.gate(old, new)
    assert found.outcome == "inconclusive"
    tested = [one.p is not None for one in found.results]
    assert all(tested) if name in ("akashic", "semantik_queries") else not any(tested)
    assert assay.gate(old, new, bare=True).outcome == "fail"


def many(name, scores):
    """Return a report with a query for each reciprocal rank."""
    mean = sum(scores) / len(scores)
    if name == "akashic":
        rows = [{"id": f"q{at}", "query": "x", "mrr": score} for at, score in enumerate(scores)]
        return {"config": {"name": "a"}, "summary": {"avg_mrr": mean}, "query_results": rows}
    if name == "semantik":
        rows = [{"query_key": f"q{at}", "reciprocal_rank": s} for at, s in enumerate(scores)]
        return {"run_id": "a", "results": rows}
    rows = [
        {"query_id": f"q{at}", "hit": score > 0, "rank": round(1 / score) if score else 0}
        for at, score in enumerate(scores)
    ]
    recall = sum(score > 0 for score in scores) / len(scores)
    return {"name": "a", "recall@5": recall, "mrr": mean, "results": rows}


@pytest.mark.parametrize(
    ("name", "metric"), [("akashic", "mrr@10"), ("semantik", "mrr"), ("sia_code", "mrr@5")]
)
def test_scores_of_queries_are_paired(tmp_path, name, metric):
    """Of 12 queries, 12 fall from rank 1 to 2: p is 1 / 2^12."""
    old = write(tmp_path, "old.json", many(name, [1.0] * 12))
    new = write(tmp_path, "new.json", many(name, [0.5] * 12))
    found = assay.gate(old, new, allow=f"{metric}:5%")
    assert found.exit_code() == 1
    assert found.results[0].p == 1 / 2**12
    assert found.queries == 12
    one_worse = write(tmp_path, "one.json", many(name, [1.0] * 11 + [0.0]))
    assert assay.gate(old, one_worse, allow=f"{metric}:5%").outcome == "inconclusive"


def test_queries_that_expect_other_files_are_left_out(tmp_path):
    old, new = FILES["akashic"](), FILES["akashic"]()
    new["query_results"][0]["expected_files"] = ["other.py"]
    found = assay.gate(write(tmp_path, "o.json", old), write(tmp_path, "n.json", new))
    assert found.queries == 1
    assert any("different judgments" in note for note in found.notes)


def test_the_figures_of_the_reporting_template(tmp_path):
    template = {"fallback_rate": 0.1, "easy_gate_rate": 0.44, "edge_overlap": {"median": 0.31}}
    place = write(tmp_path, "c.json", FILES["consciousdb"](**template))
    checks = {"max": "fallback_rate:5%", "min": {"edge_overlap_p50": 0.25, "uplift": 0.1}}
    found = assay.gate(place, **checks, run="ConsciousDB")
    outcomes = {one.check.figure: one.outcome for one in found.results}
    # 20 fallbacks among 200 queries are significantly more than 5 %.
    assert outcomes == {"fallback_rate": "fail", "edge_overlap_p50": "pass", "uplift": "pass"}
    a_few = FILES["consciousdb"](**template | {"fallback_rate": 0.06})  # 12 of 200 are not
    place = write(tmp_path, "few.json", a_few)
    found = assay.gate(place, max="fallback_rate:5%", run="ConsciousDB")
    assert found.outcome == "inconclusive"


def test_uplift_below_its_floor(tmp_path):
    old = write(tmp_path, "old.json", FILES["consciousdb"]())
    for uplift, outcome in ((25.0, "pass"), (5.0, "fail")):
        value = FILES["consciousdb"]()
        value["methods"][1]["nDCG_uplift_pct"] = uplift
        new = write(tmp_path, "new.json", value)
        found = assay.gate(old, new, preset="uplift=10%", run="ConsciousDB", bare=True)
        assert [one.outcome for one in found.results] == [outcome, "pass"]


def test_another_machine_is_said_and_does_not_fail_a_gate(tmp_path):
    value = FILES["exocortex"]()
    value["environment"]["nodeVersion"] = "23.0.0"
    value["results"]["performance"]["search"]["p95Ms"] = 600
    old = write(tmp_path, "old.json", FILES["exocortex"]())
    new = write(tmp_path, "new.json", value)
    found = assay.gate(old, new, allow="latency_p95_ms:5%")
    assert found.outcome == "inconclusive"
    assert found.environment == {"packages.node": ("22.1.0", "23.0.0")}
    assert any("node" in note for note in found.notes)


def test_a_wrong_file_is_one_message(tmp_path):
    value = FILES["exocortex"]()
    value["results"]["retrieval"]["mrr10"] = "0.72"
    place = write(tmp_path, "wrong.json", value)
    with pytest.raises(InputError, match=r"results\.retrieval\.mrr10: .*0\.72.*not a number"):
        assay.gate(place, place)


def command(folder, *words):
    """Run `assay gate`, and return its exit code and what it printed to both streams."""
    hidden = ("GITHUB_", "ASSAY_")
    environment = {key: v for key, v in os.environ.items() if not key.startswith(hidden)}
    done = subprocess.run(
        [sys.executable, "-m", "assay", "gate", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    ("name", "checked"),
    [("akashic", 3), ("exocortex", 3), ("semantik", 6), ("sia_code", 6), ("consciousdb", 9)],
)
def test_the_command_for_each_layout(tmp_path, name, checked):
    """The preset has three checks for each run; what a layout lacks is inconclusive."""
    write(tmp_path, "a.json", FILES[name]())
    write(tmp_path, "b.json", scaled(name, 0.9))
    asked = ("a.json", "b.json", "--preset", "regression", "--bare", "--json")
    code, printed, _ = command(tmp_path, *asked)
    checks = json.loads(printed)["checks"]
    assert len(checks) == checked
    fallen = [one for one in checks if one["relative"] not in (None, 0)]
    assert all(one["relative"] == pytest.approx(-0.1) for one in fallen)
    assert code == (1 if fallen else 0)
    assert bool(fallen) is (name != "sia_code")  # which has neither mrr@10 nor recall@10


def test_the_exit_codes_of_the_command(tmp_path):
    write(tmp_path, "a.json", FILES["exocortex"]())
    write(tmp_path, "b.json", scaled("exocortex", 0.9))
    write(tmp_path, "wrong.json", {"modelId": "m", "results": None})
    asked = ("--allow", "mrr@10:5%")
    assert command(tmp_path, "a.json", "a.json", *asked)[0] == 0
    assert command(tmp_path, "a.json", "b.json", *asked)[0] == 0  # inconclusive
    assert command(tmp_path, "a.json", "b.json", *asked, "--strict")[0] == 3
    assert command(tmp_path, "a.json", "b.json", *asked, "--bare")[0] == 1
    code, printed, told = command(tmp_path, "a.json", "wrong.json", *asked)
    assert (code, printed) == (2, "")
    assert "wrong.json, results: no results\n  hint: " in told


def check_regression(baseline, current, threshold=0.05):
    """Decide as the function of Exocortex's document: mean values against a share, nothing else."""
    told = {
        "mrr10": ("retrieval", "mrr10"),
        "recall10": ("retrieval", "recall10"),
        "p95Latency": ("performance", "search", "p95Ms"),
    }
    metrics = []
    for name, way in told.items():
        before, now = baseline["results"], current["results"]
        for step in way:
            before, now = before[step], now[step]
        if name == "p95Latency":
            passed = now <= before * (1 + threshold)
        else:
            passed = now >= before * (1 - threshold)
        delta = (now - before) / before if before else None  # in JSON NaN and infinity are null
        metrics.append(
            {"name": name, "baseline": before, "current": now}
            | {"delta": delta, "threshold": threshold, "passed": passed}
        )
    return {"passed": all(one["passed"] for one in metrics), "metrics": metrics}


def figures(mrr, recall, p95):
    """Return a report of Exocortex with the three figures that the function looks at."""
    value = FILES["exocortex"]()
    value["results"]["retrieval"] |= {"mrr10": mrr, "recall10": recall}
    value["results"]["performance"]["search"]["p95Ms"] = p95
    return value


BEFORE = (0.72, 0.8, 100)
CASES = {
    "nothing changed": (BEFORE, BEFORE),
    "all better": (BEFORE, (0.9, 0.9, 10)),
    "mrr falls": (BEFORE, (0.6, 0.8, 100)),
    "recall falls": (BEFORE, (0.72, 0.7, 100)),
    "slower": (BEFORE, (0.72, 0.8, 120)),
    "a little slower": (BEFORE, (0.72, 0.8, 104.9)),
    "slower by exactly 5 %": (BEFORE, (0.72, 0.8, 105)),
    "just more than 5 % slower": (BEFORE, (0.72, 0.8, 105.001)),
    "recall falls by exactly 5 %": (BEFORE, (0.72, 0.76, 100)),
    "just more than 5 % less recall": (BEFORE, (0.72, 0.7599, 100)),
    "a fall that two decimals do not show": (BEFORE, (0.6839, 0.8, 100)),
    "all worse": (BEFORE, (0.1, 0.1, 1000)),
    "baselines of 0 stay 0": ((0, 0, 0), (0, 0, 0)),
    "baselines of 0 rise": ((0, 0, 0), (0.5, 0.5, 0)),
    "a latency of 0 rises": ((0.5, 0.5, 0), (0.5, 0.5, 1)),
    "everything falls to 0": ((0.5, 0.5, 20), (0, 0, 0)),
}


@pytest.mark.parametrize("case", CASES)
def test_the_rule_of_exocortex_field_by_field(tmp_path, case):
    before, after = (figures(*one) for one in CASES[case])
    places = [write(tmp_path, "old.json", before), write(tmp_path, "new.json", after)]
    found = assay.gate(*places, preset="regression", bare=True)
    expected = check_regression(before, after)
    assert exocortex(found) == expected
    assert found.exit_code() == (0 if expected["passed"] else 1)


ROUNDED = [
    ((0.55, 0.8, 100), (0.495, 0.8, 100), 0.1),
    ((0.9, 0.8, 100), (0.72, 0.8, 100), 0.2),
    ((0.5, 0.8, 100), (0.5, 0.8, 115), 0.15),
]


@pytest.mark.parametrize(("before", "after", "share"), ROUNDED)
def test_exactly_what_is_allowed_passes_whatever_rounding_does(tmp_path, before, after, share):
    """In binary .55 x .9 is above .495, so that the function of the document fails it."""
    assert check_regression(figures(*before), figures(*after), share)["passed"] is False
    places = [
        write(tmp_path, "old.json", figures(*before)),
        write(tmp_path, "new.json", figures(*after)),
    ]
    found = assay.gate(*places, preset=f"regression={share:g}", bare=True)
    assert exocortex(found)["passed"] is True
    assert found.exit_code() == 0


def test_what_is_inconclusive_has_passed(tmp_path):
    before, after = figures(*BEFORE), figures(0.1, 0.1, 1000)
    places = [write(tmp_path, "old.json", before), write(tmp_path, "new.json", after)]
    told = exocortex(assay.gate(*places, preset="regression"))
    assert told["passed"] is True
    assert [one["passed"] for one in told["metrics"]] == [True, True, True]


def test_the_file_in_the_layout_of_exocortex_agrees_with_the_exit_code(tmp_path):
    """A limit has no place among its metrics, and counts even so."""
    write(tmp_path, "a.json", figures(0.72, 0.8, 100))
    asked = ("a.json", "a.json", "--preset", "regression", "--bare", "--min", "mrr@10:0.9")
    assert command(tmp_path, *asked, "-o", "x.exocortex.json")[0] == 1
    told = json.loads((tmp_path / "x.exocortex.json").read_text())
    assert told["passed"] is False
    assert [one["passed"] for one in told["metrics"]] == [True, True, True]
