"""A judge at work, without a terminal: what is asked, what is written, and what becomes of it."""

import json
import random
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from itertools import pairwise

import pytest

import assay
from assay.errors import InputError, UsageError
from assay.workflows.judge import judge

QUERIES = {f"q{at}": f"retry number {at}" for at in range(4)}
NAMES = [f"d{at}.txt" for at in range(6)]
ORDERS = {  # both find a judged document and unjudged ones, in another order
    "words": ["d0.txt", "d1.txt", "d2.txt", "d3.txt"],
    "other": ["d0.txt", "d4.txt", "d1.txt", "d2.txt"],
}


def make(folder, orders=ORDERS, judged=("d0.txt",), queries=QUERIES, scale=3):
    """Write a corpus, a dataset, two runs and a benchmark of them, and run it."""
    (folder / "corpus").mkdir(parents=True)
    for at, name in enumerate(NAMES):
        lines = ["first", f"retry number {at % 4} here", "ünïcode 日本語", "last"]
        (folder / "corpus" / name).write_text("\n".join(lines), encoding="utf-8")
    references = [{"doc_ref": {"path": name}, "relevance_grade": 1} for name in judged]
    asked = [
        {"query_key": key, "query_text": text, "category": "sort", "relevant_docs": references}
        for key, text in queries.items()
    ]
    metadata = {"name": "small", "scale": scale, "corpus": {"path": "corpus"}}
    dataset = {"metadata": metadata, "queries": asked}
    (folder / "dataset.json").write_text(json.dumps(dataset))
    for name, order in orders.items():
        run = {key: {one: -at for at, one in enumerate(order)} for key in queries}
        (folder / f"{name}.run.json").write_text(json.dumps(run))
    systems = [
        {"name": name, "system": {"kind": "run_file", "path": f"{name}.run.json"}}
        for name in orders
    ]
    benchmark = {"name": "small", "dataset": "dataset.json", "metrics": ["ndcg@10"]}
    benchmark |= {"baseline": next(iter(orders)), "configurations": systems}
    (folder / "bench.json").write_text(json.dumps(benchmark))
    return assay.run(folder / "bench.json", workspace=folder / ".assay", untimed=True)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judged")
    return folder, make(folder)


@pytest.fixture
def collection(ran, tmp_path):
    folder, report = ran

    def sit(keys, **options):
        return judge(
            folder / "bench.json",
            ask=asking(keys),
            report=options.pop("report", report),
            output=options.pop("output", tmp_path / "judged.json"),
            judge=options.pop("judge", "ann"),
            clock=lambda: 1_800_000_000.0,
            **options,
        )

    return sit


def asking(keys, seen=None):
    """Press one key after the other, then quit."""
    left = iter(keys)

    def ask(shown):
        if seen is not None:
            seen.append(shown)
        return next(left, "q")

    return ask


def given(path):
    """Return what a file says was graded: (query, document) -> grade."""
    dataset = assay.load_dataset(path)
    return {
        (query.key, one.reference.document_id): one.grade
        for query in dataset.queries
        for one in query.judgments
        if one.because and one.because.judge
    }


def test_grades_are_written_with_who_gave_them_when_and_for_what(ran, collection, tmp_path):
    folder, report = ran
    result = collection("20")
    assert (result.graded, result.skipped) == (2, 0)
    written = assay.load_dataset(tmp_path / "judged.json")
    added = [one for query in written.queries for one in query.judgments if one.because]
    assert sorted(one.grade for one in added) == [0, 2]
    for one in added:
        assert (one.because.judge, one.because.report) == ("ann", report.id)
        assert one.because.when == "2027-01-15T08:00:00Z"
        assert one.because.seen[0] >= 1
    old = assay.load_dataset(folder / "dataset.json")
    kept = [[one for one in query.judgments if not one.because] for query in written.queries]
    assert kept == [list(query.judgments) for query in old.queries]
    (sitting,) = written.metadata["judging"]
    assert (sitting["judge"], sitting["graded"], sitting["report"]) == ("ann", 2, report.id)


def test_the_benchmark_runs_with_what_was_written(ran, collection, tmp_path):
    folder, report = ran
    collection("3" * 30)
    benchmark = json.loads((folder / "bench.json").read_text())
    benchmark["dataset"] = str(tmp_path / "judged.json")
    (folder / "again.json").write_text(json.dumps(benchmark))
    again = assay.run(folder / "again.json", workspace=folder / ".assay", untimed=True)
    assert again.dataset["judgments"] > report.dataset["judgments"]
    assert again.truth["judged@10"] > report.truth["judged@10"]
    low, high = again.comparisons.candidates[0].metrics["ndcg@10"].holes
    assert high - low < 0.5


def test_judging_all_leaves_nothing_open(collection):
    result = collection(random.Random(1).choices("0123", k=100))
    assert result.left == 0
    assert not any(one.open for one in result.after)
    before, after = result.before[0], result.after[0]
    assert before.low <= after.low <= after.high <= before.high
    assert collection("2").graded == 0  # nothing unjudged stands in the way


def test_what_the_sitting_says_is_what_a_new_run_finds(ran, collection, tmp_path):
    folder, _ = ran
    result = collection("3120s3")
    benchmark = json.loads((folder / "bench.json").read_text())
    benchmark["dataset"] = str(tmp_path / "judged.json")
    (folder / "same.json").write_text(json.dumps(benchmark))
    again = assay.run(folder / "same.json", workspace=folder / ".assay", untimed=True)
    found = again.comparisons.candidates[0].metrics["ndcg@10"].holes
    assert (result.after[0].low, result.after[0].high) == pytest.approx(found, abs=1e-12)


def test_neither_runs_nor_ranks_are_told(ran, collection):
    seen = []
    folder, report = ran
    judge(
        folder / "bench.json",
        ask=asking("2310", seen),
        report=report,
        output=folder / "blind.json",
    )
    for shown in seen:
        assert "words" not in repr(shown.card)
        assert "other" not in repr(shown.card)
    assert {one.card.category for one in seen} == {"sort"}


def test_what_a_grade_does_is_not_told_before_the_batch_ends(ran, tmp_path):
    folder, report = ran
    seen = []
    judge(
        folder / "bench.json", ask=asking("333333", seen), report=report, output=tmp_path / "j.json"
    )
    ends = [(shown.contests[0].low, shown.contests[0].high) for shown in seen]
    assert len({*ends[:5]}) == 1
    assert ends[5] != ends[0]
    documents = [shown.contests[0].documents for shown in seen[:5]]
    assert documents == [documents[0] - at for at in range(5)]


def test_the_seed_decides_the_order(ran, tmp_path):
    folder, report = ran
    orders = []
    for at, seed in enumerate((1, 1, 2)):
        seen = []
        output = tmp_path / f"{at}.json"
        keys = "s" * 5
        judge(
            folder / "bench.json", ask=asking(keys, seen), report=report, output=output, seed=seed
        )
        orders.append([(one.card.query, one.card.document) for one in seen[:5]])
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])  # the same that matter most


def test_it_goes_on_where_it_was_left(collection, tmp_path):
    collection("21")
    first = given(tmp_path / "judged.json")
    assert len(first) == 2
    collection("30")
    both = given(tmp_path / "judged.json")
    assert len(both) == 4
    assert first.items() <= both.items()
    sittings = assay.load_dataset(tmp_path / "judged.json").metadata["judging"]
    assert [one["graded"] for one in sittings] == [2, 2]


def test_undo_takes_a_grade_back_from_the_file(collection, tmp_path):
    collection("2")
    kept = given(tmp_path / "judged.json")
    collection("3u")
    assert given(tmp_path / "judged.json") == kept
    collection("3u1")
    assert sorted(given(tmp_path / "judged.json").values()) == sorted([*kept.values(), 1])


def test_skipped_is_not_written_and_asked_again_another_time(collection, tmp_path):
    result = collection("s")
    assert (result.graded, result.skipped) == (0, 1)
    assert given(tmp_path / "judged.json") == {}


def test_a_metric_that_looks_deeper_than_the_report_is_told(ran, collection, wording):
    _, report = ran
    assert collection("").notes == ()
    deeper = replace(report, benchmark={**report.benchmark, "primary": "ndcg@20"})
    (said,) = collection("", report=deeper).notes
    assert "ndcg@20" in said
    assert " 4 " in said
    wording(said)


def test_a_run_that_was_beaten_in_a_race_is_left_out(ran, collection, wording):
    _, report = ran
    runs = tuple(replace(run, status="beaten") for run in report.runs)
    with pytest.raises(InputError) as caught:
        collection("", report=replace(report, runs=runs))
    wording(caught.value)


def test_most_ends_a_sitting_and_what_is_left_is_left(collection):
    result = collection("1" * 50, most=3)
    assert result.graded == 3
    assert result.left > 0


def test_how_many_are_left_tells_what_a_grade_did_only_after_the_batch(ran, tmp_path):
    """All that is left goes down one by one; where a comparison ends is told with the next five."""
    folder, report = ran
    seen = []
    keys = "30s3u3" * 9
    output = tmp_path / "j.json"
    judge(folder / "bench.json", ask=asking(keys, seen), report=report, output=output)
    assert seen[0].left == 16  # four of each query that nobody judged
    for shown, then in pairwise(seen):
        answers = len(then.sitting.answered) - len(shown.sitting.answered)
        if shown.sitting.waiting[1:]:  # of the same batch
            assert then.left == shown.left - answers
        assert then.left >= len(then.sitting.waiting)


def test_one_run_against_another(collection):
    result = collection("", runs=["other"])
    assert [(one.baseline, one.candidate) for one in result.after] == [("words", "other")]
    with pytest.raises(InputError, match='run "nobody"'):
        collection("", runs=["nobody"])


def test_it_reads_the_latest_report_of_the_workspace(ran, tmp_path, wording):
    folder, _ = ran
    seen = []
    result = judge(
        folder / "bench.json",
        ask=asking("2", seen),
        output=tmp_path / "j.json",
        workspace=folder / ".assay",
    )
    assert result.graded == 1
    with pytest.raises(InputError) as caught:
        judge(folder / "bench.json", ask=asking(""), workspace=tmp_path / "empty")
    wording(caught.value, FOLDER=folder)


def test_a_report_of_something_else_is_refused(tmp_path, wording):
    report = make(tmp_path / "one")
    (tmp_path / "one" / "corpus" / "d5.txt").write_text("other words")
    with pytest.raises(InputError, match="corpus") as caught:
        judge(tmp_path / "one" / "bench.json", ask=asking(""), report=report)
    assert "assay run" in caught.value.hint
    wording(caught.value)
    report = make(tmp_path / "two")
    dataset = json.loads((tmp_path / "two" / "dataset.json").read_text())
    dataset["queries"][0]["query_text"] = "something else"
    (tmp_path / "two" / "dataset.json").write_text(json.dumps(dataset))
    with pytest.raises(InputError, match="dataset") as caught:
        judge(tmp_path / "two" / "bench.json", ask=asking(""), report=report)
    assert '"something else"' in caught.value.problem
    wording(caught.value)


def test_a_second_round_may_go_to_the_same_file(tmp_path):
    """The dataset of the benchmark is the file that grades go to: both know what was added."""
    report = make(tmp_path / "one")
    place = tmp_path / "one" / "dataset.json"
    for count in (2, 4):
        judge(tmp_path / "one" / "bench.json", ask=asking("31"), report=report, output=place)
        assert len(given(place)) == count


def test_nothing_to_settle(tmp_path):
    alike = {"words": ["d0.txt"], "other": ["d0.txt"]}
    report = make(tmp_path / "one", orders=alike)
    seen = []
    if len(report.runs) < 2 or report.comparisons is None:  # they came to the same
        with pytest.raises(InputError, match="runs"):
            judge(tmp_path / "one" / "bench.json", ask=asking("2", seen), report=report)
        return
    result = judge(
        tmp_path / "one" / "bench.json",
        ask=asking("2", seen),
        report=report,
        output=tmp_path / "j.json",
    )
    assert (result.graded, result.left, seen) == (0, 0, [])
    assert not (tmp_path / "j.json").exists()


def test_documents_that_are_not_in_the_corpus_are_not_asked_for(tmp_path):
    orders = {"words": ["d0.txt", "gone.txt"], "other": ["d0.txt", "d1.txt", "gone.txt"]}
    report = make(tmp_path / "one", orders=orders)
    seen = []
    judge(
        tmp_path / "one" / "bench.json",
        ask=asking("0" * 30, seen),
        report=report,
        output=tmp_path / "j.json",
    )
    assert {one.card.document for one in seen} == {"d1.txt"}


def test_wrong_places_are_refused(collection, tmp_path, wording):
    for place in ("judged.csv", "no/judged.json"):
        with pytest.raises(InputError, match=place) as caught:
            collection("", output=tmp_path / place)
        wording(caught.value)
    (tmp_path / "judged.json").write_text('{"metadata": {"name": "x"}, "queries": []}')
    with pytest.raises(InputError, match=r"judged\.json: ") as caught:
        collection("1")
    wording(caught.value)
    with pytest.raises(UsageError):
        collection("", most=0)


def test_somebody_else_is_judging_into_the_file(ran, collection, tmp_path, wording):
    folder, report = ran
    problems = []

    def ask(shown):
        if not problems:
            with pytest.raises(InputError, match=r"judged\.json: ") as caught:
                collection("1")
            problems.append(caught.value)
        return "q"

    judge(folder / "bench.json", ask=ask, report=report, output=tmp_path / "judged.json")
    (problem,) = problems
    wording(problem)
    assert collection("1").graded == 1  # afterwards it is free
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".")]


def test_a_file_that_changed_meanwhile_is_left_as_it_is(ran, tmp_path, wording):
    folder, report = ran
    place = tmp_path / "judged.json"

    def ask(shown):
        if shown.sitting.graded:
            place.write_text("mine")
        return "2"

    with pytest.raises(InputError, match=r"judged\.json: ") as caught:
        judge(folder / "bench.json", ask=ask, report=report, output=place)
    wording(caught.value)
    assert place.read_text() == "mine"


CHILD = """
    import os, sys, signal
    from assay.workflows.judge import judge

    asked = 0
    def ask(shown):
        global asked
        if asked == 3:
            print("ready", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        asked += 1
        return "2"

    judge(sys.argv[1], ask=ask, workspace=sys.argv[2], output=sys.argv[3], judge="ann")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signal that cannot be caught")
def test_a_judge_who_is_killed_loses_no_grade(ran, collection, tmp_path):
    folder, _ = ran
    place = tmp_path / "judged.json"
    program = [sys.executable, "-c", textwrap.dedent(CHILD)]
    arguments = [folder / "bench.json", folder / ".assay", place]
    done = subprocess.run([*program, *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert list(given(place).values()) == [2, 2, 2]
    result = collection("1", report=None, workspace=folder / ".assay")
    assert result.graded == 1
    assert len(given(place)) == 4


def test_two_judges_and_their_agreement(ran, collection, tmp_path):
    folder, _ = ran
    collection("3210" * 3)
    first = given(tmp_path / "judged.json")
    seen = []
    result = judge(
        folder / "bench.json",
        ask=asking("3" * 50, seen),
        second=tmp_path / "judged.json",
        output=tmp_path / "second.json",
        judge="bob",
    )
    second = given(tmp_path / "second.json")
    assert second.keys() == first.keys()
    assert [(one.card.query, one.card.document) for one in seen] != list(first)
    found = result.agreement
    assert found.judges == ("ann", "bob")
    assert (found.pairs, found.only_first, found.only_second) == (len(first), 0, 0)
    assert found.equal == sum(grade == 3 for grade in first.values())
    assert len(found.disagreements) == found.pairs - found.equal
    for query in assay.load_dataset(tmp_path / "second.json").queries:
        kept = [one for one in query.judgments if one.because and one.because.judge == "ann"]
        assert not kept  # the first judge's grades are not handed on


def test_all_judges_of_a_file_are_named(ran, collection, tmp_path, snapshot):
    folder, _ = ran
    collection("321", judge="root")
    collection("20", judge="me")
    second = {"second": tmp_path / "judged.json", "output": tmp_path / "second.json"}
    for name, keys in (("ben", "111"), ("cid", "11")):
        result = judge(folder / "bench.json", ask=asking(keys), judge=name, **second)
    assert result.agreement.judges == ("root & me", "ben & cid")
    assert result.agreement.pairs == 5
    counts = ("(root 3, me 2)", "(ben 3, cid 2)")
    assert all(one in note for one, note in zip(counts, result.notes, strict=True))
    snapshot(result.notes)


def test_a_judge_who_grades_twice_is_told_apart(ran, collection, tmp_path, snapshot):
    folder, _ = ran
    collection("32")
    second = {"second": tmp_path / "judged.json", "output": tmp_path / "second.json"}
    seen = []
    result = judge(folder / "bench.json", ask=asking("11", seen), judge="ann", **second)
    assert result.agreement.judges == ("ann", "ann (2)")
    (doubt,) = result.notes
    assert [shown.sitting.said for shown in seen] == [doubt, ""]
    assert "ann" in doubt
    snapshot(doubt)


def test_what_was_on_the_screen_is_noted(collection, tmp_path):
    collection("2", seen=lambda card, view: (2, len(card.lines)))
    written = assay.load_dataset(tmp_path / "judged.json")
    (only,) = [one for query in written.queries for one in query.judgments if one.because]
    assert only.because.seen == (2, 4)


def test_a_second_judge_goes_on_too(ran, collection, tmp_path):
    folder, _ = ran
    collection("321")
    for count in (1, 3):
        result = judge(
            folder / "bench.json",
            ask=asking("1" * count),
            second=tmp_path / "judged.json",
            output=tmp_path / "second.json",
            judge="bob",
        )
    assert result.agreement.pairs == 3


def test_a_second_judge_needs_a_first(ran, collection, tmp_path, wording):
    folder, report = ran
    with pytest.raises(InputError, match=r"dataset\.json") as caught:
        collection("1", second=folder / "dataset.json", report=None)
    wording(caught.value, FOLDER=folder)
    collection("1")
    with pytest.raises(InputError, match=r"judged\.json") as caught:
        collection("1", second=tmp_path / "judged.json", report=None)
    wording(caught.value)
    with pytest.raises(UsageError) as caught:
        collection("1", second=tmp_path / "judged.json", report=report)
    wording(caught.value)
