"""Documents of a run and of the judgments that are one path, written on two platforms."""

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.datasets.load_judgments import load_judgments
from assay.rankings.align import align
from assay.rankings.load import load


def aligned(judged, *names, corpus=None):
    judgments = load_judgments({"q": dict.fromkeys(judged, 1)})
    if corpus is not None:
        judgments = replace(judgments, names=corpus)
    run = load({"q": {name: -float(at) for at, name in enumerate(names)}})
    found = align(run, judgments)
    assert np.array_equal(found.scores, run.scores)
    return found.top("q"), found.notes


@pytest.mark.parametrize(
    ("judged", "name"),
    [
        ("src/a.py", "src\\a.py"),
        ("src\\a.py", "src/a.py"),
        ("src/a.py", "./src/a.py"),
        ("src/a.py", "SRC/A.py"),
        ("src/a.py", "/home/me/src/a.py"),
        ("src/a.py", "C:\\work\\src\\a.py"),
        ("/home/me/src/a.py", "src/a.py"),
        ("README.md", "readme.md"),
        ("caf\u00e9.md", "cafe\u0301.md"),  # macOS writes accents apart from their letters
        ("cafe\u0301.md", "caf\u00e9.md"),
    ],
)
def test_a_path_of_another_platform_is_the_judged_one_and_said(judged, name, snapshot):
    found, notes = aligned([judged], "x", name)
    assert found == ["x", judged]
    assert len(notes) == 1
    assert notes[0].index(f'"{name}"') < notes[0].rindex(f'"{judged}"')
    snapshot(notes)
    assert ("Unicode" in notes[0]) == (not name.isascii())


@pytest.mark.parametrize(
    ("judged", "names"),
    [
        (["src/a.py"], ["src/a.py", "SRC/A.py"]),  # the run has both, so they are two documents
        (["src/a.py", "src/A.py"], ["SRC/A.PY"]),  # the judgments have both
        (["src/a.py"], ["src\\a.py", ".\\src\\a.py"]),
        (["src/a.py", "a.py"], ["/me/src/a.py"]),  # seen from /me, or from /me/src
    ],
)
def test_what_is_not_unique_stays_and_is_said(judged, names, snapshot):
    found, notes = aligned(judged, *names)
    assert found == names
    snapshot(notes)


@pytest.mark.parametrize(
    ("judged", "names"),
    [
        (["D1"], ["d1"]),
        (["src/a.py"], ["src/b.py", "lib/a.py", "a.py"]),
        (["a.py"], ["/me/src/a.py", "/me/lib/b.py"]),  # the root of all is /me
        (["https://x.y/A"], ["https://x.y/a"]),
        (["src/a.py"], ["src/a.py"]),
    ],
)
def test_other_documents_stay_what_they_are(judged, names, snapshot):
    found, notes = aligned(judged, *names)
    assert found == names
    snapshot(notes)


def test_one_root_of_all_paths_is_found():
    found, notes = aligned(["src/a.py", "a.py"], "/me/src/a.py", "/me/docs/b.md")
    assert (found, len(notes)) == (["src/a.py", "/me/docs/b.md"], 1)


def test_a_corpus_knows_more_than_the_judgments():
    corpus = {"7": "7", "src/a.py": "7", "lib/a.py": "8", "8": "8"}
    assert aligned(["7"], "src/a.py", "LIB/a.py", corpus=corpus)[0] == ["7", "8"]


def test_eval_scores_paths_of_another_platform():
    result = assay.evaluate({"q": {"src/a.py": 1}}, {"q": {"b": 2, "src\\a.py": 1}}, "mrr")
    assert result.scores == {"mrr": 0.5}
    assert any('"src\\a.py"' in note for note in result.notes)


def test_compare_says_so_too():
    runs = [{"q": {"src\\a.py": 1.0}}, {"q": {"src/a.py": 1.0}}]
    found = assay.compare(runs[0], runs[1:], qrels={"q": {"src/a.py": 1}}, metrics="mrr")
    assert [one.scores["mrr"] for one in found.evaluations] == [1.0, 1.0]
    assert any('"src\\a.py"' in note for note in found.evaluations[0].notes)
    assert found.evaluations[1].notes == ()


def test_queries_with_the_name_of_their_collection_are_found():
    judged = load_judgments({"c1": {"utils.py": 1}, "lib/r1": {"auth.py": 1}})
    run = {
        "click/c1": {"utils.py": 2.0},
        "requests/lib/r1": {"auth.py": 1.0},
        "click/x": {"a": 1.0},
    }
    found = align(load(run), judged)
    assert found.queries == ("c1", "lib/r1", "click/x")
    assert any('"click/c1" for "c1"' in note for note in found.notes)


@pytest.mark.parametrize(
    "run",
    [
        {"click/q1": {"a": 1.0}, "rich/q1": {"a": 1.0}},  # which of them is meant?
        {"q1": {"a": 1.0}, "rich/q2": {"a": 1.0}},  # the run names queries as the judgments do
        {"click/q7": {"a": 1.0}},
    ],
)
def test_other_queries_keep_their_names(run):
    judged = load_judgments({"q1": {"a": 1}, "q2": {"a": 1}})
    assert align(load(run), judged).queries == tuple(run)
