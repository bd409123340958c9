"""Baselines: names, files, history, and that the small file decides as the whole report does."""

import json
import os
import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks.gates.made import report, run, timed

from assay.errors import InputError
from assay.reports.gates.baseline_json import baseline_text, read_baseline
from assay.reports.gates.json import json as gate_json
from assay.workflows.baseline import find_baseline, list_baselines, show_baseline
from assay.workflows.bless import bless
from assay.workflows.gate import gate

DATE = datetime(2026, 3, 1, tzinfo=UTC)
GOOD = [0.9, 0.8, 0.7, 1.0, 0.6, 0.9, 0.8, 0.5, 0.7, 1.0]


def made(scores=GOOD, **about):
    return report(timed(run(scores=scores), queries=[10] * len(scores)), **about)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "baselines"


@pytest.fixture
def place(folder):
    """Return the file of a blessed baseline."""
    bless(made(), baselines=folder, now=DATE, allow="ndcg@10:5%")
    return folder / "docs.json"


SCORES = st.lists(st.floats(0, 1), min_size=3, max_size=8)


@given(SCORES, st.randoms(use_true_random=False))
def test_the_file_gives_the_same_gate_as_the_report(before, rng):
    queries = {f"q{at}": {"category": "ab"[at % 2], "weight": 1.0 + at} for at in range(3)}
    old = made(before, queries=queries)
    new = made([rng.random() for _ in before], queries=queries)
    blessed = bless_text(old)
    checks = {"allow": ["ndcg@10:5%", "ndcg@10/category=a:0", "latency_p95_ms:5%", "errors:0"]}
    told = [gate_json(gate(one, new, now=DATE, **checks)) for one in (old, blessed)]
    for one in told:
        one["baseline"] = None
    assert told[0] == told[1]


def bless_text(one):
    """Write a baseline and read it back, without a file."""
    from assay.benchmarks.gates.prune_report import prune_report
    from assay.records.baseline import Baseline, Blessing

    text = baseline_text(Baseline("docs", prune_report(one), Blessing(DATE)))
    return read_baseline(json.loads(text), where="x")


def test_it_is_found_by_name_with_its_age_commit_and_checks(place, folder):
    found = find_baseline("docs", folder=folder)
    assert found.age_days(datetime(2026, 3, 11, 12, tzinfo=UTC)) == 10
    assert (found.blessing.commit, found.checks) == ("c" * 40, {"allow": ("ndcg@10:5%",)})
    assert [one.name for one in list_baselines(folder=folder)] == ["docs"]


def test_only_bless_changes_it_and_the_first_stays_in_its_history(place, folder):
    before = place.read_bytes()
    for drop in (0.0, 0.02, 0.3):
        gate(made([one - drop for one in GOOD]), baselines=folder)
    show_baseline(folder=folder)
    assert place.read_bytes() == before
    done = bless(made([one - 0.1 for one in GOOD]), baselines=folder)
    assert done.baseline.history[0].date == DATE
    assert done.baseline.history[0].scores == {"ours": pytest.approx(0.79)}
    assert done.baseline.checks == {"allow": ("ndcg@10:5%",)}


NAMES = ("a/b", "../../up", "ä 漢 😀", "x" * 500, "漢" * 300, "..", "nul\x00", "new\nline", "con")


@pytest.mark.parametrize("name", NAMES)
def test_any_name_has_a_file_in_the_folder(name, folder):
    bless(made(), name=name, baselines=folder)
    assert len(list(folder.parent.rglob("*.json"))) == len(list(folder.iterdir())) == 1
    assert find_baseline(name, folder=folder).name == name
    assert show_baseline(name, folder=folder).name == name


def test_an_empty_name_is_that_of_the_benchmark(folder):
    assert bless(made(), name="", baselines=folder).baseline.name == "docs"
    assert find_baseline("", folder=folder) is None


def test_two_names_with_one_file_do_not_replace_each_other(folder):
    bless(made(), name="a/b", baselines=folder)
    with pytest.raises(InputError, match="a/b"):
        bless(made([0.1] * 10), name="a-b", baselines=folder)
    assert find_baseline("a-b", folder=folder) is None
    assert find_baseline("a/b", folder=folder).name == "a/b"


def edit(place, change):
    value = json.loads(place.read_text())
    change(value)
    place.write_text(json.dumps(value))


def set_at(*path, to):
    def change(value):
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = to

    return change


SCORED = ("report", "runs", 0, "per_query", "ndcg@10")


@pytest.mark.parametrize(
    "change",
    [
        set_at("baseline_version", to=2),
        set_at("baseline_version", to=None),
        set_at("report", "schema_version", to=99),
        set_at("blessed", "date", to="yesterday"),
        set_at("report", to=[]),
        set_at("report", "runs", to={}),
        set_at("report", "queries", "id", to=["q0"] * 10),
        set_at("checks", to={"alow": ["ndcg@10:5%"]}),
        set_at("checks", to=["ndcg@10:5%"]),
        set_at(*SCORED, to=[0.9] * 9),
        set_at(*SCORED, to=[0.9] * 11),
        set_at(*SCORED, to=["a"] * 10),
        set_at(*SCORED, to=0.5),
        lambda value: value.pop("report"),
        lambda value: value.pop("blessed"),
    ],
)
def test_an_edited_file_is_refused_with_its_place(place, folder, change):
    edit(place, change)
    with pytest.raises(InputError) as refused:
        gate(made(), baselines=folder)
    assert str(place) in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null", b'{"a": NaN}'])
def test_a_broken_file_is_refused(place, folder, content):
    place.write_bytes(content)
    with pytest.raises(InputError):
        gate(made(), baselines=folder)


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.99])
def test_a_truncated_file_is_refused(place, folder, cut):
    content = place.read_bytes()
    place.write_bytes(content[: int(len(content) * cut)])
    with pytest.raises(InputError):
        show_baseline(folder=folder)


@pytest.mark.parametrize("inside", [False, True])
def test_a_folder_without_rights_is_one_message(tmp_path, nobody, inside):
    tmp_path.chmod(0o555)
    with nobody(), pytest.raises(InputError, match="cannot be"):
        bless(made(), baselines=tmp_path / "below" if inside else tmp_path)
    tmp_path.chmod(0o755)


def test_a_file_in_the_place_of_the_folder_is_one_message(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError):
        bless(made(), baselines=tmp_path / "file")


def test_two_at_once_leave_one_whole_file(folder):
    made_of = [made([score] * 10) for score in (0.2, 0.9)]
    threads = [
        threading.Thread(target=bless, args=(one,), kwargs={"baselines": folder})
        for one in made_of * 4
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [file.name for file in folder.iterdir()] == ["docs.json"]
    assert show_baseline(folder=folder).blessing.scores["ours"] in (pytest.approx(0.2), 0.9)


def test_failed_runs_are_left_out_and_said(folder):
    failed = replace(run("b", scores=[]), status="failed", error="x")
    done = bless(report(run(scores=GOOD), failed), baselines=folder)
    assert [one.name for one in done.baseline.report.runs] == ["ours"]
    assert any("b" in text for text in done.notes)
    for runs in ((failed,), ()):
        with pytest.raises(InputError, match="no run"):
            bless(report(*runs), baselines=folder)


@pytest.mark.parametrize("repository", [True, False])
def test_a_subfolder_finds_the_folder_of_its_repository(tmp_path, monkeypatch, repository):
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    if repository:
        (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    bless(made())
    monkeypatch.chdir(below)
    assert find_baseline("docs") is not None
    (tmp_path / "a" / ".git").mkdir()  # a repository of its own ends the search
    assert find_baseline("docs") is None
    assert not os.path.exists(below / "assay-baselines")  # noqa: PTH110


def test_a_report_of_another_tool_can_be_blessed_and_is_still_known_as_such(tmp_path, folder):
    latest = {"results": {"retrieval": {"mrr10": 0.7, "recall10": 0.8, "ndcg10": 0.6}}}
    (tmp_path / "latest.json").write_text(json.dumps({"modelId": "m", **latest}))
    done = bless(tmp_path / "latest.json", name="theirs", baselines=folder)
    again = read_baseline(json.loads(baseline_text(done.baseline)), where="file")
    assert again.report.benchmark["layout"] == "Exocortex"
    assert again.report.runs[0].scores["mrr@10"] == 0.7


def test_a_baseline_is_not_blessed_again(place):
    with pytest.raises(InputError, match="blessed baseline already"):
        bless(place)


@pytest.mark.parametrize(("queries", "said"), [(7, True), (8, False)])
def test_too_few_queries_for_a_gate_are_said_when_it_is_blessed(queries, said, folder):
    done = bless(made([0.5] * queries), baselines=folder)
    assert any("too few" in note for note in done.notes) is said


def test_a_check_that_could_never_apply_is_refused_when_it_is_blessed(folder):
    facts = {"q0": {"category": "api"}}
    for wrong in ("ndcg@10/category=ap:5%", "mrr@10:5%"):
        with pytest.raises(InputError, match=r"category|mrr@10"):
            bless(made(queries=facts), allow=wrong, baselines=folder)
    assert list_baselines(folder=folder) == []


def test_what_should_be_known_of_a_baseline_is_said(folder):
    bless(made(), baselines=folder)
    few = report(timed(run(scores=GOOD[:9]), busy=True, queries=[10] * 9))
    notes = " ".join(bless(few, min="ndcg@10:0.99", baselines=folder).notes)
    assert "below the minimum" in notes
    assert "busy machine" in notes
    assert "9 queries replace 10" in notes


@pytest.mark.parametrize(
    ("content", "told"),
    [('{"a": 1}\n<<<<<<< HEAD\n', "merge conflicts"), ('"alow"', 'unknown kind of checks "alow"')],
)
def test_a_hand_edited_file_says_what_is_wrong(place, content, told):
    text = place.read_text().replace('"allow"', content) if "alow" in content else content
    place.write_text(text)
    with pytest.raises(InputError, match=told):
        find_baseline("docs", folder=place.parent)


def test_the_primary_metric_of_the_baseline_is_checked_by_default(folder):
    both = {"ndcg@10": GOOD, "mrr@10": GOOD}
    bless(report(run(scores=both)), baselines=folder)
    changed = report(run(scores=both), benchmark={"primary": "mrr@10"})
    assert [one.check.figure for one in gate(changed, baselines=folder).results] == ["ndcg@10"]
