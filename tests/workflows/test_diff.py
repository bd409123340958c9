"""From a log without judgments to a verdict: diff, sample, pool, judge, run."""

import json
import random

import pytest

import assay
from assay.errors import InputError, UsageError
from assay.records import Dataset, Judgment, Query, Reference

METRIC = "mrr(rel=2)@10"  # which looks at the pool alone
SOUNDS = ("bel", "cor", "dan", "fer", "gil", "lom", "mar", "nes", "pol", "rig", "sut", "tev")


def collection(topics=60):
    """Make documents of topics: of each, one answers best, and others only mention it.

    A query asks for a topic by its two words, which no other topic has. One document has both, and
    is what is wanted; two have one of them often; and the last has both far down a long text, which
    is longer for every other topic. Every third topic has the first document alone, which both
    searches find.
    """
    chance = random.Random(5)
    documents, truth, log = {}, {}, []
    for at in range(topics):
        one, other = (f"{SOUNDS[at % 12]}{SOUNDS[at // 12]}{end}" for end in ("ona", "ixu"))
        filler = " ".join(chance.choices(SOUNDS, k=40))
        documents[f"{at}-best.md"] = f"# {one} {other}\n\nAll about {one} and {other}.\n"
        if at % 3:
            documents |= {
                f"{at}-one.md": f"{' '.join([one] * 6)} {filler}\n",
                f"{at}-two.md": f"{' '.join([other] * 6)} {filler}\n",
                f"{at}-far.md": f"{filler} {one} {filler} {other}\n" * (1 + 2 * (at % 2)),
            }
        truth[f"{one} {other}"] = {f"{at}-best.md": 3, f"{at}-far.md": 1}
        log += [f"{one} {other}"] * (9 + 60 // (at + 1))
    chance.shuffle(log)
    return documents, truth, log


@pytest.fixture
def place(tmp_path, monkeypatch):
    documents, truth, log = collection()
    (tmp_path / "docs").mkdir()
    for name, text in documents.items():
        (tmp_path / "docs" / name).write_text(text)
    (tmp_path / "log.txt").write_text("\n".join(log) + "\n")
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    settings = {
        "dataset": "log.txt",
        "corpus": "docs",
        "metrics": ["ndcg@10"],
        "configurations": [
            {"name": "broken", "search": "lexical", "chunk_size": 16, "collapse": "sum"},
            {"name": "plain", "search": "lexical"},
        ],
    }
    (tmp_path / "bench.json").write_text(json.dumps(settings))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "workspace"))
    return tmp_path


def graded(dataset, truth):
    """Let a judge who knows the truth grade every document of the pool."""
    queries = tuple(
        Query(
            one.key,
            one.text,
            tuple(
                Judgment(each.reference, truth[one.text].get(each.reference.document_id, 0))
                for each in one.judgments
            ),
            weight=one.weight,
        )
        for one in dataset.queries
    )
    return Dataset(dataset.name, queries, metadata=dataset.metadata)


@pytest.mark.usefixtures("no_clusters")
def test_the_whole_story(place):
    """A log, a diff, a sample, grades of a judge who knows, and a verdict by traffic."""
    truth = json.loads((place / "truth.json").read_text())
    found = assay.diff("bench.json", untimed=True, to_judge="to_judge.json", sample=30)

    assert (found.before, found.after) == ("broken", "plain")
    assert len(found.changes) == 60
    assert (
        sum(one.weight for one in found.changes)
        == len((place / "log.txt").read_text().split("\n")) - 1
    )
    assert found.totals.changed == pytest.approx(found.plan.share)
    assert found.sample["drawn"] == 30

    def ask(view):
        name = view.card.document
        return str(truth[view.card.text].get(name, 0))

    judged = assay.judge("bench.json", ask=ask, dataset="to_judge.json", judge="ann")
    assert judged.graded > 0
    report = assay.run("bench.json", dataset="judged.json", untimed=True)
    (candidate,) = report.comparisons.candidates
    assert report.dataset["weights"]["effective_queries"] < 30
    assert candidate.verdict.outcome == "ship"
    assert candidate.unweighted is not None
    assert any("of the traffic whose results changed" in note for note in report.notes)
    # The work of the diff is used again, and it is no earlier decision.
    assert report.benchmark["decided_before"] == 0


@pytest.mark.usefixtures("no_clusters")
def test_the_estimate_is_that_of_all_traffic_on_average(place):
    """Judged samples of many seeds: their mean is what judging the whole log gives."""
    truth = json.loads((place / "truth.json").read_text())
    assay.run(
        {**json.loads((place / "bench.json").read_text()), "dataset": str(whole(place, truth))},
        untimed=True,
        save_runs="runs",
    )
    files = "runs/broken.json", "runs/plain.json"
    exact = assay.compare(files[0], files[1], qrels=str(place / "all.json"), metrics=METRIC)
    difference = exact.candidates[0].metrics[METRIC].difference
    estimates = []
    for seed in range(60):
        found = assay.diff(*files, queries="log.txt", to_judge="s.json", sample=8, seed=seed)
        dataset = graded(assay.load_dataset("s.json"), truth)
        judged = assay.compare(*files, qrels=dataset, metrics=METRIC, flips=100)
        estimates.append(found.plan.share * judged.candidates[0].metrics[METRIC].difference)
    mean = sum(estimates) / len(estimates)
    spread = (sum((one - mean) ** 2 for one in estimates) / (len(estimates) - 1)) ** 0.5
    assert 0 < spread < 0.2
    assert abs(mean - difference) < 3.5 * spread / len(estimates) ** 0.5


def whole(place, truth):
    """Judge all of the log."""
    log = assay.load_dataset("log.txt")
    queries = tuple(
        Query(
            one.key,
            one.text,
            tuple(
                Judgment(Reference(document_id=name), grade)
                for name, grade in truth[one.text].items()
            ),
            weight=one.weight,
        )
        for one in log.queries
    )
    from assay.datasets.save import save

    save(Dataset("all", queries), place / "all.json")
    return place / "all.json"


def test_a_benchmark_is_searched_once_and_resumed_like_any_other(place):
    first = assay.diff("bench.json", untimed=True)
    again = assay.diff("bench.json", untimed=True)
    assert again.changes == first.changes
    assert again.report != first.report
    report = assay.show(again.report)
    assert report.benchmark["scored"] is False
    assert report.comparisons is None
    assert [run.scores for run in report.runs] == [{}, {}]
    # A diff of the report is that of the benchmark, but for what lies below its top 10.
    stored = assay.diff(report)
    tops = [{one.query: (one.before, one.after) for one in of.changes} for of in (first, stored)]
    assert tops[0] == tops[1]


def test_a_judged_dataset_can_be_diffed_too(place):
    whole(place, json.loads((place / "truth.json").read_text()))
    found = assay.diff("bench.json", queries="all.json", untimed=True)
    assert len(found.changes) == 60


def test_two_configurations_that_come_to_the_same(place):
    settings = json.loads((place / "bench.json").read_text())
    settings["configurations"] = [{"name": n, "search": "lexical"} for n in ("one", "two")]
    found = assay.diff(settings, untimed=True)
    assert (found.before, found.after) == ("one", "two")
    assert not found.changed
    assert found.totals.rbo == 1.0


def test_latency_is_told_where_it_was_measured(place):
    found = assay.diff("bench.json")
    assert set(found.latency_ms) == {"broken", "plain"}
    assert all(one["p95"] > 0 for one in found.latency_ms.values())


OLD = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}
NEW = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 1.0}}


def test_run_files_with_a_log(tmp_path):
    (tmp_path / "log.csv").write_text("id,query,count\nq1,reset password,30\nq2,log format,10\n")
    found = assay.diff(OLD, NEW, queries=tmp_path / "log.csv")
    assert (found.totals.changed, found.unweighted.changed) == (0.75, 0.5)
    assert found.changed[0].text == "reset password"
    assert found.changed[0].first_changed


def test_names_are_asked_for_where_there_are_more(place):
    settings = json.loads((place / "bench.json").read_text())
    settings["configurations"].append({"name": "third", "search": "lexical", "chunk_size": 64})
    with pytest.raises(UsageError, match="name two configurations"):
        assay.diff(settings)
    found = assay.diff(settings, runs=("plain", "third"), untimed=True)
    assert (found.before, found.after) == ("plain", "third")
    with pytest.raises(InputError, match='unknown configuration "thrid"'):
        assay.diff(settings, runs=("plain", "thrid"))


def test_what_cannot_be_compared_is_refused(place, tmp_path):
    with pytest.raises(UsageError, match="nothing to compare with"):
        assay.diff(OLD)
    with pytest.raises(UsageError, match="not compared with a second file"):
        assay.diff("bench.json", NEW)
    (tmp_path / "other.txt").write_text("something else\n")
    with pytest.raises(InputError, match="no query of the runs is in it"):
        assay.diff(OLD, NEW, queries=tmp_path / "other.txt")
    for wrong in ({"k": 0}, {"p": 1.0}, {"detect": 0}, {"sample": 1}, {"ties": "expected"}):
        with pytest.raises((UsageError, InputError), match=next(iter(wrong))):
            assay.diff(OLD, NEW, **wrong)


def test_a_log_that_is_not_there_is_named_by_its_option(place):
    with pytest.raises(InputError, match=r"missing\.csv") as caught:
        assay.diff("bench.json", queries="missing.csv", untimed=True)
    assert caught.value.where == "--queries"


def test_files_that_could_not_be_read_are_said(place):
    (place / "docs" / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    settings = json.loads((place / "bench.json").read_text())
    found = assay.diff(settings, untimed=True)
    (note,) = [note for note in found.notes if "could not be read" in note]
    assert "broken.pdf" in note
    assert note in assay.show(found.report).notes


def test_a_run_that_fails_is_said(place):
    settings = json.loads((place / "bench.json").read_text())
    (place / "fails.py").write_text("def search(query, top):\n    raise RuntimeError('down')\n")
    system = {"kind": "callable", "function": "fails.py:search"}
    settings["configurations"][1] = {"name": "ours", "system": system}
    with pytest.raises(InputError, match="no query was answered"):
        assay.diff(settings, untimed=True)


def test_a_run_of_such_a_dataset_says_what_to_do(place):
    with pytest.raises(InputError, match="no query has judgments") as caught:
        assay.run("bench.json")
    assert "assay diff" in caught.value.hint
    with pytest.raises(InputError, match="no query has judgments"):
        assay.evaluate("log.txt", OLD, format="query_list")


FAILS = """def old(query, top):
    return ["a", "b", "c"]


def new(query, top):
    if query == "down":
        raise RuntimeError("no answer")
    return ["b", "a"] if query == "moved" else ["a", "b", "c"]
"""


def test_a_query_that_failed_is_neither_changed_nor_without_results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "search.py").write_text(FAILS)
    (tmp_path / "log.csv").write_text("query,count\ndown,60\nmoved,30\nsame,10\n")
    systems = {
        name: {"kind": "callable", "function": f"search.py:{name}"} for name in ("old", "new")
    }
    benchmark = {
        "dataset": "log.csv",
        "metrics": ["ndcg@10"],
        "configurations": [{"name": name, "system": one} for name, one in systems.items()],
    }
    found = assay.diff(benchmark, untimed=True, workspace=tmp_path / "w", to_judge="to_judge.json")

    assert [one.query for one in found.changes] == ["moved", "same"]
    assert found.totals.changed == 0.75
    assert found.totals.empty_after == 0
    assert list(found.failed) == ["new"]
    assert "no answer" in found.failed["new"]["down"]
    assert any('"new" failed on 1 query (60.0% of the traffic)' in note for note in found.notes)
    assert [query.key for query in assay.load_dataset("to_judge.json").queries] == ["moved"]
    again = assay.diff(found.report, workspace=tmp_path / "w")
    assert (again.changes, again.failed) == (found.changes, found.failed)
    (tmp_path / "log.csv").write_text("query\ndown\n")
    systems["old"]["function"] = "search.py:new"
    with pytest.raises(InputError, match="no query was answered"):
        assay.diff(benchmark, untimed=True, workspace=tmp_path / "w")


@pytest.mark.usefixtures("no_clusters")
def test_a_third_configuration_needs_a_sample_of_its_own(place):
    settings = json.loads((place / "bench.json").read_text())
    settings["configurations"].append({"name": "third", "search": "lexical", "chunk_size": 64})
    truth = json.loads((place / "truth.json").read_text())
    assay.diff(settings, runs=("broken", "plain"), untimed=True, to_judge="s.json", sample=12)
    from assay.datasets.save import save

    save(graded(assay.load_dataset("s.json"), truth), place / "judged.json")
    notes = assay.run(settings, dataset="judged.json", untimed=True).notes
    assert any('do not represent the traffic for "third"' in note for note in notes)
    settings["configurations"].pop()
    notes = assay.run(settings, dataset="judged.json", untimed=True).notes
    assert not any("do not represent" in note for note in notes)


@pytest.mark.usefixtures("no_clusters")
def test_a_sample_of_collections_is_judged_under_the_keys_of_its_dataset(place):
    documents, truth, _ = collection(12)
    for name in ("one", "two"):
        (place / "all" / name).mkdir(parents=True)
        for file, text in documents.items():
            (place / "all" / name / file).write_text(text)
    rows = [f"{text},{9 - at // 2},{('one', 'two')[at % 2]}" for at, text in enumerate(truth)]
    (place / "log.csv").write_text("\n".join(["query,count,collection", *rows]) + "\n")
    settings = json.loads((place / "bench.json").read_text())
    settings |= {"dataset": "log.csv", "corpus": {"collections": "all"}}
    (place / "bench.json").write_text(json.dumps(settings))
    found = assay.diff("bench.json", untimed=True, to_judge="s.json", sample=4)
    assert {one.query.partition("/")[0] for one in found.changes} == {"one", "two"}
    drawn = assay.load_dataset("s.json")
    assert {one.key for one in drawn.queries} <= set(truth)
    judged = assay.judge("bench.json", ask=lambda _: "1", dataset="s.json", judge="ann")
    assert judged.graded == found.sample["documents"]
    report = assay.run("bench.json", dataset="judged", untimed=True)
    assert report.truth["judged@10"] == 1.0
    assert set(report.queries) <= {one.query for one in found.changes}


def test_a_sample_of_several_datasets_is_refused_before_anything_is_built(place):
    settings = json.loads((place / "bench.json").read_text())
    (place / "other.txt").write_text("something else\n")
    pairs = [{"name": one, "dataset": f"{one}.txt", "corpus": "docs"} for one in ("log", "other")]
    settings = {key: value for key, value in settings.items() if key not in ("dataset", "corpus")}
    with pytest.raises(UsageError, match="2 datasets"):
        assay.diff(settings | {"datasets": pairs}, to_judge="s.json")
    assert not (place / "workspace").exists()


def test_chunks_are_not_drawn_for_judging_and_other_cuts_are_said(place):
    settings = json.loads((place / "bench.json").read_text()) | {"unit": "chunk"}
    settings["configurations"] = [
        {"name": "small", "search": "lexical", "chunk_size": 16},
        {"name": "large", "search": "lexical"},
    ]
    with pytest.raises(UsageError, match="evaluates chunks"):
        assay.diff(settings, to_judge="s.json")
    assert any("different chunks" in note for note in assay.diff(settings, untimed=True).notes)
    settings["configurations"][1] = {
        "name": "deep",
        "search": "lexical",
        "chunk_size": 16,
        "depth": 300,
    }
    same = assay.diff(settings, untimed=True)
    assert not any("different chunks" in note for note in same.notes)
