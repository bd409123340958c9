"""A second judge is told what to do with what came of it."""

from assay.records import Agreement
from assay.records.judging import JudgingResult
from assay.reports.judging.after_second import after_second


def agreement(pairs, equal):
    return Agreement(("ann", "bob"), pairs, equal, 0, 0, (), (), {}, ())


def told(first="judged.json", **options):
    judged = JudgingResult("judged-second.json", 3, **options)
    return after_second(judged, benchmark="my bench.yaml", first=first)


COMMAND = "`assay run 'my bench.yaml' --dataset judged.json`"


def test_what_is_graded_apart_is_settled_first(snapshot):
    said = told(agreement=agreement(5, 3))
    snapshot(said)
    assert "2 documents" in said
    assert COMMAND in said
    assert "1 document " in told(agreement=agreement(5, 4))


def test_of_several_datasets_all_count():
    both = {"a": agreement(5, 3), "b": agreement(4, 3)}
    assert "3 documents" in told("judged", agreements=both)
    assert "--dataset judged`" in told("judged", agreements=both)


def test_what_is_alike_is_counted(snapshot):
    said = told(agreement=agreement(5, 5))
    snapshot(said)
    assert COMMAND in said


def test_what_is_left_comes_first(snapshot):
    said = [told(agreement=agreement(5, 3), left=2), told(agreement=agreement(0, 0), left=1)]
    snapshot(said)
    assert "2 remaining documents" in said[0]
    assert "1 remaining document." in said[1]
    assert COMMAND not in said[0]


def test_a_name_commands_no_terminal():
    assert "\x1b" not in told("\x1b[2J.json", agreement=agreement(2, 1))
