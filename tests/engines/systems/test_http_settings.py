"""Settings of a service that cannot be: each is told in words, before anything is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.engines.systems._path import NOTHING, Path
from assay.engines.systems._template import Places, fill, named, shown
from assay.engines.systems.http import http
from assay.errors import InputError

GOOD = {"url": "http://localhost:9200/x", "request": {"q": "{query}", "n": "{top}"}}


def refused(**settings):
    with pytest.raises(InputError) as caught:
        http(**{**GOOD, **settings})
    assert caught.value.hint
    assert caught.value.where
    return caught.value


@pytest.mark.parametrize(
    "url",
    [
        "",
        None,
        5,
        "localhost:9200",
        "ftp://localhost/x",
        "http://",
        "http:///x",
        "http://h:0/",
        "http://h:99999/",
        "http://h:x/",
        "http://[::1/",
        "http://a b/",
        "http://h/\r\nX: y",
        "http://user:word@h/",
        "http://user@h/",
        "http://{query}/x",
        "http://h{id}:80/x",
        "{query}",
        "file:///etc/passwd",
    ],
)
def test_addresses_that_are_none(url):
    assert refused(url=url).where == "url"


@pytest.mark.parametrize(
    ("settings", "where"),
    [
        ({"method": "DELETE"}, "method"),
        ({"method": 3}, "method"),
        ({"headers": "x"}, "headers"),
        ({"headers": {1: "x"}}, "headers"),
        ({"headers": {"X": {"y": 1}}}, "headers.X"),
        ({"headers": {"X Y": "z"}}, "headers.X Y"),
        ({"headers": {"X": "a\r\nY: b"}}, "headers.X"),
        ({"headers": {"X": "ü"}}, "headers.X"),
        ({"headers": {"X": True}}, "headers.X"),
        ({"headers": {"Content-Length": "3"}}, "headers.Content-Length"),
        ({"headers": {"transfer-encoding": "chunked"}}, "headers.transfer-encoding"),
        ({"headers": {"Authorization": "ApiKey 12345"}}, "headers.Authorization"),
        ({"headers": {"X-Api-Key": "12345"}}, "headers.X-Api-Key"),
        ({"params": {"access_token": "12345"}}, "params.access_token"),
        ({"headers": {"X-Query": "{query}"}}, "headers.X-Query"),
        ({"headers": {"X-Top": "n={top}"}}, "headers.X-Top"),
        ({"params": ["q"]}, "params"),
        ({"params": {"q": "{query}", "x": {1}}}, "params.x"),
        ({"params": {"q": "{query}", "x": [["y"]]}}, "params.x"),
        ({"request": {"q": "{query}", 1: 2}}, "request"),
        ({"response": {"incomplete": [3]}}, "response.incomplete"),
        ({"response": {"document": None}}, "response.document"),
        ({"request": "{query}"}, "request"),
        ({"request": {"q": "query"}}, "request"),
        ({"request": {"q": "{query}", "x": float("nan")}}, "request"),
        ({"request": {"q": "{query}", "x": {1, 2}}}, "request"),
        ({"request": None}, "request"),
        ({"response": "hits"}, "response"),
        ({"response": {"hit": "x"}}, "response"),
        ({"response": {"hits": 3}}, "response.hits"),
        ({"response": {"hits": "a..b"}}, "response.hits"),
        ({"response": {"hits": "a[x]"}}, "response.hits"),
        ({"response": {"document": "a[*]"}}, "response.document"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"timeout_s": float("nan")}, "timeout_s"),
        ({"timeout_s": float("inf")}, "timeout_s"),
        ({"timeout_s": "10"}, "timeout_s"),
        ({"timeout_s": True}, "timeout_s"),
        ({"retries": -1}, "retries"),
        ({"retries": 1.5}, "retries"),
        ({"retries": 10_000}, "retries"),
        ({"concurrency": 0}, "concurrency"),
        ({"concurrency": True}, "concurrency"),
        ({"model": "static"}, "model"),
        ({"request": {"v": "{vector}"}}, "model"),
        ({"params": {"v": "{vector}"}, "model": "static"}, "url"),
        ({"headers": {"X": "${NOT_SET_AT_ALL}"}}, "headers"),
        ({"url": "${NOT_SET_AT_ALL}/x"}, "url"),
        ({"request": {"a": [{"b": "{query} ${NOT_SET_AT_ALL}"}]}}, "request"),
    ],
)
def test_settings_that_cannot_be(settings, where):
    error = refused(**settings)
    assert error.where == where
    if "NOT_SET_AT_ALL" in str(settings):
        assert "NOT_SET_AT_ALL" in error.problem
        assert "export NOT_SET_AT_ALL=" in error.hint


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("http://[::1]/x", "::1", 80),
        ("https://[::1]/x", "::1", 443),
        ("http://[::1]:9200/x", "::1", 9200),
        ("https://host", "host", 443),
        ("HTTP://Host:81/?a", "host", 81),
    ],
)
def test_servers_and_their_ports(url, host, port):
    system = http(**GOOD | {"url": url})
    connection = system._attempts.connections._new()
    assert (connection.host, connection.port) == (host, port)


def test_a_near_miss_is_named():
    assert "hits" in refused(response={"hitz": "x"}).hint


def test_a_key_with_a_line_break_is_refused_without_being_shown(monkeypatch):
    monkeypatch.setenv("SEARCH_KEY", "first line\nsecond line")
    error = refused(headers={"Authorization": "Bearer ${SEARCH_KEY}"})
    assert "first line" not in str(error)


def test_a_password_in_the_environment_is_not_shown(monkeypatch):
    monkeypatch.setenv("WHERE", "http://user:hunter2@localhost")
    error = refused(url="${WHERE}/x")
    assert "hunter2" not in str(error)
    monkeypatch.setenv("WHERE", "hunter2 is no address")
    assert "hunter2" not in str(refused(url="${WHERE}/x"))


def test_a_service_that_is_not_told_how_many_says_so():
    told = http(url="http://localhost/", request={"q": "{query}"}).notes
    assert any("{top}" in note for note in told)
    assert not http(**GOOD).notes


# --- templates and paths

TEXTS = st.text(max_size=20) | st.sampled_from(
    ["{query}", "{top}", "${A}", "${A:-b}", "{id} {top}"]
)
TREES = st.recursive(
    TEXTS | st.integers() | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(query=TEXTS, top=st.integers(1, 1000))
def test_what_is_put_in_is_never_read_again(query, top):
    places = Places({"A": "{query}"}, query=query, top=top, id="{query}")
    assert fill("{query}", places) == query
    assert fill("<{query}|{id}|${A}>", places) == f"<{query}|{{query}}|{{query}}>"
    assert fill("{top}", places) == top


@given(TREES)
def test_only_texts_with_places_change(tree):
    filled = fill(tree, Places({"A": "a"}, query="q", top=5, id="i"))
    pairs = [(tree, filled)]
    while pairs:
        was, now = pairs.pop()
        if isinstance(was, dict):
            assert list(was) == list(now)
            pairs += zip(was.values(), now.values(), strict=True)
        elif isinstance(was, list):
            pairs += zip(was, now, strict=True)
        elif was == "{top}":
            assert now == 5
        elif not isinstance(was, str) or not (named(was) or "${A" in was):
            assert now == was


def test_what_a_message_shows_of_a_text():
    text = "${A}/${B:-b}/{query}/${C:-c}"
    assert shown(text, {"A": "secret", "C": "secret"}) == "${A}/b/{query}/${C}"


@given(st.lists(st.text("abc _-", min_size=1, max_size=4), min_size=1, max_size=5), st.integers())
def test_a_path_of_keys_leads_through_mappings(keys, value):
    answer = value
    for key in reversed(keys):
        answer = {key: answer}
    path = Path.of(".".join(keys), where="")
    assert path.value(answer) == value
    assert path.value({"other": answer}) is NOTHING or keys[0] == "other"
    assert Path.of("".join(f'["{key}"]' for key in keys), where="").value(answer) == value


@given(
    st.recursive(
        st.none() | st.text("ab"),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_no_answer_makes_a_path_fail(answer):
    for written in ("a.b[0]", "[*].a", "[0][1]", "", '["x"]'):
        found = Path.of(written, where="").values(answer)
        assert isinstance(found, list)
