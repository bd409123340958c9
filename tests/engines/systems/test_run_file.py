"""A saved run as a system: its rankings, and no times."""

import pytest

from assay.engines.systems.run_file import run_file
from assay.errors import InputError
from assay.rankings.load import load

RUN = "q1 Q0 b 1 0.5 x\nq1 Q0 a 2 0.5 x\nq1 Q0 c 3 0.1 x\nq2 Q0 é/日.md 1 7 x\n"


@pytest.fixture
def made(tmp_path):
    def make(text=RUN, *, name="one.run", newline="\n", **more):
        (tmp_path / name).write_text(text, encoding="utf-8", newline=newline)
        return run_file(path=name, home=str(tmp_path), rankings=load, **more)

    return make


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_worked_example(made, query, newline):
    system = made(newline=newline)
    replied = system.search(query(key="q1"), 2)
    assert list(replied.documents) == ["b", "a"]  # equal scores: the larger id first, as trec_eval
    assert replied.scores.tolist() == [0.5, 0.5]
    assert list(system.search(query(key="q1"), 99).documents) == ["b", "a", "c"]
    assert list(system.search(query(key="q2"), 5).documents) == ["é/日.md"]
    assert not system.timed
    assert any("latency" in note for note in system.notes)
    system.close()


def test_ties_by_the_order_of_the_file(made, query):
    text = "q Q0 a 1 0.5 x\nq Q0 b 2 0.5 x\n"
    assert list(made(text).search(query(key="q"), 5).documents) == ["b", "a"]
    assert list(made(text, ties="order").search(query(key="q"), 5).documents) == ["a", "b"]


def test_queries_that_are_not_there_are_counted(made, query):
    system = made()
    for key in ("q9", "q8", "q9"):
        assert list(system.search(query(key=key), 5).documents) == []
    assert any("2 queries missing in the run file, e.g. q8" in note for note in system.notes)


def test_any_format_that_can_be_loaded(made, query):
    system = made('{"q1": {"a": 1.0, "b": 2.0}}', name="one.json")
    assert list(system.search(query(key="q1"), 5).documents) == ["b", "a"]


def test_the_fingerprint_is_that_of_the_content(made):
    assert made().fingerprint == made(name="other.run").fingerprint
    assert made().fingerprint != made(ties="order").fingerprint
    assert made().fingerprint != made(RUN.replace("0.1", "0.2")).fingerprint


@pytest.mark.parametrize("path", ["gone.run", "", ".", None, 3, "a\0b"])
def test_files_that_are_not_there(tmp_path, path):
    with pytest.raises(InputError) as caught:
        run_file(path=path, home=str(tmp_path), rankings=load)
    assert caught.value.where
    assert caught.value.hint


@pytest.mark.parametrize("text", ["", "q1 a\n", "{", "q1 Q0 a 1 x x\n", RUN + "q1 Q0 b 9 0.1 x\n"])
def test_files_that_are_no_runs(made, text):
    with pytest.raises(InputError):
        made(text)


@pytest.mark.parametrize("settings", [{"ties": "expected"}, {"ties": 3}, {"format": "xml"}])
def test_settings_that_cannot_be(made, settings):
    with pytest.raises(InputError) as caught:
        made(**settings)
    assert caught.value.hint
