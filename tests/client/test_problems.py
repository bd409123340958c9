"""Errors of the service become the same errors in the client."""

import pytest

from assay import errors
from assay.client.problems import error_of
from assay.errors import AssayError, InputError, ProblemsError, UnknownNameError, UsageError
from assay.server.problem import describe_problem, problem_response

NARROWED = {  # one kind in an answer: what the sender can do about them is the same
    UnknownNameError: InputError,
    UsageError: InputError,
    AssayError: InputError,
}
KINDS = [getattr(errors, name) for name in errors.__all__]


def made(kind):
    """Make an error of a class, with all that it can say."""
    if kind is ProblemsError:
        some = [InputError(f"problem {at}", where=f"place {at}", hint=f"do {at}") for at in (1, 2)]
        return ProblemsError(some, where="data.json", then="try again", count=7)
    return kind("the problem", where="the place", hint="what to do")


def through(error, *, known=False):
    """Answer with an error, and read the answer as the client does."""
    answer = problem_response(describe_problem(error, known=known))
    return error_of(answer.status_code, answer.body, where="http://127.0.0.1:1")


@pytest.mark.parametrize("known", [False, True], ids=["anonymous", "with token"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_error_arrives_as_the_same_class(kind, known):
    sent = made(kind)
    found = through(sent, known=known)
    assert type(found) is NARROWED.get(kind, kind)
    assert str(found) == str(sent)
    assert (found.problem, found.where, found.hint) == (sent.problem, sent.where, sent.hint)


def test_all_problems_arrive_with_their_number():
    found = through(made(ProblemsError))
    assert (found.count, len(found.problems)) == (7, 2)
    assert (found.about, found.then) == ("data.json", "try again")
    assert [one.hint for one in found.problems] == ["do 1", "do 2"]


def test_an_error_of_a_class_that_is_not_listed_keeps_its_meaning():
    """A class below a listed one is answered as that one."""

    class Special(errors.ConflictError):
        pass

    assert type(through(Special("taken"))) is errors.ConflictError
