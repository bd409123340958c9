import inspect
import pickle

import pytest

from assay import errors
from assay.errors import AssayError, InputError, ProblemsError, UnknownNameError, UsageError


def test_what_where_and_what_next():
    error = InputError("is empty", where="a.run, line 3", hint="write it again")
    assert str(error) == "a.run, line 3: is empty\n  hint: write it again"
    assert (error.problem, error.where, error.hint) == (
        "is empty",
        "a.run, line 3",
        "write it again",
    )
    assert str(AssayError("is empty")) == "is empty"
    assert str(AssayError("is empty", where="a.run")) == "a.run: is empty"
    assert str(AssayError("is empty", hint="look")) == "is empty\n  hint: look"


def test_the_tree():
    assert issubclass(UnknownNameError, InputError)
    for kind in (InputError, UsageError):
        assert issubclass(kind, AssayError)
    assert not issubclass(UsageError, InputError)


def test_every_kind_is_public_and_drawn():
    here = vars(errors).items()
    kinds = {name for name, kind in here if inspect.isclass(kind) and issubclass(kind, Exception)}
    assert kinds == set(errors.__all__)
    assert all(name in errors.__doc__ for name in kinds)


@pytest.mark.parametrize(
    "kind", [getattr(errors, name) for name in errors.__all__ if name != "ProblemsError"]
)
def test_errors_cross_process_borders(kind):
    error = pickle.loads(pickle.dumps(kind("what", where="there", hint="next")))
    assert type(error) is kind
    assert str(error) == "there: what\n  hint: next"
    assert (error.problem, error.where, error.hint) == ("what", "there", "next")


def problem(number, hint=""):
    return InputError(f"grade {number} is wrong", where=f"f.json, line {number}", hint=hint)


def test_one_problem_reads_like_any_error():
    assert str(ProblemsError([problem(3, "fix it")], where="f.json")) == str(problem(3, "fix it"))


def test_several_are_listed_with_their_places_and_their_own_hints():
    error = ProblemsError([problem(3, "fix it"), problem(4)], where="f.json")
    assert str(error).splitlines() == [
        "f.json: 2 problems",
        "  line 3: grade 3 is wrong (fix it)",
        "  line 4: grade 4 is wrong",
    ]


def test_a_problem_elsewhere_keeps_its_whole_place():
    other = InputError("is empty", where="f.json2, line 1")
    assert str(ProblemsError([other, problem(1)], where="f.json")).splitlines()[1:] == [
        "  f.json2, line 1: is empty",
        "  line 1: grade 1 is wrong",
    ]


def test_a_shared_hint_stands_once_at_the_end():
    error = ProblemsError([problem(1, "fix it"), problem(2, "fix it")], where="f.json")
    assert str(error).splitlines()[1:] == [
        "  line 1: grade 1 is wrong",
        "  line 2: grade 2 is wrong",
        "  hint: fix it",
    ]


def test_no_more_than_twenty_are_spelled_out_but_all_are_kept():
    error = ProblemsError([problem(number) for number in range(1, 31)], where="f.json")
    assert str(error).splitlines()[0] == "f.json: 30 problems"
    assert str(error).splitlines()[-1] == "  ... and 10 more"
    assert len(error.problems) == 30


def test_the_first_is_what_a_program_sees():
    error = ProblemsError([problem(3, "fix it"), problem(4)], where="f.json")
    assert (error.problem, error.where, error.hint) == (
        "grade 3 is wrong",
        "f.json, line 3",
        "fix it",
    )


def test_several_problems_cross_process_borders_too():
    error = ProblemsError([problem(3, "fix it"), problem(4)], where="f.json")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert [each.where for each in again.problems] == ["f.json, line 3", "f.json, line 4"]
