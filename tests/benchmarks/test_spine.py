import json
import math
from contextlib import closing
from pathlib import Path

import pytest
from tests.benchmarks.run_stand_ins import run_stand_ins

from assay.benchmarks.conduct import STARTED_AGAIN
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError
from assay.workspace.ledger.ledger import open_ledger

BEST = {"red apple": [("a.md", 2.0), ("c.md", 1.0)], "green pear": [("b.md", 1.0)]}
BEST |= {"blue sky": [("d.md", 1.0)]}
WORSE = {"red apple": [("c.md", 2.0), ("a.md", 1.0)], "green pear": [("b.md", 1.0)]}
WORSE |= {"blue sky": []}


@pytest.fixture
def bench(place):
    def make(*configurations, **keys):
        named = configurations or ({"name": "one", "search": "lexical"},)
        value = {"dataset": "queries.json", "corpus": "docs", "configurations": list(named)}
        value |= {"metrics": ["ndcg@10", "recall@5"]} | keys
        (place / "bench.json").write_text(json.dumps(value))
        return read_benchmark(place / "bench.json")

    return make


@pytest.fixture
def run(bench, stand_in, clock):
    """Run a benchmark whose configurations answer as told, by name."""
    made = {}

    def build(corpus, configuration, *, folder, track):
        assert list(folder.iterdir()) == []
        (folder / "index").write_text("what an index holds")
        documents = {document.id: document.text for document in corpus.documents()}
        answers, options = build.told.get(configuration.name, (BEST, {}))
        options = {"name": configuration.name, "clock": clock, "answers": answers} | options
        kind = options.pop("kind", stand_in)
        made[configuration.name] = kind(documents, **options), folder
        return made[configuration.name][0]

    def running(*configurations, told=None, keys=None, **options):
        build.told = told or {}
        benchmark = bench(*configurations, **(keys or {}))
        return run_stand_ins(benchmark, build=build, clock=clock, **options)

    running.made = made
    return running


def lexical(name, **settings):
    return {"name": name, "search": "lexical", **settings}


def test_by_hand(run):
    report = run(lexical("best"), lexical("worse", depth=50), told={"worse": (WORSE, {})})
    best, worse = report.runs

    assert best.scores == {"ndcg@10": 1.0, "recall@5": 1.0}
    swapped = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert worse.per_query["q1"]["ndcg@10"] == pytest.approx(swapped)
    assert worse.per_query["q3"] == {"ndcg@10": 0.0, "recall@5": 0.0}
    assert worse.scores["ndcg@10"] == pytest.approx((swapped + 1 + 0) / 3)
    assert worse.categories == {
        "fruit": {"ndcg@10": pytest.approx((swapped + 1) / 2), "recall@5": 1.0, "queries": 2},
        "nature": {"ndcg@10": 0.0, "recall@5": 0.0, "queries": 1},
    }
    assert worse.errors == 0
    low, high = worse.intervals["ndcg@10"].low, worse.intervals["ndcg@10"].high
    assert low < worse.scores["ndcg@10"] < high
    assert best.latency_ms["p50"] == 1.0
    assert best.configuration["search"] == "lexical"
    assert worse.configuration["depth"] == 50


def test_candidates_are_compared_with_the_baseline(run):
    report = run(
        lexical("worse", depth=50),
        lexical("best"),
        keys={"baseline": "best"},
        told={"worse": (WORSE, {})},
    )
    compared = report.comparisons
    assert compared.baseline == "best"
    assert [candidate.run for candidate in compared.candidates] == ["worse"]
    figures = compared.candidates[0].metrics["ndcg@10"]
    scores = {run.name: run.scores["ndcg@10"] for run in report.runs}
    assert figures.difference == pytest.approx(scores["worse"] - scores["best"])
    assert (figures.wins, figures.ties, figures.losses) == (0, 1, 2)


def test_one_configuration_is_compared_with_nothing(run):
    report = run()
    assert report.comparisons is None
    assert report.truth == {
        "total": 4,
        "resolved": 4,
        "ambiguous": 0,
        "missing": 0,
        "unresolved": [],
        "without_relevant": 0,
        "leaked": 0,
        "leaked_queries": [],
        "judged@10": 1.0,
    }


def test_two_configurations_that_come_to_the_same_are_one_run(run, snapshot):
    same = {"name": "same", "answers": BEST}
    report = run(
        lexical("first"),
        lexical("equal"),
        lexical("alike", depth=50),
        lexical("other", depth=60),
        keys={"baseline": "alike"},
        told={"first": (BEST, same), "alike": (BEST, same), "other": (WORSE, {})},
    )
    first, other = report.runs
    assert first.aliases == ("equal", "alike")
    assert "equal" not in run.made  # equal settings are not even built
    assert report.comparisons.baseline == "first"
    assert [one.run for one in report.comparisons.candidates] == ["other"]
    snapshot(note for note in report.notes if '"equal"' in note)
    assert other.aliases == ()


def test_a_failed_query_is_counted_and_scores_0_and_is_left_out_beside_that(run, snapshot):
    broken = BEST | {"blue sky": RuntimeError("boom")}
    report = run(lexical("best"), lexical("broken", depth=50), told={"broken": (broken, {})})
    one = report.runs[1]
    assert one.status == "completed"
    assert one.errors == 1
    assert one.failed == {"q3": "RuntimeError: boom"}
    assert one.scores["ndcg@10"] == pytest.approx(2 / 3)
    assert one.scores_answered["ndcg@10"] == 1.0
    assert report.runs[0].scores_answered == {}
    assert one.latency_ms["samples"] == 2
    snapshot(note for note in report.notes if note.startswith('"broken"'))
    figures = report.comparisons.candidates[0].metrics["ndcg@10"]
    assert figures.difference == pytest.approx(-1 / 3)  # the verdict counts it as 0


def test_a_configuration_that_answers_nothing_has_failed(run):
    dead = dict.fromkeys(BEST, OSError("gone"))
    report = run(lexical("dead"), lexical("best", depth=50), told={"dead": (dead, {})})
    assert [one.status for one in report.runs] == ["failed", "completed"]
    assert report.runs[0].scores == {}
    assert report.comparisons is None
    assert any('baseline "dead"' in note for note in report.notes)
    assert report.recommendations["best_quality"]["run"] == "best"


def test_queries_without_results_leave_nothing_unjudged(run):
    """Of those with results, all are judged; a run without any has no share."""
    told = {"worse": (WORSE, {}), "mute": (dict.fromkeys(BEST, ()), {})}
    report = run(lexical("worse"), lexical("mute", depth=50), told=told)
    assert [one.judged_at_10 for one in report.runs] == [1.0, None]
    assert report.truth["judged@10"] == 1.0


def test_what_a_verdict_forbids_is_not_recommended(run):
    told = {"ours": (BEST, {"takes_ms": 80.0}), "words": (BEST, {"takes_ms": 90.0})}
    keys = {"budgets": {"bytes_per_document": 1}, "baseline": "words"}
    report = run(lexical("words"), lexical("ours", depth=50), told=told, keys=keys)
    assert report.comparisons.candidates[0].verdict.outcome == "dont_ship"
    assert report.recommendations["pick"]["run"] is None  # the baseline breaks the budget, too
    assert report.recommendations["best_balance"] is None
    assert report.recommendations["fastest"]["run"] == "ours"  # a fact
    assert '"words" and "ours".' in report.winner["sentence"]


def test_a_search_that_finds_nothing_is_not_fast(run):
    told = {"mute": (dict.fromkeys(BEST, ()), {"takes_ms": 0.1}), "words": (BEST, {})}
    report = run(lexical("words"), lexical("mute", depth=50), told=told)
    assert [one.status for one in report.runs] == ["completed"] * 2
    assert report.runs[1].scores["ndcg@10"] == 0
    assert report.recommendations["fastest"]["run"] == "words"


def test_that_vectors_were_remembered_is_said_once_for_all_runs(
    run, monkeypatch, stand_in, snapshot
):
    assert not any("vectors" in note for note in run(lexical("one")).notes)
    began = stand_in.__init__

    def remembering(self, *arguments, **options):
        began(self, *arguments, **options)
        self.indexing["remembered_seconds"] = 0.0 if self.fingerprint == "words" else 1200.0
        self.indexing |= {"remembered_vectors": 8, "chunks": 1355}
        self.indexing["seconds_complete"] = self.fingerprint != "two"

    monkeypatch.setattr(stand_in, "__init__", remembering)
    report = run(lexical("words"), lexical("one", depth=50), lexical("two", depth=60))
    told = [note for note in report.notes if "vectors" in note]
    assert len(told) == 2
    snapshot(told)


@pytest.mark.parametrize("count", [1, 2])
def test_ties_are_counted(run, count):
    tied = BEST | {"red apple": [(name, 1.0) for name in ["a.md", "c.md", "d.md"][: count + 1]]}
    report = run(lexical("tied"), told={"tied": (tied, {})})
    (told,) = [note for note in report.notes if "equal scores" in note]
    assert told.endswith(": 2 results" if count == 2 else ": 1 result")


def test_judgments_without_a_document_count_as_missed_and_both_means_are_told(run, place):
    value = json.loads((place / "queries.json").read_text())
    lost = {"doc_ref": {"path": "gone.md"}, "relevance_grade": 3}
    value["queries"][1]["relevant_docs"].append(lost)
    (place / "queries.json").write_text(json.dumps(value))

    report = run()

    assert report.truth["resolved"] == 4
    assert report.truth["missing"] == 1
    assert report.runs[0].scores["recall@5"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert report.runs[0].scores_resolved["recall@5"] == 1.0
    (told,) = report.truth["unresolved"]
    assert (told["reference"], told["reason"]) == ('path "gone.md"', "not_found")


def test_a_query_without_any_document_left_is_no_part_of_the_second_mean(run, place):
    value = json.loads((place / "queries.json").read_text())
    value["queries"][1]["relevant_docs"] = [{"doc_ref": {"path": "gone.md"}, "relevance_grade": 3}]
    (place / "queries.json").write_text(json.dumps(value))

    first = run().runs[0]

    assert first.scores["recall@5"] == pytest.approx((1 + 0 + 1) / 3)
    assert first.scores_resolved["recall@5"] == 1.0


def test_a_broken_budget_is_never_shipped(run):
    told = {"best": (BEST, {"takes_ms": 80.0}), "base": (WORSE, {})}
    keys = {"budgets": {"latency_p95_ms": 50, "bytes_per_document": 1000}}
    report = run(lexical("base"), lexical("best", depth=50), told=told, keys=keys)
    verdict = report.comparisons.candidates[0].verdict
    assert verdict.outcome == "dont_ship"
    assert "latency_p95_ms 80" in verdict.reason
    best = report.runs[1]
    assert best.budgets["latency_p95_ms"]["broken"]
    assert best.budgets["bytes_per_document"] == {
        "budget": 1000,
        "value": 100.0,
        "broken": False,
        "exceeded": False,
        "state": "kept",
        "busy": False,
        "direction": "max",
    }
    assert any("latency_p95_ms 80" in note for note in report.notes)


def test_a_budget_on_what_was_not_measured_is_told_beside_the_verdict(run, stand_in, monkeypatch):
    told = {"best": (BEST, {}), "base": (WORSE, {})}
    monkeypatch.setattr(stand_in, "timed", False)
    keys = {"budgets": {"latency_p95_ms": 50}}
    report = run(lexical("base"), lexical("best", depth=50), told=told, keys=keys)
    said = '"best": latency_p95_ms was not measured, so its budget is not checked'
    assert said in report.notes


def test_runs_that_were_asked_differently_are_told_and_none_is_the_fastest(run, stand_in):
    class Loaded(stand_in):
        concurrency = 2

    plain = run(lexical("a"), lexical("b", depth=50))
    assert not [note for note in plain.notes if '"a" 1' in note]
    told = {"a": (BEST, {}), "b": (BEST, {"kind": Loaded})}
    report = run(lexical("a"), lexical("b", depth=50), told=told)
    assert any('"a" 1' in note and '"b" 2' in note for note in report.notes)
    assert any(note.startswith('"b": ') and " 2 " in note for note in report.notes)
    assert report.recommendations["fastest"] is None


def test_leaked_queries_are_named(run, place):
    text = "the quick brown fox jumps over the lazy dog"
    (place / "docs" / "e.md").write_text(f"once {text} at night")
    value = json.loads((place / "queries.json").read_text())
    value["queries"][0]["query_text"] = text
    value["queries"][0]["relevant_docs"] = [{"doc_ref": {"path": "e.md"}, "relevance_grade": 2}]
    (place / "queries.json").write_text(json.dumps(value))
    assert run().truth["leaked_queries"] == ["q1"]


def test_indexes_are_closed_and_removed(run, tmp_path):
    (tmp_path / "scratch").mkdir()
    run(lexical("a"), lexical("b", depth=50), scratch=tmp_path / "scratch")
    for built, folder in run.made.values():
        assert built.closed
        assert folder.parent.parent == tmp_path / "scratch"
        assert not folder.exists()
    assert list((tmp_path / "scratch").iterdir()) == []


def test_rankings_are_kept_in_the_order_in_which_they_came(run):
    tied = BEST | {"red apple": [("a.md", 1.0), ("c.md", 1.0)]}
    kept = []
    run(lexical("tied"), told={"tied": (tied, {})}, keep=kept.append)
    (rankings,) = kept
    assert rankings.top("q1") == ["a.md", "c.md"]  # by id, descending, it would be the other way
    assert (rankings.name, rankings.tied, rankings.ties) == ("tied", 1, "order")


def test_the_same_seed_gives_the_same_report(run):
    pairs = [run(lexical("a"), lexical("b", depth=50), told={"b": (WORSE, {})}) for _ in range(2)]
    one, other = ([r.scores, r.intervals, r.per_query] for report in pairs for r in report.runs[1:])
    assert one == other
    figures = [report.comparisons.candidates[0].metrics for report in pairs]
    assert figures[0] == figures[1]


def test_fingerprints_follow_content_and_nothing_else(run, place):
    first = run()
    again = run()
    assert first.dataset["fingerprint"] == again.dataset["fingerprint"]
    assert first.corpus["fingerprint"] == again.corpus["fingerprint"]
    (place / "docs" / "a.md").write_text("red apples")
    value = json.loads((place / "queries.json").read_text())
    value["queries"][0]["relevant_docs"][0]["relevance_grade"] = 2
    (place / "queries.json").write_text(json.dumps(value))
    changed = run()
    assert changed.dataset["fingerprint"] != first.dataset["fingerprint"]
    assert changed.corpus["fingerprint"] != first.corpus["fingerprint"]
    assert changed.environment["fingerprints"] == {
        "dataset": changed.dataset["fingerprint"],
        "corpus": changed.corpus["fingerprint"],
    }


def test_an_error_of_building_names_its_configuration(bench, snapshot):
    def build(corpus, configuration, **_):
        raise InputError("no such model", where="models", hint="install it")

    with pytest.raises(InputError) as refused:
        run_stand_ins(bench(), build=build)
    snapshot(refused.value)


def test_one_that_cannot_be_built_takes_nothing_from_the_others(run, snapshot):
    def broken(*_, **__):
        raise InputError("no such model", where="models", hint="install it")

    report = run(
        lexical("good"), lexical("broken", depth=50), told={"broken": (BEST, {"kind": broken})}
    )
    good, bad = report.runs
    assert (good.status, bad.status) == ("completed", "failed")
    assert good.scores["ndcg@10"] == 1
    snapshot([bad.error, *(note for note in report.notes if '"broken"' in note)])


def test_a_corpus_that_belongs_to_another_dataset_is_refused(bench, place):
    for path in (place / "docs").iterdir():
        path.unlink()
    with pytest.raises(InputError, match="no documents"):
        run_stand_ins(bench(), build=None)
    (place / "docs" / "other.md").write_text("other")
    with pytest.raises(InputError, match="4 judgments"):
        run_stand_ins(bench(), build=None)


def test_paths_are_relative_to_the_file_wherever_it_is_run(run, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run().corpus["documents"] == 4
    assert Path.cwd().name == "elsewhere"


def test_answers_that_nobody_judged_are_no_score_and_end_nothing(run, place):
    value = json.loads((place / "queries.json").read_text())
    value["queries"].append({"query_key": "q4", "query_text": "unjudged", "relevant_docs": []})
    (place / "queries.json").write_text(json.dumps(value))
    dead = dict.fromkeys(BEST, OSError("gone"))
    told = {"dead": (dead | {"unjudged": [("a.md", 1.0)]}, {})}
    report = run(lexical("best"), lexical("dead", depth=50), told=told)
    assert [one.status for one in report.runs] == ["completed", "failed"]
    assert report.runs[1].errors == 3


def test_ties_are_told(run, snapshot):
    tied = BEST | {"red apple": [("c.md", 1.0), ("a.md", 1.0)]}
    three = tied | {"blue sky": [("d.md", 1.0), ("a.md", 1.0)]}
    (alone,) = [note for note in run(told={"one": (three, {})}).notes if "--ties" in note]
    both = run(lexical("a"), lexical("b", depth=50), told={"a": (three, {}), "b": (tied, {})})
    (together,) = [note for note in both.notes if "--ties" in note]
    snapshot([alone, together, *(one.notes[-1] for one in both.runs)])
    assert not any("--ties" in note for note in run().notes)


def test_runs_that_answer_alike_are_told_once(run):
    told = {"worse": (WORSE, {})}
    report = run(lexical("a"), lexical("b", depth=50), lexical("worse", depth=60), told=told)
    assert len([note for note in report.notes if note.startswith('"a" and "b" ')]) == 1


def test_no_gain_is_not_corrected(run, snapshot):
    from assay.reports.comparisons.verdicts import verdicts

    alike = [lexical("one"), lexical("two", depth=50), lexical("three", depth=60)]
    compared = run(*alike).comparisons
    assert compared.observed_gain == 0
    snapshot(verdicts(compared, width=100))


def test_what_cannot_be_removed_in_the_end_is_a_note(run, stand_in, monkeypatch):
    """Nothing that was measured is lost, and the next configuration has its turn."""

    def close(self):
        raise InputError("the table stays", where="a server", hint="remove it later")

    monkeypatch.setattr(stand_in, "close", close)
    report = run(lexical("a"), lexical("b", depth=50))
    assert [one.name for one in report.runs] == ["a", "b"]
    for name in "ab":
        assert any(note.startswith(f'"{name}": the table stays; ') for note in report.notes)


@pytest.mark.parametrize("option", ["resume", "retry"])
def test_nothing_to_go_on_with_is_told(run, tmp_path, option):
    with closing(open_ledger(tmp_path / "ledger.sqlite")) as ledger:
        report = run(lexical("best"), ledger=ledger, **{option: True})
        assert STARTED_AGAIN in report.notes
        assert STARTED_AGAIN not in run(lexical("best"), ledger=ledger).notes
        ledger.begin(**_begun_like(ledger), resume=False)  # a second one, which is not finished
        report = run(lexical("best"), ledger=ledger, **{option: True})
        assert STARTED_AGAIN not in report.notes


def _begun_like(ledger):
    (one, *_) = ledger.benchmarks()
    return {"identity": one.identity, "name": one.name, "about": one.about, "runs": [*one.runs]}


def test_what_was_not_compared_has_a_verdict_too(run, stand_in):
    class Broken(stand_in):
        def __init__(self, *_, **__):
            raise InputError("no such model", where="gone", hint="install it")

    told = {"base": (BEST, {}), "best": (WORSE, {}), "gone": (BEST, {"kind": Broken})}
    report = run(lexical("base"), lexical("best", depth=50), lexical("gone", depth=70), told=told)
    verdict = report.verdicts["gone"]
    assert (verdict.outcome, verdict.rule) == ("dont_ship", "failed")
    assert "no such model" in verdict.reason
    assert report.comparisons.settings["candidates"] == 2
    lost = run(lexical("gone"), lexical("best", depth=50), lexical("base", depth=70), told=told)
    assert lost.comparisons is None
    assert [(one.outcome, one.rule) for one in lost.verdicts.values()] == [
        ("hold", "no_baseline"),
        ("hold", "no_baseline"),
    ]


def test_a_report_says_how_often_the_benchmark_was_decided_before(run, tmp_path, snapshot):
    with closing(open_ledger(tmp_path / "ledger.sqlite")) as ledger:
        pair = (lexical("a"), lexical("b", depth=50))
        first = run(*pair, told={"b": (WORSE, {})}, ledger=ledger)
        again = run(*pair, told={"b": (WORSE, {})}, ledger=ledger)
        other = run(*pair, lexical("c", depth=70), told={"b": (WORSE, {})}, ledger=ledger)
    told = [one.benchmark["decided_before"] for one in (first, again, other)]
    assert told == [0, 0, 1]  # the same again is the same test
    snapshot(note for note in other.notes if note not in again.notes and '"' not in note)
