"""What is said of the fields of requests: plain words, one problem for each field."""

import pytest
from tests.server.routes.stored import FRUIT, file_of, problem_of

from assay.server.field_problems import field_problems

BENCHMARKS, DATASETS, CORPORA = "/api/v1/benchmarks", "/api/v1/datasets", "/api/v1/corpora"
CHOICE = "/api/v1/mappings/0/choices"
RUN = {"mappings": ["m"], "configurations": [{"name": "a"}]}


def told(answer):
    found = problem_of(answer, 422)["problems"]
    return [tuple(one[name] for name in ("where", "problem", "hint")) for one in found]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"metrics": 5}, ("metrics", "expected a list or text", "got 5")),
        ({"metrics": [5]}, ("metrics[0]", "expected text", "got 5")),
        ({"metrics": {"a": 1}}, ("metrics", "expected a list or text", "got an object")),
        ({"race": "yes"}, ("race", "expected true or false or an object", 'got "yes"')),
        ({"mappings": []}, ("mappings", "the list is empty", "expected at least 1 item")),
        ({"mappings": [""]}, ("mappings[0]", "the text is empty", "expected at least 1 character")),
        ({"top_k": "ten"}, ("top_k", "expected a whole number", 'got "ten"')),
        ({"top_k": 0}, ("top_k", "expected at least 1", "got 0")),
        ({"match_weights": "no"}, ("match_weights", "expected true or false", 'got "no"')),
        ({"margin": "wide"}, ("margin", "expected a number", 'got "wide"')),
        ({"configurations": {}}, ("configurations", "expected a list", "got an object")),
        ({"budgets": {"a": "b"}}, ("budgets.a", "expected a number", 'got "b"')),
        ({"configurations": ["a"]}, ("configurations[0]", "expected an object", 'got "a"')),
        ({"metrcs": ["mrr"]}, ("metrcs", 'unknown field "metrcs"', 'did you mean "metrics"?')),
        (
            {"settings": {"repeat": 1}},
            ("settings.repeat", 'unknown field "repeat"', 'did you mean "repeats"?'),
        ),
    ],
)
def test_each_field_has_one_problem_in_plain_words(client, change, expected):
    assert told(client.post(BENCHMARKS, json={**RUN, **change})) == [expected]


@pytest.mark.parametrize("key", ["dataset", "corpus"])
def test_what_a_benchmark_file_has_instead_leads_to_mappings(client, key):
    ((where, problem, hint),) = told(client.post(BENCHMARKS, json={**RUN, key: "d"}))
    assert (where, problem) == (key, f'unknown field "{key}"')
    assert "mappings" in hint


def test_several_fields_have_a_problem_each(client):
    found = told(client.post(CORPORA, json={"nmae": "x", "where": []}))
    assert [one[0] for one in found] == ["name", "where", "nmae"]
    assert found[0][1:] == ("the field is missing", "")


def test_a_file_is_never_shown_as_an_object_of_python(client):
    form = {"name": ("wiki.csv", b"a,b"), **file_of(FRUIT)}
    assert told(client.post(DATASETS, files=form)) == [
        ("name", "expected text", 'got a file, "wiki.csv"')
    ]
    assert told(client.post(DATASETS, files={"file": (None, "x")})) == [
        ("file", "expected a file", 'got "x"')
    ]


def test_parameters_are_named_as_such(client):
    assert told(client.get(f"{DATASETS}?limit=x")) == [
        ("query parameter limit", "expected a whole number", 'got "x"')
    ]
    assert told(client.get(f"{DATASETS}?limit=201")) == [
        ("query parameter limit", "expected at most 200", 'got "201"')
    ]


def test_a_body_that_is_missing_or_no_object_is_refused(client):
    assert told(client.post(BENCHMARKS)) == [("body", "the body is missing", "")]
    assert told(client.post(BENCHMARKS, json=[1])) == [("body", "expected an object", "got a list")]


def test_a_field_may_be_called_as_a_type_is():
    error = {"type": "int_type", "loc": ("body", "str", "int"), "input": "x"}
    assert field_problems([error], {"str": {"int": "x"}})[0][0] == "str.int"
    assert field_problems([error], {"str": "x"})[0][0] == "str"
