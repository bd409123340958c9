import pytest

from assay.engines.lexical._fields import CODE_WEIGHTS, WEIGHTS, check_weights, written
from assay.engines.words.tokens import Tokens
from assay.errors import InputError
from assay.records import Chunk
from assay.text.quote import quote_value

CHUNK = Chunk(
    document="d",
    start=0,
    end=9,
    lines=(1, 1),
    text="return retries",
    path="src/net/retryPolicy.py",
    title="Retry Policies",
    symbols=("RetryPolicy", "RetryPolicy.next_delay", "Other::next_delay", "main"),
)


def test_by_hand():
    assert written(CHUNK, Tokens()) == {
        "body": "retri polici return retri",
        "names": (
            "retrypolicy.next_delay other.next_delay "
            "retrypolici retri polici next_delay next delay main"
        ),
        "path": "retrypolicy.py src net retrypolici retri polici",
        "title": "retri polici",
    }


def test_empty_fields_are_left_out():
    assert written(Chunk("d", 0, 0, (1, 1), ""), Tokens()) == {}


def test_a_weight_that_is_not_named_keeps_its_default():
    assert check_weights(None, WEIGHTS) == check_weights({"body": 1}, WEIGHTS) == WEIGHTS
    assert check_weights({"names": 0}, CODE_WEIGHTS) == CODE_WEIGHTS | {"names": 0.0}


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "2", True, None])
def test_a_weight_is_a_number_from_0(weight):
    with pytest.raises(InputError, match=f"{quote_value(weight)} for field body"):
        check_weights({"body": weight}, WEIGHTS)


def test_an_unknown_field_is_named():
    with pytest.raises(InputError, match='"bodies"') as caught:
        check_weights({"bodies": 1}, WEIGHTS)
    assert ", ".join(WEIGHTS) in caught.value.hint
