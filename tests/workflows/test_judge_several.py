"""A judge at work on a benchmark of several datasets: each counts alike and has a file of its own.

Both datasets have a query of the same key and a document of the same name, over other corpora and
by another scale.
"""

import json
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError
from assay.workflows.judge import judge

NAMES = [f"d{at}.txt" for at in range(5)]
ORDERS = {"words": ["d0.txt", "d1.txt", "d2.txt"], "other": ["d3.txt", "d0.txt", "d1.txt"]}
SIZES = {"few": 1, "many/日本 ü": 8}  # queries: q0, and more
SCALES = {"few": 1, "many/日本 ü": 3}
FILES = {"few": "few.json", "many/日本 ü": "many_日本_ü.json"}
FIRST, LONG = SIZES
CLOCK = {"clock": lambda: 1_800_000_000.0}


def make(folder, sizes=SIZES, scales=SCALES, corpora=("near", "far"), orders=ORDERS):
    """Write two datasets and their corpora, two runs and a benchmark of them, and run it."""
    for corpus in {*corpora}:
        (folder / corpus).mkdir(parents=True)
        for name in NAMES:
            (folder / corpus / name).write_text(f"{name} as it stands {corpus}\nretry\n")
    listed = []
    for at, ((name, size), corpus) in enumerate(zip(sizes.items(), corpora, strict=True)):
        (folder / f"{at}").mkdir()
        place = f"{at}/data.json"  # the same stem, which the names tell apart
        asked = [_query(number) for number in range(size)]
        metadata = {"name": "same", "scale": scales[name]}
        (folder / place).write_text(json.dumps({"metadata": metadata, "queries": asked}))
        listed.append({"dataset": place, "corpus": corpus, "name": name})
    for name, order in orders.items():
        run = {f"q{at}": {one: -rank for rank, one in enumerate(order)} for at in range(9)}
        (folder / f"{name}.run.json").write_text(json.dumps(run))
    systems = [
        {"name": name, "system": {"kind": "run_file", "path": f"{name}.run.json"}}
        for name in orders
    ]
    benchmark = {"name": "two", "datasets": listed, "metrics": ["ndcg@10"], "baseline": "words"}
    (folder / "bench.json").write_text(json.dumps(benchmark | {"configurations": systems}))
    return assay.run(folder / "bench.json", workspace=folder / ".assay", untimed=True)


def _query(number):
    judged = [{"doc_ref": {"path": "d0.txt"}, "relevance_grade": 1}]
    return {"query_key": f"q{number}", "query_text": f"retry {number}", "relevant_docs": judged}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("several")
    return folder, make(folder)


def sit(ran, keys, seen=None, **options):
    """Press one key after the other, or what a function of the card says; then quit."""
    left = iter(keys) if not callable(keys) else None

    def ask(shown):
        if seen is not None:
            seen.append(shown)
        return keys(shown.card) if left is None else next(left, "q")

    folder, report = ran
    given = {"report": report, "judge": "ann", **CLOCK, **options}
    if "second" in given:
        given.pop("report")
    return judge(folder / "bench.json", ask=ask, **given)


def given(folder, names=FILES):
    """Return what files say was graded: dataset -> (query, document) -> grade."""
    return {
        name: {
            (query.key, one.reference.document_id): one.grade
            for query in assay.load_dataset(folder / file).queries
            for one in query.judgments
            if one.because and one.because.judge
        }
        for name, file in names.items()
    }


def test_the_report_counts_each_dataset_alike_and_so_do_the_ends(ran, tmp_path):
    result = sit(ran, "", output=tmp_path / "judged")
    holes = ran[1].comparisons.candidates[0].metrics["ndcg@10"].holes
    assert (result.before[0].low, result.before[0].high) == pytest.approx(holes, abs=1e-12)
    assert not (tmp_path / "judged").exists()  # nothing was graded


def test_a_grade_goes_to_the_file_of_its_dataset(ran, tmp_path):
    seen = []
    result = sit(ran, lambda card: "1" if len(seen) < 4 else "q", seen, output=tmp_path / "judged")
    assert result.output == str(tmp_path / "judged")
    assert result.outputs == {name: str(tmp_path / "judged" / file) for name, file in FILES.items()}
    found = given(tmp_path / "judged")
    asked = [(one.card.query, one.card.document) for one in seen[:3]]
    assert sorted(asked) == sorted(
        (f"{name}/{query}", document) for name in found for query, document in found[name]
    )
    for name, file in FILES.items():
        written = assay.load_dataset(tmp_path / "judged" / file)
        assert (written.name, written.scale) == ("same", SCALES[name])
        assert len(written.queries) == SIZES[name]
        sittings = written.metadata["judging"]
        assert sum(one["graded"] for one in sittings) == len(found[name])
        assert {one["report"] for one in sittings} <= {ran[1].id}


def test_by_hand_what_is_of_the_smaller_dataset_comes_first(ran, tmp_path):
    """A query of `few` weighs as much as eight of the other one: its documents move most.

    d3 is first in one run and not in the other, d2 is third in one. By themselves any d3 comes
    before any d2: only the weight puts the d2 of `few` before those of the other dataset.
    """
    seen = []
    sit(ran, "sssss", seen, output=tmp_path / "judged")
    first = {(one.card.query, one.card.document) for one in seen[:5]}
    assert {("few/q0", "d3.txt"), ("few/q0", "d2.txt")} <= first
    assert {document for query, document in first if query.startswith(LONG)} == {"d3.txt"}


def test_the_scale_is_that_of_the_dataset_and_so_are_text_and_name(ran, tmp_path):
    seen = []
    sit(ran, lambda card: "q" if len(seen) > 40 else "2", seen, output=tmp_path / "judged")
    assert {one.sitting.scale for one in seen if one.card.collection == FIRST} == {1}
    assert {one.sitting.scale for one in seen if one.card.collection == LONG} == {3}
    refused = [one for one in seen if '"2"' in one.sitting.said]
    assert {one.card.collection for one in refused} == {FIRST}
    for one in seen:
        corpus = "near" if one.card.collection == FIRST else "far"
        assert one.card.lines[0] == f"{one.card.document} as it stands {corpus}"
        assert not any(name in repr(one.card) for name in ORDERS)
    assert given(tmp_path / "judged")[FIRST] == {}


def test_datasets_of_one_corpus_are_not_told(tmp_path):
    report = make(tmp_path / "one", corpora=("near", "near"))
    seen = []
    sit((tmp_path / "one", report), "1s", seen, output=tmp_path / "judged")
    assert {one.card.collection for one in seen} == {""}


def test_what_the_sitting_says_is_what_a_new_run_finds(ran, tmp_path):
    folder, report = ran
    keys = {  # the datasets end differently, so that it matters how much each counts
        FIRST: {"d1.txt": "0", "d2.txt": "s", "d3.txt": "1"},
        LONG: {"d1.txt": "2", "d2.txt": "s", "d3.txt": "0"},
    }
    output = tmp_path / "judged"
    result = sit(ran, lambda card: keys[card.collection][card.document], output=output)
    again = assay.run(
        folder / "bench.json",
        dataset=tmp_path / "judged",
        workspace=tmp_path / "w",
        untimed=True,
    )
    assert [*again.dataset["collections"]] == [*SIZES]
    assert [*again.queries] == [*report.queries]
    assert again.dataset["judgments"] == report.dataset["judgments"] + result.graded
    found = again.comparisons.candidates[0].metrics["ndcg@10"].holes
    assert (result.after[0].low, result.after[0].high) == pytest.approx(found, abs=1e-12)


def test_all_judged_leaves_nothing_open(ran, tmp_path):
    result = sit(ran, lambda card: "1", output=tmp_path / "judged")
    assert (result.left, any(one.open for one in result.after)) == (0, False)
    seen = []
    assert sit(ran, "1", seen, output=tmp_path / "judged").graded == 0
    assert seen == []


def test_undo_takes_back_from_the_file_that_it_is_of(ran, tmp_path):
    seen = []
    sit(ran, "11111uuuuu", seen, output=tmp_path / "judged")
    assert len({one.card.collection for one in seen[:5]}) == 2  # now of one, now of the other
    assert given(tmp_path / "judged") == {name: {} for name in FILES}


def test_it_goes_on_and_undoes_in_all_files(ran, tmp_path):
    place = tmp_path / "judged"
    sit(ran, "11111", output=place)
    first = given(place)
    assert all(first.values())
    kept = {file: (place / file).read_bytes() for file in FILES.values()}
    sit(ran, "1111uuuu", output=place)
    assert given(place) == first
    undone = {file: (place / file).read_bytes() for file in FILES.values()}
    assert undone == kept  # as if the sitting had not been
    sit(ran, "00", output=place)
    assert sum(map(len, given(place).values())) == 7
    for name in FILES:
        assert first[name].items() <= given(place)[name].items()


CHILD = """
    import os, sys, signal
    from assay.judging import grade_books
    from assay.workflows.judge import judge

    after = int(sys.argv[4])  # files that are written before it dies
    write = grade_books.GradeBooks._write
    written = 0

    def dying(self, at, sitting):
        global written
        if written == after:
            os.kill(os.getpid(), signal.SIGKILL)
        write(self, at, sitting)
        written += 1

    grade_books.GradeBooks._write = dying
    judge(sys.argv[1], ask=lambda shown: "1", workspace=sys.argv[2], output=sys.argv[3])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signal that cannot be caught")
@pytest.mark.parametrize("after", [1, 4])
def test_a_judge_who_is_killed_loses_no_grade(ran, tmp_path, after):
    """With one file written the other is not begun yet; of four, three are grades."""
    folder, _ = ran
    place = tmp_path / "judged"
    arguments = [folder / "bench.json", folder / ".assay", place, after]
    program = [sys.executable, "-c", textwrap.dedent(CHILD), *map(str, arguments)]
    done = subprocess.run(program, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    there = {name: file for name, file in FILES.items() if (place / file).exists()}
    assert len(there) == min(after, 2)
    graded = max(1, after - 1)
    assert sum(map(len, given(place, there).values())) == graded
    if after == 1:
        with pytest.raises(InputError, match="datasets") as caught:
            read_benchmark(folder / "bench.json", dataset=place)
        missing = {*FILES.values()} - {*there.values()}
        assert all(file in caught.value.hint for file in missing)
    result = sit(ran, "1", report=None, workspace=folder / ".assay", output=place)
    assert result.graded == 1
    assert sum(map(len, given(place).values())) == graded + 1


def test_somebody_else_is_judging_into_one_of_the_files(ran, tmp_path, wording):
    problems = []

    def ask(card):
        with pytest.raises(InputError, match="judged") as caught:
            sit(ran, "1", output=tmp_path / "judged")
        problems.append(caught.value)
        return "q"

    sit(ran, ask, output=tmp_path / "judged")
    (problem,) = problems
    wording(problem)
    assert not (tmp_path / "judged").exists()
    assert sit(ran, "1", output=tmp_path / "judged").graded == 1
    assert {one.name for one in (tmp_path / "judged").iterdir()} == {*FILES.values()}


def test_two_judges_and_their_agreement_in_each_dataset(ran, tmp_path):
    first, second = tmp_path / "judged", tmp_path / "second"
    sit(ran, lambda card: "1", output=first)
    seen = []
    grades = {FIRST: "0", LONG: "3"}
    keys = {"seen": seen, "second": first, "output": second, "judge": "bob"}
    result = sit(ran, lambda card: grades[card.collection], **keys)
    theirs, mine = given(first), given(second)
    assert {name: [*some] for name, some in mine.items()} == {
        name: [pair for pair in some if pair in theirs[name]] for name, some in mine.items()
    }
    assert result.agreement is None
    assert [*result.agreements] == [*SIZES]
    for name, found in result.agreements.items():
        assert found.judges == ("ann", "bob")
        assert (found.pairs, found.equal) == (len(theirs[name]), 0)
        assert found.grades == ((0, 1) if name == FIRST else (1, 3))
    assert (result.output, [*result.outputs]) == (str(second), [*SIZES])
    assert sum(map(len, mine.values())) == len(seen) == sum(map(len, theirs.values()))


def test_a_second_judge_goes_on_in_all_files(ran, tmp_path, wording):
    first, second = tmp_path / "judged", tmp_path / "second"
    sit(ran, "111111", output=first)
    for keys, pairs in (("1", 1), ("0u01", 3), ("11111", 6)):
        result = sit(ran, keys, second=first, output=second, judge="bob")
        assert sum(one.pairs for one in result.agreements.values()) == pairs
    assert result.left == 0
    sit(ran, "1", output=first, judge="cid")
    result = sit(ran, "1", second=first, output=second, judge="dan")
    assert "(ann 6, cid 1)" in result.notes[0]
    wording(result.notes[0])


def test_a_folder_for_several_and_a_file_for_one(ran, tmp_path, wording):
    folder, report = ran

    def refused(verb, *given, **options):
        with pytest.raises(InputError) as caught:
            verb(*given, **options)
        wording(caught.value, FOLDER=folder)
        return caught.value

    error = refused(sit, ran, "1", output=tmp_path / "judged.json")
    assert "2 datasets" in error.problem
    assert error.hint.endswith(f"-o {tmp_path / 'judged'}")
    (tmp_path / "taken").write_text("mine")
    refused(sit, ran, "1", output=tmp_path / "taken")
    for odd in (tmp_path / "no" / "judged", "x" * 300):
        refused(sit, ran, "1", output=odd)
    error = refused(sit, ran, "1", second=tmp_path / "judged.json")
    assert error.hint.endswith(f"--second {tmp_path / 'judged'}")
    assert "few" in refused(sit, ran, "1", second=tmp_path / "nowhere").problem
    sit(ran, "1", output=tmp_path / "judged")
    refused(sit, ran, "1", second=tmp_path / "judged", output=tmp_path / "judged")
    alone = replace(read_benchmark(folder / "bench.json"), datasets=())
    quiet = {"ask": lambda shown: "q"}
    error = refused(judge, alone, **quiet, second=tmp_path / "judged")
    assert error.where == str(tmp_path / "judged")
    error = refused(judge, alone, **quiet, report=report, output=tmp_path / "j.json")
    assert "few, many" in error.problem


def test_a_file_that_holds_something_else_is_left_as_it_is(ran, tmp_path):
    place = tmp_path / "judged"
    sit(ran, "1", output=place)
    swapped = (place / FILES[LONG]).read_text()
    (place / FILES[FIRST]).write_text(swapped)
    with pytest.raises(InputError) as caught:
        sit(ran, "1", output=place)
    assert caught.value.where == str(place / FILES[FIRST])
    assert (place / FILES[FIRST]).read_text() == swapped


def test_what_is_the_benchmarks_own_is_not_written_over(tmp_path, wording):
    """Datasets that stand where grades would go are kept, unless they were judged ones before."""
    sizes = {"one": 2, "two": 2}
    report = make(tmp_path, sizes=sizes, scales=dict.fromkeys(sizes, 3))
    benchmark = json.loads((tmp_path / "bench.json").read_text())
    for one in benchmark["datasets"]:
        (tmp_path / one["dataset"]).rename(tmp_path / f"{one['name']}.json")
        one["dataset"] = f"{one.pop('name')}.json"
    (tmp_path / "bench.json").write_text(json.dumps(benchmark))
    with pytest.raises(InputError, match=r"one\.json") as caught:
        sit((tmp_path, report), "1", output=tmp_path)
    wording(caught.value)
    names = {name: f"{name}.json" for name in sizes}
    sit((tmp_path, report), "1", output=tmp_path / "judged")
    for one in benchmark["datasets"]:
        one["dataset"] = f"judged/{one['dataset']}"
    (tmp_path / "bench.json").write_text(json.dumps(benchmark))
    again = assay.run(tmp_path / "bench.json", workspace=tmp_path / ".assay", untimed=True)
    sit((tmp_path, again), "11", output=tmp_path / "judged")
    assert sum(map(len, given(tmp_path / "judged", names).values())) == 3


def test_it_finds_the_latest_report_of_these_datasets(ran, tmp_path, wording):
    folder, _ = ran
    options = {"report": None, "workspace": folder / ".assay", "output": tmp_path / "judged"}
    assert sit(ran, "1", **options).graded == 1
    first = replace(read_benchmark(folder / "bench.json"), datasets=())
    with pytest.raises(InputError) as caught:
        judge(first, ask=lambda shown: "q", workspace=folder / ".assay")
    wording(caught.value, FOLDER=folder)


def test_after_a_run_with_what_was_judged_it_still_goes_on(tmp_path):
    """The files are called as the datasets are, and so is the benchmark: judgments tell apart."""
    sizes = {"one": 2, "two": 2}
    make(tmp_path, sizes=sizes, scales=dict.fromkeys(sizes, 3))
    for at, name in enumerate(sizes):
        (tmp_path / str(at) / "data.json").rename(tmp_path / f"{name}.json")
    benchmark = json.loads((tmp_path / "bench.json").read_text())
    benchmark["datasets"] = [
        {"dataset": f"{name}.json", "corpus": corpus}
        for name, corpus in zip(sizes, ("near", "far"), strict=True)
    ]
    (tmp_path / "bench.json").write_text(json.dumps(benchmark))
    place = {"workspace": tmp_path / ".assay"}
    report = assay.run(tmp_path / "bench.json", untimed=True, **place)
    options = {"report": None, "output": tmp_path / "judged", **place}
    sit((tmp_path, report), "1", **options)
    again = json.dumps(benchmark).replace('"one.json', '"judged/one.json')
    (tmp_path / "again.json").write_text(again.replace('"two.json', '"judged/two.json'))
    assay.run(tmp_path / "again.json", untimed=True, **place)
    assert sit((tmp_path, report), "11", **options).graded == 2
    names = {name: f"{name}.json" for name in sizes}
    assert sum(map(len, given(tmp_path / "judged", names).values())) == 3


def test_a_corpus_that_changed_is_named(tmp_path, wording):
    report = make(tmp_path)
    (tmp_path / "far" / "d4.txt").write_text("other words")
    with pytest.raises(InputError, match=r"many/日本 ü.* corpus") as caught:
        sit((tmp_path, report), "1", output=tmp_path / "judged")
    wording(caught.value)


def test_one_dataset_in_a_list_is_one_file(tmp_path):
    report = make(tmp_path, sizes={"few": 2}, corpora=("near",))
    result = sit((tmp_path, report), "1", output=tmp_path / "judged.json")
    assert (result.graded, result.outputs) == (1, {})
    assert np.isfinite(result.after[0].low)
