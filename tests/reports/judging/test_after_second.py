"""A second judge is told what to do with what came of it."""

from assay.records import Agreement
from assay.records.judging import JudgingResult
from assay.reports.judging.after_second import after_second


def agreement(pairs, equal):
    return Agreement(("ann", "bob"), pairs, equal, 0, 0, (), (), {}, ())


def told(first="judged.json", **options):
    judged = JudgingResult("judged-second.json", 3, **options)
    return after_second(judged, benchmark="my bench.yaml", first=first)


def test_what_is_graded_apart_is_settled_first():
    assert told(agreement=agreement(5, 3)) == (
        "Settle together the 2 documents that you graded apart, and write the grades that you agree"
        " on into judged.json; then `assay run 'my bench.yaml' --dataset judged.json` counts them."
    )
    assert "the 1 document that" in told(agreement=agreement(5, 4))


def test_of_several_datasets_all_count():
    both = {"a": agreement(5, 3), "b": agreement(4, 3)}
    assert "the 3 documents that" in told("judged", agreements=both)
    assert "--dataset judged`" in told("judged", agreements=both)


def test_what_is_alike_is_counted():
    assert told(agreement=agreement(5, 5)) == (
        "`assay run 'my bench.yaml' --dataset judged.json` counts the grades, which both judges "
        "gave alike."
    )


def test_what_is_left_comes_first():
    said = "The same command goes on with the 2 documents that are left."
    assert told(agreement=agreement(5, 3), left=2) == said
    assert told(agreement=agreement(0, 0), left=1).endswith("the 1 document that is left.")


def test_a_name_commands_no_terminal():
    assert "\x1b" not in told("\x1b[2J.json", agreement=agreement(2, 1))
