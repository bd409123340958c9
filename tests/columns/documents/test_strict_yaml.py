import contextlib
import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.datasets.strategies import TEXTS, VALUES

from assay.columns.documents.strict_yaml import strict_yaml
from assay.datasets.formats._yaml import block
from assay.errors import InputError, ProblemsError


def read(text):
    return strict_yaml(text if isinstance(text, bytes) else text.encode(), where="f.yaml").value


def problems(text):
    with pytest.raises(ProblemsError) as caught:
        read(text)
    return [(error.where, error.problem) for error in caught.value.problems]


def test_a_text_of_very_many_values_is_refused(monkeypatch):
    monkeypatch.setattr("assay.columns.documents.strict_yaml.MOST", 100)
    assert len(read("- a\n" * 99)) == 99
    with pytest.raises(InputError, match="more than 100 keys and values"):
        read("- a\n" * 101)


def test_by_hand():
    text = "a: [1, -2.5, 'x', \"y\\n\", ~, true, {b: null}]\nc: |\n  two\n  lines\n"
    assert read(text) == {
        "a": [1, -2.5, "x", "y\n", None, True, {"b": None}],
        "c": "two\nlines\n",
    }
    assert read("") is None
    assert read("- a\n- b\n") == ["a", "b"]
    assert read(b"\xef\xbb\xbfa: b\r\nc: d\r\n") == {"a": "b", "c": "d"}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("2024-01-01", "2024-01-01"),
        ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"),
        ("007", "007"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("1.2.3", "1.2.3"),
        ("yes", True),
        ("Off", False),
        ("1e5", 1e5),
        (".5", 0.5),
        ("-0", 0),
        ("NULL", None),
        ("'yes'", "yes"),
        ('"1"', "1"),
        ("9" * 2000, "9" * 2000),
    ],
)
def test_words_without_quotes(word, value):
    found = read(f"a: {word}")["a"]
    assert found == value
    assert type(found) is type(value)


def test_all_that_is_forbidden_is_told_at_once_with_lines(snapshot):
    text = "a: &x 1\nb: *x\nc: !!str 2\nd: .nan\ne: -.inf\nf: 1\nf: 2\n<<: {g: 1}\n? [h]\n: 1\n"
    text += "i: 1e999\n"
    found = problems(text)
    facts = ["&x", "*x", "tag:yaml.org,2002:str", ".nan", "-.inf", '"f"', "<<", "key", "1e999"]
    for (where, problem), line, fact in zip(
        found, (1, 2, 3, 4, 5, 7, 8, 9, 11), facts, strict=True
    ):
        assert where == f"f.yaml, line {line}"
        assert fact in problem
    snapshot(": ".join(one) for one in found)


@pytest.mark.parametrize(
    ("text", "line", "fact"),
    [
        ("a: 1\n---\nb: 2\n", 2, "second YAML document"),
        ("a: !!python/object/apply:os.system [x]", 1, "tag:yaml.org,2002:python/object"),
        ("1: a\n'1': b\n", 2, '"1"'),
    ],
)
def test_one_thing_that_is_forbidden(text, line, fact):
    ((where, problem),) = problems(text)
    assert where == f"f.yaml, line {line}"
    assert fact in problem


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: [1\nb: 2\n", "f.yaml, line 2"),
        ("a: 'b\n", "f.yaml, line "),
        ("a: b: c\n", "f.yaml, line 1"),
        ("a: \x01\n", "f.yaml"),
        ('a: "\\ud800"\n', "f.yaml, line 1"),
        ("@a\n", "f.yaml, line 1"),
    ],
)
def test_broken_text_is_an_error_with_its_place(text, place):
    (where, problem), *_ = problems(text)
    assert where.startswith(place)
    assert "YAML" in problem


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a:\n\t- b\n", 2),
        ("a:\n\tb: 1\n", 2),
        ("\ta: 1\n", 1),
        ("a:\n  b: 1\n  \tc: 2\n", 3),
        ("é: 1\nqueries:\n  - id: q1\n\tquery: x\n", 4),
        ("-\ta: 1\n", 1),
        ("a: |\n\tx\n", 2),
    ],
)
def test_a_tab_for_indentation_is_named(text, line):
    with pytest.raises(InputError) as caught:
        read(text.encode())
    assert caught.value.where == f"f.yaml, line {line}"
    assert "tab for indentation" in caught.value.problem
    assert "spaces" in caught.value.hint


def test_other_encodings_are_named():
    with pytest.raises(InputError, match=r"UTF-8 \(byte 3\)") as caught:
        read(b"a:\n\xff")
    assert caught.value.where == "f.yaml, line 2"
    assert caught.value.hint


def test_lines_and_words_of_parts():
    found = strict_yaml(b"a:\n  - b: no\n    c: x\n  - 'no'\n", where="f")
    assert found.line(()) == 1
    assert found.line(("a", 0)) == 2
    assert found.line(("a", 0, "c")) == 3
    assert found.line(("a", 1)) == 4
    assert found.line(("a", 1, "beyond")) == 4
    assert found.line(("a", 0, "missing")) == 2
    assert found.written(("a", 0, "b")) == "no"
    assert found.written(("a", 1)) == found.written(("a", 0, "c")) == found.written(("a",)) == ""


def test_depth():
    assert read("[" * 100 + "]" * 100)
    for deep in ("[" * 101 + "]" * 101, "{a: " * 101 + "}" * 101, "- " * 101 + "x"):
        assert " 100 " in problems(deep)[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 500_000,
        "{a: " * 200_000,
        "- " * 200_000,
        "? " * 200_000,
        "&a " * 100_000,
        "- *a\n" * 100_000,
        "a: &a [x]\n" + "".join(f"k{n}: [*a, *a]\n" for n in range(20_000)),
        "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 40)),
        "a: '" + "x\n" * 200_000,
        "a: " + "x " * 200_000,
        "!" * 200_000,
        "#" * 200_000,
        "%TAG ! x\n" * 20_000,
        "a:" * 100_000,
    ],
    ids=range(14),
)
def test_hostile_text_takes_no_time(text):
    start = time.process_time()
    with contextlib.suppress(InputError):  # a long comment is no mistake
        read(text)
    assert time.process_time() - start < 10


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_what_is_written_is_read_here_and_elsewhere(value):
    text = block(value)
    assert read(text) == (value or None)
    assert yaml.safe_load(text) == (value or None)  # PyYAML's own reader, as the oracle


@given(
    st.binary(max_size=60) | st.text("ab:-[]{},&*!#|>'\"%@`? \n\t~<.1", max_size=60).map(str.encode)
)
def test_any_bytes_are_read_or_refused(content):
    try:
        found = read(content)
    except InputError as error:
        assert error.hint  # noqa: PT017
        return
    plain = yaml.load(content.decode("utf-8-sig"), Loader=yaml.CBaseLoader)
    assert shape(found) == shape(plain)


def shape(value):
    """Return the structure without the scalars, which are resolved by other rules."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    return [shape(part) for part in value] if isinstance(value, list) else None
