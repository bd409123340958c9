"""A judge who comes back after another run: grades are of a dataset, whatever was run since."""

import json
import re
from dataclasses import replace

import pytest

import assay
from assay.errors import InputError
from assay.workflows.judge import judge

ORDERS = {"words": "0123", "other": "0412", "third": "5071"}  # documents, the best first
TEXTS = [f"retry number {at}" for at in range(4)]


def query(at, text, judged=None):
    references = [{"doc_ref": {"path": f"d{d}.txt"}, "relevance_grade": g}
                  for d, g in (judged or {0: 1}).items()]  # fmt: skip
    return {"query_key": f"q{at}", "query_text": text, "relevant_docs": references}


class Place:
    """A folder with a corpus, one dataset or two, and a benchmark of some runs."""

    def __init__(self, folder, several=()):
        self.folder, self.several = folder, several
        (folder / "corpus").mkdir(parents=True)
        for at in range(6):
            (folder / "corpus" / f"d{at}.txt").write_text(f"retry {at}\n")
        run = [f"q{at}" for at in range(9)]
        for name, order in ORDERS.items():
            ranked = {f"d{d}.txt": -at for at, d in enumerate(order)}
            (folder / f"{name}.run.json").write_text(json.dumps(dict.fromkeys(run, ranked)))
        self.dataset([query(at, text) for at, text in enumerate(TEXTS)])
        self.bench()
        self.judged = folder / ("judged" if several else "judged.json")

    def dataset(self, queries, scale=3):
        metadata = {"name": "small", "scale": scale, "corpus": {"path": "corpus"}}
        content = json.dumps({"metadata": metadata, "queries": queries})
        for name in self.several or ["dataset"]:
            (self.folder / f"{name}.json").write_text(content)

    def bench(self, runs=("words", "other"), **given):
        systems = [
            {"name": one, "system": {"kind": "run_file", "path": f"{one}.run.json"}} for one in runs
        ]
        own = [{"dataset": f"{name}.json"} for name in self.several]
        asked = {"datasets": own} if own else {"dataset": "dataset.json"}
        asked |= {"name": "small", "metrics": ["ndcg@10"], "baseline": "words"}
        asked |= {"configurations": systems, **given}
        (self.folder / "bench.json").write_text(json.dumps(asked))

    def run(self, **options):
        where = self.folder / "bench.json"
        return assay.run(where, workspace=self.folder / ".assay", untimed=True, **options)

    def sit(self, keys, seen=None, **options):
        left = iter(keys)

        def ask(shown):
            if seen is not None:
                seen.append(shown)
            return next(left, "q")

        usual = {"workspace": self.folder / ".assay", "output": self.judged, "judge": "ann"}
        return judge(self.folder / "bench.json", ask=ask, **(usual | options))

    def grades(self, path=None):
        """Return the judgment of each query and document that a judge graded, of each file."""
        path = path or self.judged
        return {
            (file.stem if path.is_dir() else "", query.key, one.reference.document_id): one
            for file in (sorted(path.iterdir()) if path.is_dir() else [path])
            for query in assay.load_dataset(file).queries
            for one in query.judgments
            if one.because and one.because.judge
        }


@pytest.fixture(params=[(), ("ours", "theirs")], ids=["one", "several"])
def place(request, tmp_path):
    return Place(tmp_path / "collection", request.param)


@pytest.fixture
def one(tmp_path):
    return Place(tmp_path / "collection")


def test_the_same_run_again(place):
    first = place.run()
    assert place.sit("21").graded == 2
    kept = place.grades()
    second = place.run()
    assert first.id != second.id
    seen = []
    result = place.sit("30", seen)
    assert (result.graded, result.graded_before) == (2, 2)
    assert seen[0].sitting.before == 2
    now = place.grades()
    assert len(now) == 4
    assert {key: now[key] for key in kept} == kept  # with who, when, and for which report
    assert {now[key].because.report for key in kept} == {first.id}
    assert {now[key].because.report for key in now.keys() - kept.keys()} == {second.id}


def test_a_configuration_that_was_added_brings_its_documents(place):
    place.run()
    before = place.sit("1" * 99)
    assert before.left == 0
    kept = place.grades()
    place.bench(["words", "other", "third"])
    place.run(seed=7)
    seen = []
    result = place.sit("2" * 99, seen)
    assert {shown.card.document for shown in seen} == {"d5.txt"}
    assert len(result.after) > len(before.after)
    now = place.grades()
    assert {key: now[key] for key in kept} == kept
    assert {key[2] for key in now.keys() - kept.keys()} == {"d5.txt"}


def test_what_the_sitting_says_is_what_a_new_run_finds(one):
    """Grades of documents that no run shows any more still count: the ideal has them."""
    one.bench(["words", "third"])
    one.run()
    one.sit("3" * 3)
    one.bench(["words", "other"])
    one.run()
    result = one.sit("2")
    again = one.run(dataset=one.judged)
    found = again.comparisons.candidates[0].metrics["ndcg@10"].holes
    assert (result.after[0].low, result.after[0].high) == pytest.approx(found, abs=1e-12)


def test_both_ways_to_count_what_was_judged_can_be_gone_on_with(place):
    place.run()
    place.sit("21")
    for count in (3, 4):
        again = place.run(dataset=place.judged)
        result = place.sit("1")
        assert (result.graded, result.graded_before, result.is_own) == (1, count - 1, False)
        reports = {one.because.report for one in place.grades().values()}
        assert again.id in reports
    if place.several:
        own = [{"dataset": f"judged/{name}.json"} for name in place.several]
        place.bench(datasets=own)
    else:
        place.bench(dataset="judged.json")
    result = place.sit("1")  # also before it is run again
    assert (result.graded, result.graded_before, result.is_own) == (1, 4, True)
    again = place.run()
    seen = []
    result = place.sit("10", seen)
    assert (result.graded, result.graded_before, result.is_own) == (2, 5, True)
    now = place.grades()
    assert len(now) == 7
    assert sum(one.because.report == again.id for one in now.values()) == 2
    files = [*place.judged.iterdir()] if place.several else [place.judged]
    noted = [one for file in files for one in assay.load_dataset(file).metadata["judging"]]
    assert sum(one["graded"] for one in noted) == 7  # each sitting is noted once
    other = place.judged.with_stem("other")
    place.sit("1", output=other)  # begins with what the benchmark's dataset has
    files = [*other.iterdir()] if place.several else [other]
    noted = [one for file in files for one in assay.load_dataset(file).metadata["judging"]]
    assert sum(one["graded"] for one in noted) == len(place.grades(other)) == 8


def test_undo_stays_in_its_sitting(place):
    place.run()
    place.sit("21")
    kept = place.grades()
    place.run()
    seen = []
    place.sit("u3uu", seen)
    said = seen[1].sitting.said
    assert seen[4].sitting.said == said
    assert " 2 " in said
    assert place.grades() == kept


def test_a_second_judge_goes_on_after_another_run(place):
    first = place.run()
    place.sit("21")
    second = {"second": place.judged, "output": place.judged.with_stem("second")}
    assert place.sit("1", judge="bob", **second).graded == 1
    later = place.run()
    place.sit("30")
    seen = []
    result = place.sit("1111", seen, judge="bob", **second)
    assert (result.graded, result.graded_before) == (3, 1)
    theirs, mine = place.grades(), place.grades(second["output"])
    assert theirs.keys() == mine.keys()
    reports = {key: each.because.report for key, each in mine.items()}
    assert reports == {key: each.because.report for key, each in theirs.items()}
    assert {*reports.values()} == {first.id, later.id}


def test_a_dataset_that_grew_keeps_its_grades(one):
    one.run()
    one.sit("21")
    kept = one.grades()
    grown = [query(at, text) for at, text in enumerate([*TEXTS, "a new one"])]
    graded = {(key, document) for _, key, document in kept}
    free = next(f"q{at}" for at in range(4) if (f"q{at}", "d3.txt") not in graded)
    grown[int(free[1])] = query(int(free[1]), TEXTS[int(free[1])], {0: 1, 3: 2})
    one.dataset(grown)
    one.run()
    assert one.sit("1").graded == 1
    written = assay.load_dataset(one.judged)
    assert [each.key for each in written.queries] == ["q0", "q1", "q2", "q3", "q4"]
    assert kept.items() <= one.grades().items()
    assert sum(len(each.judgments) for each in written.queries) == 5 + 1 + 3


@pytest.mark.parametrize(
    ("changed", "facts"),
    [
        (
            [query(0, "something else"), *(query(at, TEXTS[at]) for at in (1, 2, 3))],
            ['"q0"', '"retry number 0"', '"something else"'],
        ),
        ([query(at, TEXTS[at]) for at in (1, 2, 3)], ["1 query", '"q0"']),
        (
            [query(at, TEXTS[at], {0: 3}) for at in range(4)],
            ['"q0"', '"d0.txt"', "grade 1", "grade 3"],
        ),
        ([query(at, TEXTS[at], {1: 1}) for at in range(4)], ['"q0"', '"d0.txt"', "grade 1"]),
    ],
    ids=["text", "query", "grade", "document"],
)
def test_another_dataset_is_refused_with_what_differs_and_the_ways_out(
    one, changed, facts, wording
):
    first = one.run()
    one.sit("21")
    kept = one.judged.read_bytes()
    one.dataset(changed)
    one.run()
    with pytest.raises(InputError) as caught:
        one.sit("3")
    assert [fact for fact in (*facts, first.id) if fact not in caught.value.problem] == []
    assert caught.value.where == str(one.judged)
    assert f"`dataset: {one.judged}`" in caught.value.hint
    assert "(-o FILE)" in caught.value.hint
    wording(caught.value, FOLDER=one.folder)
    assert one.judged.read_bytes() == kept
    assert one.sit("3", output=one.folder / "new.json").graded == 1  # a way out
    one.bench(dataset="judged.json")
    one.run()
    assert one.sit("3").graded_before == 2  # the other


def test_a_grade_that_the_dataset_has_otherwise_by_now_is_refused(one, wording):
    one.run()
    one.sit("2")
    ((_, key, document),) = one.grades()
    at = int(key[1])
    every = [query(number, text) for number, text in enumerate(TEXTS)]
    every[at] = query(at, TEXTS[at], {0: 1, int(document[1]): 2})
    one.dataset(every)
    one.run()
    assert one.sit("").graded_before == 0  # the dataset has it now, as it was graded
    every[at] = query(at, TEXTS[at], {0: 1, int(document[1]): 3})
    one.dataset(every)
    one.run()
    with pytest.raises(InputError, match=f'"{document}" .*"{key}" grade 2') as caught:
        one.sit("1")
    wording(caught.value, FOLDER=one.folder)


def test_a_scale_that_is_another_is_refused(one, wording):
    one.run()
    one.sit("2")
    one.dataset([query(at, text) for at, text in enumerate(TEXTS)], scale=4)
    for output in (one.judged, one.folder / "new.json"):
        with pytest.raises(InputError, match=r"3\b.* 4\b") as caught:
            one.sit("1", output=output)
        wording(caught.value, FOLDER=one.folder)


def test_a_file_that_no_judge_wrote_is_left_as_it_is(one, wording):
    one.run()
    one.judged.write_text(json.dumps({"metadata": {"name": "x", "scale": 3}, "queries": []}))
    with pytest.raises(InputError) as caught:
        one.sit("1")
    assert caught.value.where == str(one.judged)
    assert "(-o FILE)" in caught.value.hint
    wording(caught.value, FOLDER=one.folder)


def test_a_corpus_that_changed_since_is_told_and_the_grades_stay(place, wording):
    place.run()
    place.sit("21")
    kept = place.grades()
    (place.folder / "corpus" / "d4.txt").write_text("other words")
    place.run()
    (said,) = place.sit("1").notes
    assert "2 grades" in said
    wording(said)
    assert kept.items() <= place.grades().items()


def test_a_report_without_comparisons_is_passed_over(one, wording):
    first = one.run()
    one.bench(["words"])
    alone = one.run()
    one.sit("1")
    assert {each.because.report for each in one.grades().values()} == {first.id}
    with pytest.raises(InputError, match=alone.id) as caught:
        one.sit("1", report=alone.id)
    wording(caught.value, FOLDER=one.folder)


def test_the_report_of_the_same_configurations_is_taken_and_named(place):
    """Another file of the same name was run since, as the one that `assay init` writes."""
    first = place.run()
    place.bench(["words", "third"])
    newer = place.run()
    place.bench()
    seen = []
    result = place.sit("1", seen, runs=["other"])
    assert {each.because.report for each in place.grades().values()} == {first.id}
    dated = rf"report {first.id} from \d{{4}}-\d\d-\d\d \d\d:\d\d"
    assert re.fullmatch(dated, result.report)
    assert seen[0].sitting.said == result.report
    assert result.notes == ()
    named = place.sit("", report=newer.id)
    assert re.match(rf"report {newer.id} from ", named.report)


def test_where_none_has_the_configurations_of_the_file_what_differs_is_named(place, wording):
    place.run()
    place.bench(["words", "third"])
    newer = place.run()
    place.bench(["words", "fourth", "fifth"])
    for name in ("fourth", "fifth"):
        (place.folder / f"{name}.run.json").write_text(
            (place.folder / "other.run.json").read_text()
        )
    seen = []
    result = place.sit("1", seen)
    assert {each.because.report for each in place.grades().values()} == {newer.id}
    assert seen[0].sitting.said.startswith(f"{result.report}: ")
    wording(seen[0].sitting.said)
    (note,) = result.notes
    assert '"fourth", "fifth"' in note
    assert '"third"' in note
    wording(note)
    with pytest.raises(InputError, match='"fourth"') as caught:
        place.sit("", runs=["fourth"])
    assert f"report {newer.id} from " in caught.value.where
    wording(caught.value, FOLDER=place.folder)


def test_of_the_same_configurations_one_with_grades_that_are_elsewhere_is_taken(one):
    """A report of other configurations would not be better, though it has no grade but these."""
    one.run(dataset=one.folder / "dataset.json")
    elsewhere = one.folder / "mine.json"
    one.sit("21", output=elsewhere)
    one.bench(["words", "third"])
    one.run()
    one.bench(["words", "other", "third"])
    mine = one.run(dataset=elsewhere)
    result = one.sit("1")
    assert {each.because.report for each in one.grades().values()} == {mine.id}
    (said,) = result.notes
    assert "2 grades" in said


def test_a_sample_keeps_the_grades_of_all_queries(one):
    one.run()
    one.sit("2" * 99)
    kept = one.grades()
    one.bench(["words", "other", "third"])
    report = one.run(sample=2)
    seen = []
    one.sit("1" * 99, seen)
    assert {shown.card.query for shown in seen} == {*report.queries}
    assert kept.items() <= one.grades().items()
    assert len(one.grades()) == len(kept) + 2
    ends = one.sit("", output=one.folder / "new.json").before[0]
    holes = report.comparisons.candidates[0].metrics["ndcg@10"].holes
    assert (ends.low, ends.high) == pytest.approx(holes, abs=1e-12)  # over its queries only


def test_the_newest_report_that_does_not_contradict_is_taken(one, wording):
    first = one.run()
    one.sit("2")
    again = one.run(dataset=one.judged)
    content = one.judged.read_text().replace('"relevance_grade": 2', '"relevance_grade": 3')
    one.judged.write_text(content)  # corrected by hand since
    one.sit("1")
    reports = [each.because.report for each in one.grades().values()]
    assert reports == [first.id, first.id]
    with pytest.raises(InputError, match=r"2 .*3\b") as caught:
        one.sit("1", report=again.id)
    assert caught.value.where == again.id
    assert "assay run" in caught.value.hint
    wording(caught.value, FOLDER=one.folder)


def test_grades_that_are_kept_elsewhere_are_told(one, wording):
    one.run()
    elsewhere = one.folder / "mine.json"
    one.sit("21", output=elsewhere)
    again = one.run(dataset=elsewhere)
    assert one.sit("").notes == ()  # the first report is made with no grade but these
    (said,) = one.sit("", report=again.id).notes
    assert "2 grades" in said
    wording(said, FOLDER=one.folder)
    assert one.sit("1", output=elsewhere).graded_before == 2
    assert {each.because.report for each in one.grades(elsewhere).values()} >= {again.id}


def test_the_report_of_another_benchmark_is_named_with_its_file(one, tmp_path, wording):
    other = Place(tmp_path / "race")
    other.dataset([query(at, f"how fast is {at}") for at in range(4)])
    other.bench(name="race")
    report = other.run()
    one.run()
    with pytest.raises(InputError) as caught:
        one.sit("1", report=report)
    for fact in ('"race"', '"small"', '"q0"', '"how fast is 0"', '"retry number 0"'):
        assert fact in caught.value.problem
    assert '"race"' in caught.value.hint
    wording(caught.value, FOLDER=one.folder)
    renamed = replace(report, benchmark={**report.benchmark, "name": "small"})
    with pytest.raises(InputError) as caught:
        one.sit("1", report=renamed)
    assert caught.value.where == report.id
    assert "race" not in caught.value.problem
    wording(caught.value, FOLDER=one.folder)
