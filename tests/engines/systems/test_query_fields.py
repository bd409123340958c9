"""Fields of a query reach the request: as structures, as texts, by default, or not at all."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.engines.systems._request import Request
from assay.engines.systems.http import http
from assay.errors import InputError
from assay.records import Query

FIELDS = {"language": "de", "filters": {"price": {"lte": 9.5}, "tags": ["a", "b"]}, "user": 7}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def sent(variables=FIELDS, *, url="http://x/s", params=None, request=None):
    asked = Request(url=url, params=params, request=request)
    return asked.sent(Query("q1", "shoes", variables=variables), 10)


def body(request, variables=FIELDS):
    return json.loads(sent(variables, request=request).body)


def test_a_worked_example():
    request = {
        "q": "{query}",
        "filter": "{query.filters}",
        "price": "{query.filters.price.lte}",
        "first": "{query.filters.tags[0]}",
        "by": "lang:{query.language} user:{query.user}",
        "sort": "{query.sort:-relevance}",
        "boost": ["{query.boost:-[1, 2]}", "{query.deep:-false}", "{query.none:-}"],
    }
    assert body(request) == {
        "q": "shoes",
        "filter": {"price": {"lte": 9.5}, "tags": ["a", "b"]},
        "price": 9.5,
        "first": "a",
        "by": "lang:de user:7",
        "sort": "relevance",
        "boost": [[1, 2], False, ""],
    }


def test_names_with_dots_stand_in_quotes():
    request = {"a": '{query["a.b"]}', "b": '{query.["a.b"][0]}', "c": 'x {query["a.b"][1]}'}
    assert body(request, {"a.b": [1, 2]}) == {"a": [1, 2], "b": 1, "c": "x 2"}


def test_a_default_may_be_a_mapping():
    request = {"q": "{query}", "f": "{query.x:-{}}", "g": '{query.x:-{"lang": "de"}}'}
    assert body(request) == {"q": "shoes", "f": {}, "g": {"lang": "de"}}


def test_addresses_and_parameters():
    params = {
        "q": "{query}",
        "tag": "{query.filters.tags}",
        "u": "{query.user}",
        "d": "{query.x:-1}",
    }
    target = sent(url="http://x/{query.language}/s", params=params).target
    assert target == "/de/s?q=shoes&tag=a&tag=b&u=7&d=1"


@pytest.mark.parametrize(
    ("parts", "fact"),
    [
        ({"request": {"q": "{query} {query.missing}"}}, 'no field "missing"'),
        ({"request": {"q": "{query}", "f": "{query.filters.colour}"}}, 'no field "filters.colour"'),
        ({"request": {"q": "{query} {query.filters}"}}, "a mapping"),
        ({"request": {"q": "{query} {query.filters.tags}"}}, "a list"),
        ({"request": {"q": "{query} {query.nothing}"}}, "null"),
        ({"params": {"q": "{query}", "f": "{query.filters}"}}, "parameter f"),
        ({"url": "http://x/{query.up}/{query}"}, '".."'),
        ({"request": {"q": "{query}", "f": "{query.odd}"}}, "JSON"),
    ],
)
def test_what_fails_only_this_query(parts, fact):
    variables = {**FIELDS, "up": "..", "nothing": None, "odd": float("nan")}
    with pytest.raises(InputError) as refused:
        sent(variables, **parts)
    assert fact in refused.value.problem
    assert refused.value.hint


@pytest.mark.parametrize(
    ("parts", "fact"),
    [
        ({"request": {"q": "{query}", "l": "{language}"}}, "{query.language}"),
        ({"params": {"q": "{query}", "l": "lang:{language}"}}, "{query.language}"),
        ({"url": "http://x/{index}/_search?q={query}"}, "{query.index}"),
        ({"url": "http://{query.host}/{query}"}, "server"),
        ({"request": {"q": "{query.a[*]}"}}, "field"),
        ({"request": {"q": "{query.[0]}"}}, "field"),
        ({"request": {"q": "{query.a..b}"}}, "path"),
        ({"request": {"q": "{query}", "f": {"{query.field}": 1}}}, "in a key"),
        ({"params": {"q": "{query}", "{id}": 1}}, "in a key"),
        ({"request": {"q": "{query}", "f": "{query.a:-{b: {c: 1}}}"}}, "invalid place {query.a:-"),
        ({"request": {"q": "{query}", "f": "{query:-x}"}}, "invalid place {query:-x}"),
    ],
)
def test_what_is_refused_before_the_first_query(parts, fact):
    with pytest.raises(InputError) as refused:
        Request(**{"url": "http://x/s", **parts})
    assert fact in str(refused.value)


def test_a_field_is_no_place_of_a_header():
    with pytest.raises(InputError, match="only allowed in request"):
        Request(url="http://x/{query}", headers={"Accept-Language": "{query.language}"})


@settings(deadline=None)
@given(JSON, st.text())
def test_no_value_changes_what_stands_around_it(value, text):
    """Whatever a field holds, the rest of the request is as it would be without it."""
    variables = {"value": value, "text": text}
    request = {"q": "{query}", "v": "{query.value}", "t": "a {query.text} b", "end": 1}
    told = body(request, variables)
    kept = text.encode("utf-8", "replace").decode()
    assert told == {"q": "shoes", "v": value, "t": f"a {text} b", "end": 1}
    if text not in (".", ".."):
        target = sent(variables, url="http://x/a/{query.text}/b?q={query}&t={query.text}").target
        path, _, behind = target.partition("?")
        assert path.count("/") == 3
        assert behind.count("&") == 1
        assert target.isascii()
        assert kept.isprintable() or "\n" not in target


def test_a_query_without_the_field_fails_alone(serve):
    url, asked = serve(lambda _: {"hits": [{"id": "a"}]})
    request = {"q": "{query}", "language": "{query.language}"}
    system = http(url=url, request=request)
    try:
        system.trial()  # only connected: "test" has no language
        assert asked == []
        assert system.search(Query("q1", "a", variables={"language": "de"}), 3).documents == ["a"]
        with pytest.raises(InputError, match="language"):
            system.search(Query("q2", "a"), 3)
        assert [one.body for one in asked] == [{"q": "a", "language": "de"}]
    finally:
        system.close()


def test_a_secret_in_a_default_is_refused():
    with pytest.raises(InputError, match="secret in plain text"):
        Request(url="http://x/{query}", params={"api_key": "{query.key:-abcdef}"})
    Request(url="http://x/{query}", params={"api_key": "{query.key}"})
