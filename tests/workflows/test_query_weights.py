"""Queries that count by their traffic: eval, compare, run, and reports of it."""

import json
import math
import random

import pytest

import assay
from assay.errors import InputError, ProblemsError, UsageError
from assay.reports.runs.json.json import json as report_json
from assay.reports.runs.json.read import load_report
from assay.reports.runs.phrases.doubts import doubts

METRICS = ["ndcg@10", "recall@2", "hit@1"]
HEAVY, LIGHT = 12, 28  # queries: the candidate is better on the heavy ones, worse on the others
KEYS = [f"q{at:02}" for at in range(HEAVY + LIGHT)]
TRAFFIC = {key: 40.0 if at < HEAVY else 1.0 for at, key in enumerate(KEYS)}


def entry(key, weight):
    more = {} if weight is None else {"weight": weight}
    return {
        "query_key": key,
        "query_text": f"text of {key}",
        "category": "even" if int(key[1:]) % 2 == 0 else "odd",
        "relevant_docs": [
            {"doc_ref": {"document_id": f"{key}-a"}, "relevance_grade": 2},
            {"doc_ref": {"document_id": f"{key}-b"}, "relevance_grade": 1},
            {"doc_ref": {"document_id": f"{key}-c"}, "relevance_grade": 0},
        ],
        **more,
    }


def answer(key, *, good):
    """Rank a, b and c, or c, b and a; one in nine queries is answered the other way."""
    good ^= int(key[1:]) % 9 == 4
    names = ["a", "b", "c"] if good else ["c", "b", "a"]
    return {f"{key}-{name}": float(3 - at) for at, name in enumerate(names)}


RUNS = {
    "base": {key: answer(key, good=at >= HEAVY) for at, key in enumerate(KEYS)},
    "candidate": {key: answer(key, good=at < HEAVY) for at, key in enumerate(KEYS)},
    "third": {
        key: answer(key, good=random.Random(at).random() < 0.5) for at, key in enumerate(KEYS)
    },
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    for name, run in RUNS.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(run))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(place, weights):
    """Write the dataset: with the weights of a mapping, with one for all, or without any."""
    given = weights if isinstance(weights, dict) else dict.fromkeys(KEYS, weights)
    file = place / "queries.json"
    file.write_text(json.dumps({"queries": [entry(key, given[key]) for key in KEYS]}))
    return file


def benchmark(*names, **keys):
    systems = [{"name": n, "system": {"kind": "run_file", "path": f"{n}.json"}} for n in names]
    return {"dataset": "queries.json", "metrics": METRICS, "configurations": systems, **keys}


def by_loop(run, metric, weights):
    """Average the scores of single queries, each evaluated alone."""
    total = scored = 0.0
    for key in KEYS:
        grades = {f"{key}-a": 2, f"{key}-b": 1, f"{key}-c": 0}
        alone = assay.evaluate({key: grades}, {key: run[key]}, metric).scores[metric]
        total, scored = total + weights[key], scored + weights[key] * alone
    return scored / total


def test_eval_gives_the_weighted_means_and_the_plain_ones(place):
    file = write(place, TRAFFIC)
    found = assay.evaluate(file, RUNS["candidate"], METRICS, intervals=True)
    plain = assay.evaluate(write(place, None), RUNS["candidate"], METRICS)
    for metric in METRICS:
        expected = by_loop(RUNS["candidate"], metric, TRAFFIC)
        assert found.scores[metric] == pytest.approx(expected)
        assert found.intervals[metric].low < expected < found.intervals[metric].high
    assert found.scores_unweighted == plain.scores
    assert plain.scores_unweighted == {}
    assert found.scores["hit@1"] > 0.7 > 0.5 > found.scores_unweighted["hit@1"]


def test_weights_can_be_ignored(place):
    file = write(place, TRAFFIC)
    plain = assay.evaluate(write(place / "", None), RUNS["base"], METRICS, intervals=True)
    write(place, TRAFFIC)
    found = assay.evaluate(file, RUNS["base"], METRICS, intervals=True, query_weights="ignore")
    assert (found.scores, found.intervals) == (plain.scores, plain.intervals)
    with pytest.raises(UsageError, match="query_weights"):
        assay.evaluate(file, RUNS["base"], query_weights="no")


def test_bounds_are_of_the_weighted_mean(place):
    run = {**RUNS["base"], "q00": {"unknown": 9.0, **RUNS["base"]["q00"]}}
    found = assay.evaluate(write(place, TRAFFIC), run, "hit@1", unjudged="bounds")
    low, high = found.bounds["hit@1"]
    assert high - low == pytest.approx(TRAFFIC["q00"] / sum(TRAFFIC.values()))


def compared(place, weights):
    file = write(place, weights)
    return assay.compare(
        RUNS["base"], [RUNS["candidate"], RUNS["third"]], qrels=file, metrics=METRICS
    )


def test_compare_decides_by_traffic_and_tells_the_other_verdict(place):
    (first, _), plain = compared(place, TRAFFIC).candidates, compared(place, None).candidates[0]

    one, other = first.metrics["ndcg@10"], first.unweighted.metrics["ndcg@10"]
    assert one.difference > 0 > other.difference
    assert one.baseline == pytest.approx(by_loop(RUNS["base"], "ndcg@10", TRAFFIC))
    assert first.verdict.outcome == "ship"
    assert first.unweighted.verdict == plain.verdict
    assert first.unweighted.metrics == plain.metrics
    assert plain.unweighted is None
    assert (one.wins, one.losses) == (other.wins, other.losses)  # queries are counted


@pytest.mark.parametrize("weight", [1, 7, 0.3])
def test_equal_weights_change_nothing_in_a_comparison(weight, place):
    with_, without = compared(place, weight), compared(place, None)
    assert with_.candidates == without.candidates
    assert with_.best_set == without.best_set
    assert (with_.observed_gain, with_.corrected_gain) == (
        without.observed_gain,
        without.corrected_gain,
    )


def run(place, weights, *names, **options):
    write(place, weights)
    keys = options.pop("keys", {})
    return assay.run(benchmark(*(names or RUNS), **keys), workspace=place / "workspace", **options)


def comparable(report):
    """Leave out of a report what names it and its data."""
    told = json.loads(json.dumps(report_json(report)))
    told.pop("id")
    told["benchmark"].pop("decided_before")
    told["dataset"].pop("fingerprint")
    told["environment"].pop("fingerprints")
    told["notes"] = [note for note in told["notes"] if "was decided" not in note]
    return told


@pytest.mark.usefixtures("no_clusters")
def test_equal_weights_change_no_bit_of_a_whole_report(place):
    plain = comparable(run(place, None))
    for weight in (1, 7, 0.3):
        assert comparable(run(place, weight)) == plain
    ignored = comparable(run(place, TRAFFIC, query_weights="ignore"))
    assert ignored["benchmark"].pop("query_weights") == "ignore"
    assert ignored == plain


@pytest.mark.usefixtures("no_clusters")
def test_a_report_is_of_the_traffic_and_has_the_plain_figures_beside_it(place):
    report, plain = run(place, TRAFFIC), run(place, None)
    for one, other in zip(report.runs, plain.runs, strict=True):
        assert one.scores_unweighted == other.scores
        assert one.per_query == other.per_query
        expected = by_loop(RUNS[one.name], "ndcg@10", TRAFFIC)
        assert one.scores["ndcg@10"] == pytest.approx(expected)
        assert sum(one.waterfall.values()) == pytest.approx(1 - expected)
        even = {key: float(TRAFFIC[key] * (int(key[1:]) % 2 == 0)) for key in KEYS}
        expected = by_loop(RUNS[one.name], "ndcg@10", even)
        assert one.categories["even"]["ndcg@10"] == pytest.approx(expected)
    assert report.dataset["weights"]["heaviest_share"] == pytest.approx(40 / (12 * 40 + 28))
    assert report.queries["q00"]["weight"] == 40
    assert "weight" not in plain.queries["q00"]
    assert report.recommendations["pick"]["run"] == "candidate"
    assert plain.recommendations["pick"]["run"] == "base"
    assert report.analysis["uplift"]["candidate"]["metrics"]["ndcg@10"]["absolute"] == (
        pytest.approx(report.comparisons.candidates[0].metrics["ndcg@10"].difference)
    )


@pytest.mark.usefixtures("no_clusters")
def test_a_report_reads_back_with_what_is_unweighted(place):
    report = run(place, TRAFFIC)
    again = load_report(json.dumps(report_json(report)).encode(), where="report")
    assert report_json(again) == report_json(report)
    first = again.comparisons.candidates[0]
    assert first.unweighted.verdict == report.comparisons.candidates[0].unweighted.verdict


@pytest.mark.usefixtures("no_clusters")
def test_a_screen_says_what_the_verdict_would_be_without_weights(place):
    (told,) = [line for line in doubts(run(place, TRAFFIC)) if "traffic" in line]
    assert "40 queries count as 13.4" in told
    assert "candidate DON'T SHIP" in told or "candidate HOLD" in told
    assert not any("traffic" in line for line in doubts(run(place, None)))


@pytest.mark.usefixtures("no_clusters")
def test_reports_are_compared_by_the_weights_of_the_later_one(place):
    write(place, TRAFFIC)
    workspace = place / "workspace"
    old, new = (
        assay.run(
            {**benchmark(name), "name": "b"}
            | {"configurations": [{**benchmark(name)["configurations"][0], "name": "ours"}]},
            workspace=workspace,
        )
        for name in ("base", "candidate")
    )
    (since,) = assay.compare_reports(old, new)
    (change,) = since.changes
    direct = compared(place, TRAFFIC).candidates[0]
    figures = change.candidate.metrics["ndcg@10"]
    assert figures.difference == pytest.approx(direct.metrics["ndcg@10"].difference)
    assert change.candidate.unweighted.metrics["ndcg@10"].difference < 0
    assert change.candidate.verdict.outcome == "ship"


@pytest.mark.usefixtures("no_clusters")
def test_a_race_is_decided_by_traffic(place):
    """Over all queries the candidate is the best by traffic: a race must not stop it."""
    report = run(place, TRAFFIC, keys={"race": {"alpha": 0.05, "first": 10}})
    assert "candidate" in report.race["survivors"]
    for one in report.race["beaten"]:
        assert 0 <= one["score"] <= one["leader_score"] <= 1


@pytest.mark.usefixtures("no_clusters")
def test_collections_count_the_same_and_weights_within_each(place):
    write(place, TRAFFIC)
    halves = {"a": KEYS[:20], "b": KEYS[20:]}
    for name, keys in halves.items():
        queries = [entry(key, TRAFFIC[key] * (1000 if name == "b" else 1)) for key in keys]
        (place / f"{name}-queries.json").write_text(json.dumps({"queries": queries}))
    given = benchmark("base", "candidate")
    given.pop("dataset")
    given["datasets"] = [{"name": n, "dataset": f"{n}-queries.json"} for n in halves]
    report = assay.run(given, workspace=place / "workspace")

    def mean(run, keys):
        total = sum(TRAFFIC[key] for key in keys)
        rows = [run.per_query[f"{'a' if key in halves['a'] else 'b'}/{key}"] for key in keys]
        weighed = zip(rows, keys, strict=True)
        return sum(TRAFFIC[key] * row["ndcg@10"] for row, key in weighed) / total

    for one in report.runs:
        each = [mean(one, keys) for keys in halves.values()]
        assert one.scores["ndcg@10"] == pytest.approx(sum(each) / 2)
        assert [one.collections[n]["ndcg@10"] for n in halves] == pytest.approx(each)
        assert math.isclose(sum(one.waterfall.values()), 1 - one.scores["ndcg@10"])


def test_a_wrong_key_is_refused(place):
    write(place, TRAFFIC)
    with pytest.raises((InputError, ProblemsError), match="query_weights"):
        assay.run(benchmark("base", query_weights="none"), workspace=place / "workspace")
