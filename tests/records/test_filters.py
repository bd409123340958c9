import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.records import Query
from assay.records.filters import Filters

GERMAN = {"language": "de", "year": 2021, "tags": ["a", "b"], "draft": False, "date": "2024-05-31"}


@pytest.mark.parametrize(
    ("given", "matches"),
    [
        ({}, True),
        ({"language": "de"}, True),
        ({"language": "en"}, False),
        ({"language": ["en", "de"]}, True),
        ({"language": "DE"}, False),
        ({"year": 2021}, True),
        ({"year": "2021"}, True),
        ({"year": 2021.0}, True),
        ({"year": {">=": 2020, "<": 2022}}, True),
        ({"year": {">=": 2020, "<": 2021}}, False),
        ({"year": {"!=": 2021}}, False),
        ({"year": {">": "abc"}}, False),
        ({"tags": "a"}, True),
        ({"tags": ["x", "b"]}, True),
        ({"tags": {"!=": "a"}}, False),
        ({"tags": {"!=": "x"}}, True),
        ({"draft": False}, True),
        ({"draft": "false"}, True),
        ({"draft": "False"}, True),
        ({"draft": {"!=": "TRUE"}}, True),
        ({"draft": 0}, False),
        (["year==2021", "draft = FALSE"], True),
        ({"date": {">=": "2024-05-01"}}, True),
        ({"date": {"<": "2024-05-01"}}, False),
        ({"date": {">=": 2024}}, True),
        (["date>=2025"], False),
        (["date>2023", "date<2025"], True),
        ({"author": "Ada"}, False),
        ({"author": {"!=": "Ada"}}, True),
        ({"language": "de", "year": 1999}, False),
        ("language=de; year>=2020", True),
        (["language=de", "year>2021"], False),
        (["tags != x", " year <= 2021 "], True),
        (["date=2024-05-31"], True),
    ],
)
def test_by_hand(given, matches):
    assert Filters.of(given).match(GERMAN) is matches


@pytest.mark.parametrize(
    "given",
    ["language", "=de", "a>", "a=>3", "a=<3", "a===3",
     "year>=", ["a=b", 3], 7, {"a": {"~": 1}}, {"a": {}}, {"a": None},
     {"a": []}, {3: "x"}, {"\x1b": 1}, {"a": {"=": {"b": 1}}}],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(given):
    with pytest.raises(InputError) as caught:
        Filters.of(given)
    assert caught.value.hint


def test_conditions_are_the_same_in_any_order():
    one, two = Filters.of(["a=1", "b>2"]), Filters.of({"b": {">": "2"}, "a": "1"})

    assert (one, one.key, str(one)) == (two, two.key, "a=1, b>2")
    assert Filters.of(one) is one
    assert not Filters.of(None)
    assert not Filters.of({})


@given(st.integers(-99, 99), st.integers(-99, 99))
def test_comparisons_of_numbers_are_those_of_python(value, wanted):
    found = {
        sign: Filters.of([f"n{sign}{wanted}"]).match({"n": value})
        for sign in ("=", "!=", "<", "<=", ">", ">=")
    }

    assert found == {
        "=": value == wanted,
        "!=": value != wanted,
        "<": value < wanted,
        "<=": value <= wanted,
        ">": value > wanted,
        ">=": value >= wanted,
    }


def test_a_query_is_named_by_its_filters_only_if_it_has_some():
    plain = Query("q1", "pump")
    german = Query("q1", "pump", extra={"filters": {"language": "de"}})

    assert plain.fingerprint == "34af0c530618a3b55a1278aaba165c7e"  # as it always was
    assert Query("q1", "pump", extra={"filters": {}}).fingerprint == plain.fingerprint
    assert german.fingerprint != plain.fingerprint
    assert german.filters == Filters.of("language=de")
    with pytest.raises(InputError, match='query "q2"'):
        _ = Query("q2", "pump", extra={"filters": {"term": {"language": "de"}}}).filters
