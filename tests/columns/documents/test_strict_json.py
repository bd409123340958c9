"""JSON is read as JSON: what Python would let pass is refused, all of it at once, with lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.columns.documents.strict_json import strict_json
from assay.errors import InputError, ProblemsError

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    # surrogates are no characters
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab"), inner, max_size=4),
    max_leaves=20,
)


def refused(text, *, where="f.json"):
    with pytest.raises(InputError) as caught:
        strict_json(text if isinstance(text, bytes) else text.encode(), where=where)
    return caught.value


def test_a_value():
    assert strict_json(b'{"a": [1, 2.5, "\xc3\xa9", null]}', where="f") == {
        "a": [1, 2.5, "é", None]
    }


def test_a_byte_order_mark_is_no_part_of_it():
    assert strict_json(b"\xef\xbb\xbf[1]", where="f") == [1]


@given(VALUES)
def test_every_value_reads_back(value):
    assert strict_json(json.dumps(value).encode(), where="f") == value
    assert strict_json(json.dumps(value, ensure_ascii=False).encode(), where="f") == value


def test_all_that_is_forbidden_is_named_with_its_line(snapshot):
    text = '{"a": 1,\n"b": {"c": NaN, "c": 2},\n"a": [Infinity, -Infinity]}'
    with pytest.raises(ProblemsError) as caught:
        strict_json(text.encode(), where="f.json")
    facts = [(2, "NaN"), (2, '"c"'), (3, '"a"'), (3, "Infinity"), (3, "-Infinity")]
    for problem, (line, fact) in zip(caught.value.problems, facts, strict=True):
        assert problem.where == f"f.json, line {line}"
        assert fact in problem.problem
    snapshot(caught.value)


def test_keys_of_different_objects_may_be_equal():
    assert strict_json(b'[{"a": 1}, {"a": {"a": 2}}]', where="f") == [{"a": 1}, {"a": {"a": 2}}]


def test_texts_that_look_forbidden_are_not():
    value = {"NaN": 'a "quoted" NaN, {"x": 1, "x": 2}', "b\\": "Infinity\n"}
    assert strict_json(json.dumps(value).encode(), where="f") == value


def test_a_duplicate_beside_such_texts_is_still_found_on_its_line():
    text = '{"a": "NaN {\\"q\\":1}",\n"b": "x\\\\",\n"b": 1}'
    error = refused(text)
    assert error.where == "f.json, line 3"
    assert '"b"' in error.problem


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        pytest.param("", "JSON", id="empty"),
        pytest.param("{", "line 1, column 2: ", id="open"),
        pytest.param("[1,\n2,,]", "line 2, column 3: ", id="commas"),
        pytest.param("[" * 100_000, " 100 ", id="open lists"),
        pytest.param("[" * 101 + "]" * 101, " 100 ", id="lists"),
        pytest.param('{"a":' * 500 + "1" + "}" * 500, " 100 ", id="objects"),
        pytest.param("9" * 5000, "4,300", id="digits"),
        pytest.param('["\\ud800"]', "surrogate", id="surrogate"),
        pytest.param(b'["\xff"]', "UTF-8 (byte 2)", id="bytes"),
        pytest.param("[" + "[]," * 2_000_001 + "[]]", "2,000,000", id="many"),
    ],
)
def test_refused(text, fact, snapshot):
    error = refused(text)
    assert fact in str(error)
    snapshot(error)


def test_a_hundred_levels_are_fine():
    value = strict_json(b"[" * 100 + b"]" * 100, where="f")
    assert json.dumps(value) == "[" * 100 + "]" * 100


def test_a_pair_of_surrogates_is_a_character():
    assert strict_json(b'["\\ud83d\\ude00"]', where="f") == ["😀"]


def test_the_first_line_can_be_another():
    with pytest.raises(InputError, match="line 7, column 1"):
        strict_json(b"x", where="f", first_line=7)
