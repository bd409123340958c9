"""A system that answers nothing, or with documents of another corpus, has failed."""

import pytest

import assay
from assay.cli import start
from assay.searches.built_search import KnownDocuments
from assay.searches.systems import check_answers

FUNCTIONS = """
def nothing(query, top):
    return []

def elsewhere(query, top):
    return ["docs/a.md", "docs/b.md"]

def half(query, top):
    return ["docs/a.md", "c.md", "a.md"]

def once(query, top):
    return ["a.md"] if "apple" in query else []
"""
CORPUS = {"a.md": "a.md", "sub/b.md": "sub/b.md"}


def checked(answers, kind="http"):
    known = KnownDocuments(CORPUS)
    return check_answers(answers, known, kind=kind, show=lambda text, most: text[:most])


def test_by_hand(snapshot):
    assert checked({"q1": ["a.md"], "q2": []}).failure == ""
    assert checked({"q1": ["a.md", "x"]}).unknown == {"x"}
    assert checked({"q1": ["a.md", "x"]}).failure == ""
    nothing = checked({"q1": [], "q2": []}, "callable").failure
    one = checked({"q1": []}, "callable").failure
    other = checked({"q1": ["docs/a.md", "docs/b.md"], "q2": ["docs/a.md"]})
    assert other.unknown == {"docs/a.md", "docs/b.md"}
    snapshot([nothing, one, other.failure])


def test_a_document_that_is_called_alike_is_shown_or_else_any():
    assert " sub/b.md" in checked({"q": ["c:\\\\x\\\\b.md"]}).failure
    assert " a.md" in checked({"q": ["17"]}).failure


@pytest.fixture
def bench(place):
    def make(system):
        (place / "mine.py").write_text(FUNCTIONS)
        (place / "other.run").write_text("x1 Q0 a.md 1 1.0 r\n")
        (place / "prefixed.run").write_text("q1 Q0 docs/a.md 1 1.0 r\n")
        (place / "bench.yaml").write_text(
            "dataset: queries.json\ncorpus: docs\nmetrics: [ndcg@10]\nconfigurations:\n"
            "  - {name: words, search: lexical}\n"
            f"  - {{name: ours, system: {system}}}\n"
        )
        return str(place / "bench.yaml")

    return make


@pytest.mark.parametrize(
    "system",
    [
        "{kind: callable, function: 'mine.py:nothing'}",
        "{kind: callable, function: 'mine.py:elsewhere'}",
        "{kind: run_file, path: other.run}",
        "{kind: run_file, path: prefixed.run}",
    ],
)
def test_what_cannot_be_scored_has_failed_and_gets_no_verdict(bench, snapshot, system):
    report = assay.run(bench(system), repeats=1)
    words, ours = report.runs
    assert (words.status, ours.status) == ("completed", "failed")
    snapshot(ours.notes)
    assert ours.scores == ours.latency_ms == {}
    assert report.comparisons is None
    assert not any("100%" in note for note in report.notes)
    told = report.recommendations
    assert told["best_quality"]["run"] == "words"
    assert told["fastest"] is None or told["fastest"]["run"] == "words"  # None on a busy machine
    assert told["pick"]["run"] is None


def test_it_exits_with_1(bench, capsys):
    system = "{kind: callable, function: 'mine.py:nothing'}"
    assert start(["run", bench(system), "--asks", "1"]) == 1
    out, err = capsys.readouterr()
    assert "ours: DON'T SHIP." in out
    assert '"ours": ' in err
    assert "3 judged queries" in err


def test_what_is_not_in_the_corpus_is_not_to_be_judged(bench):
    report = assay.run(bench("{kind: callable, function: 'mine.py:half'}"), repeats=1)
    assert report.runs[1].status == "completed"
    named = {one.document for one in report.comparisons.judge_next}
    assert named == {"a.md", "c.md"}  # not docs/a.md
    assert any("33%" in note for note in report.notes)


def test_one_answer_is_an_answer(bench):
    report = assay.run(bench("{kind: callable, function: 'mine.py:once'}"), repeats=1)
    assert report.runs[1].status == "completed"
    assert report.runs[1].scores["ndcg@10"] > 0
