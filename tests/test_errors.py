import inspect
import pickle

import pytest

from assay import errors
from assay.errors import AssayError, InputError, UnknownNameError, UsageError


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
    kinds = {name for name, kind in vars(errors).items() if inspect.isclass(kind)}
    assert kinds == set(errors.__all__)
    assert all(name in errors.__doc__ for name in kinds)


@pytest.mark.parametrize("kind", [getattr(errors, name) for name in errors.__all__])
def test_errors_cross_process_borders(kind):
    error = pickle.loads(pickle.dumps(kind("what", where="there", hint="next")))
    assert type(error) is kind
    assert str(error) == "there: what\n  hint: next"
    assert (error.problem, error.where, error.hint) == ("what", "there", "next")
