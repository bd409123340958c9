"""A service over HTTP: what is sent, what is made of its answers, and what each failure says."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.engines.systems._answer_paths import AnswerPaths
from assay.engines.systems.http import http
from assay.errors import InputError
from assay.records import decode, encode

BODY = {"q": "{query}", "size": "{top}"}


def hits(*pairs):
    return {"hits": [{"id": one, "score": score} for one, score in pairs]}


# --- what is sent, and what comes back


def test_a_worked_example(serve, ask):
    url, asked = serve(lambda _: hits(("b", 2.5), ("a", 1)))
    replied = ask(f"{url}/books/_search")
    assert replied.documents == ["b", "a"]
    assert replied.scores.tolist() == [2.5, 1.0]
    assert (replied.waited_ms, replied.attempts) == (0.0, 1)
    (one,) = asked
    assert (one.method, one.path, one.params) == ("POST", "/books/_search", {})
    assert one.body == {"q": "a badge", "size": 10}
    assert one.headers["Content-Type"] == "application/json"


def test_without_a_request_it_gets(serve, ask):
    url, asked = serve(lambda _: hits())
    params = {"q": "{query}", "n": "{top}", "id": "{id}", "deep": True, "fq": ["a b", "{query}"]}
    replied = ask(f"{url}/s?fixed=1", text="a&b=c ü", request=None, params=params)
    assert list(replied.documents) == []
    assert asked[0].method == "GET"
    texts = {"q": ["a&b=c ü"], "n": ["10"], "id": ["q1"], "deep": ["true"], "fixed": ["1"]}
    assert asked[0].params == texts | {"fq": ["a b", "a&b=c ü"]}
    assert "Content-Type" not in asked[0].headers


def test_a_query_in_the_address_cannot_leave_its_place(serve, ask):
    url, asked = serve(lambda _: hits())
    ask(f"{url}/find/{{query}}/now", text="../x?y=1#z /\r\nHost: evil", request=None)
    assert asked[0].path == "/find/..%2Fx%3Fy%3D1%23z%20%2F%0D%0AHost%3A%20evil/now"
    assert "evil" not in asked[0].headers["Host"]


UP = ["../x", "..", "%2e%2e/x", "%252e%252e%252fx", "..\\x", "a/../../x", "..;/x", "a\\b", "./x"]


@pytest.mark.parametrize("text", UP)
def test_a_query_cannot_leave_the_folder_of_a_confined_address(text, serve, ask):
    url, asked = serve(lambda _: hits())
    for place in ("{query}", "a/{query}", "{query}/{id}"):
        with pytest.raises(InputError, match=r"another folder of the server|cannot be part"):
            ask(f"{url}/find/{place}/now", text=text, request=None, confined=True)
    assert not asked


@pytest.mark.parametrize("text", ["TCP/IP", "a.b", "...", "/etc/passwd", "50% off", "x;y", "a..b"])
def test_other_queries_are_sent_to_a_confined_address(text, serve, ask):
    url, asked = serve(lambda _: hits())
    ask(f"{url}/find/{{query}}/now?q={{query}}", text=text, request=None, confined=True)
    ask(f"{url}/find?q={{query}}", text="../x", request=None, confined=True)
    assert len(asked) == 2


def test_letters_beyond_ascii_in_the_address_are_encoded(serve, ask):
    url, asked = serve(lambda _: hits())
    ask(f"{url}/bücher/_search")
    assert asked[0].path == "/b%C3%BCcher/_search"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{top}",
        "{query}",
        "${HOME}",
        '"}, "x": {"',
        "\x00\r\n\t",
        "日本語",
        "🜁" * 999,
        "\ud800",
    ],
)
def test_any_text_is_sent_as_it_is(serve, ask, text):
    url, asked = serve(lambda _: hits())
    ask(url, text=text, request={"q": "{query}", "note": "for {query}!"})
    kept = text.replace("\ud800", "?")
    assert asked[0].body == {"q": kept, "note": f"for {kept}!"}


def test_only_our_own_places_are_filled(serve, ask):
    url, asked = serve(lambda _: hits())
    request = {
        "{other}": "{query}",
        "a": ["{top}", "n={top}", "is {other}", "{{top}}", "{}"],
        "b": None,
    }
    ask(url, text="x", request=request)
    assert asked[0].body == {
        "{other}": "x",
        "a": [10, "n=10", "is {other}", "{10}", "{}"],
        "b": None,
    }


def test_variables_of_the_environment_are_put_in_once(serve, ask, monkeypatch):
    url, asked = serve(lambda _: hits())
    monkeypatch.setenv("SERVER", url)
    monkeypatch.setenv("ODD", "{query} ${SERVER}")
    monkeypatch.setenv("EMPTY", "")
    request = {"q": "{query}", "odd": "${ODD}", "or": "${NOT_SET:-else}", "e": "${EMPTY:-empty}"}
    headers = {"X-One": "a ${ODD}", "X-None": "${NOT_SET:-}"}
    ask("${SERVER}/s", text="x", request=request, headers=headers)
    body = {"q": "x", "odd": "{query} ${SERVER}", "or": "else", "e": "empty"}
    assert asked[0].body == body
    assert asked[0].headers["X-One"] == "a {query} ${SERVER}"
    assert "X-None" not in asked[0].headers


def test_a_header_of_the_user_takes_the_place_of_ours(serve, ask):
    url, asked = serve(lambda _: hits())
    ask(
        url, headers={"content-type": "application/vnd.x+json", "Accept": "text/json"}, method="put"
    )
    sent = {name.lower(): value for name, value in asked[0].headers.items()}
    assert sent["content-type"] == "application/vnd.x+json"
    assert sent["accept"] == "text/json"
    assert asked[0].method == "PUT"


def test_vectors_are_sent_as_numbers(serve, query):
    url, asked = serve(lambda _: hits())
    own = {"url": url, "model": "static", "request": {"v": "{vector}", "k": "{top}"}}
    system = http(**own, embed=lambda _: np.array([0.5, -1.0], np.float32))
    system.search(query(), 3)
    system.close()
    assert asked[0].body == {"v": [0.5, -1.0], "k": 3}


# --- how answers are read


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ({"hits": "."}, [{"id": "a", "score": 1}]),
        ({"hits": ""}, [{"id": "a", "score": 1}]),
        (
            {"hits": "r[0].d", "document": "f.id[1]", "score": "s"},
            {"r": [{"d": [{"f": {"id": [0, "a"]}, "s": 1}]}]},
        ),
        ({"hits": "g[*].h"}, {"g": [{"h": []}, {"h": [{"id": "a", "score": 1}]}]}),
        ({"hits": "g[*].h[*]"}, {"g": [{"h": []}, {"h": [{"id": "a", "score": 1}]}]}),
        (
            {"hits": '["a.b"].c', "document": '["x[0]"]'},
            {"a.b": {"c": [{"x[0]": "a", "score": 1}]}},
        ),
    ],
)
def test_paths_lead_to_results(serve, ask, response, answer):
    url, _ = serve(lambda _: answer)
    replied = ask(url, response=response)
    assert replied.documents == ["a"]
    assert replied.scores.tolist() == [1.0]


def test_results_may_be_bare_ids(serve, ask):
    url, _ = serve(lambda _: ["b", 7])
    replied = ask(url, response={"hits": ".", "document": "."})
    assert replied.documents == ["b", "7"]
    assert replied.scores.tolist() == [-1.0, -2.0]


@pytest.mark.parametrize("score", [None, "absent"])
def test_without_scores_the_order_counts(serve, ask, score):
    more = {} if score == "absent" else {"score": None}
    url, _ = serve(lambda _: {"hits": [{"id": "b", **more}, {"id": "a", **more}]})
    assert ask(url).scores.tolist() == [-1.0, -2.0]


def test_scores_that_rise_leave_the_order_and_are_told_of(serve, query):
    url, _ = serve(lambda _: hits(("near", 0.1), ("far", 0.9)))
    system = http(url=url, request=BODY)
    for key in ("q1", "q2", "q1"):
        replied = system.search(query(key=key), 5)
    system.close()
    assert replied.documents == ["near", "far"]
    assert replied.scores.tolist() == [-1.0, -2.0]
    assert any("ascending" in note and "2 queries" in note for note in system.notes)


def test_scores_that_were_promised_and_are_not_there_are_told_of(serve, query, snapshot):
    url, _ = serve(lambda _: {"hits": [{"id": "a"}]})
    notes = []
    for response in ({"score": "_score"}, {"score": None}, {}):
        system = http(url=url, request=BODY, response=response)
        assert system.search(query(), 5).scores.tolist() == [-1.0]
        system.close()
        notes.append(system.notes)
    assert "_score" in notes[0][0]
    snapshot(notes[0])
    assert notes[1:] == [(), ()]


def test_scores_can_be_left_alone(serve, ask):
    url, _ = serve(lambda _: hits(("a", 1), ("b", "x")))
    assert ask(url, response={"score": None}).scores.tolist() == [-1.0, -2.0]


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({"timed_out": False, "_shards": {"failed": 0}}, ""),
        ({}, ""),
        ({"timed_out": True}, "timed_out"),
        ({"_shards": {"failed": 2}}, "_shards.failed"),
        ({"errors": [{"code": 12}]}, "errors"),
        ({"errors": []}, ""),
    ],
)
def test_an_answer_that_says_it_is_incomplete_is_none(serve, ask, refusal, snapshot, answer, path):
    url, _ = serve(lambda _: hits(("a", 1)) | answer)
    response = {"incomplete": ["timed_out", "_shards.failed", "errors"]}
    if path:
        problem = refusal(url, response=response).problem
        assert f"({path}: " in problem
        snapshot(problem)
        return
    assert ask(url, response=response).documents == ["a"]
    assert ask(url, response={"incomplete": "timed_out"}).documents == ["a"]


def test_an_optional_path_may_lead_nowhere(serve, ask, refusal):
    url, _ = serve(lambda _: {"root": {"fields": {"totalCount": 0}}})
    assert list(ask(url, response={"hits": "root.children?"}).documents) == []
    error = refusal(url, response={"hits": "root.children"})
    assert "(keys: stub, root)" in error.problem
    assert "root.children?" in error.hint


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ({"hits": {"total": 3}}, "hits"),
        ({"hits": None}, "hits"),
        ({"error": "x"}, "hits"),
        ({"hits": [{"_id": "a"}]}, "result 1 "),
        ({"hits": [{"id": "a"}, {"id": True}]}, "result 2 "),
        ({"hits": [{"id": None}]}, "result 1 "),
        ({"hits": [{"id": {"x": 1}}]}, "result 1 "),
        ({"hits": [{"id": 1.5}]}, "result 1 "),
        ({"hits": [{"id": ""}]}, "result 1 "),
        ({"hits": [{"id": "a\0"}]}, "result 1 "),
        ({"hits": [{"id": "\ud800"}]}, "result 1 "),
        ({"hits": [{"id": "long " * 1000}]}, "result 1 "),
        ({"hits": ["a"]}, "result 1 "),
        (hits(("a", 1), ("b", None)), "1 of 2 "),
        (hits(("a", "high")), "result 1 "),
        (hits(("a", True)), "result 1 "),
        (hits(("a", 10**400)), "result 1 "),
    ],
)
def test_odd_answers_are_refused(serve, refusal, snapshot, answer, place):
    url, _ = serve(lambda _: answer)
    problem = refusal(url).problem
    assert place in problem
    snapshot(problem)


@pytest.mark.parametrize(
    ("body", "fact"),
    [
        (b"", "JSON"),
        (b"<html><body>It works!</body></html>", "text/html"),
        (b'{"hits": [{"id": "a", "score": NaN}]}', "nan"),
        (b'{"hits": [{"id": "a", "score": Infinity}]}', "inf"),
        (b'{"hits": [', "JSON"),
        (b"[" * 100_000, "JSON"),
        (b"\xff\xfe\x00", "JSON"),
        (b'{"hits": ' + b"9" * 5000 + b"}", "JSON"),
    ],
    ids=["empty", "html", "nan", "infinity", "half", "deep", "bytes", "digits"],
)
def test_what_is_no_answer_is_refused(serve, refusal, answer_of, body, fact):
    kind = "text/html" if b"html" in body else "application/json"
    url, _ = serve(lambda _: answer_of(body, headers={"Content-Type": kind}))
    assert fact in refusal(url).problem


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
KEYS = st.sampled_from(["hits", "id", "score", "x"])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
LISTS = st.lists(st.dictionaries(KEYS, LEAVES, max_size=3), max_size=5)


@given(TREES | LISTS.map(lambda some: {"hits": some}) | st.binary(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_answer_is_a_ranking_or_one_clear_refusal(answer):
    content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    try:
        read = AnswerPaths.of(None).read(content)
    except InputError:
        return
    assert len(read.documents) == len(read.scores)
    assert np.isfinite(read.scores).all()
    assert (np.diff(read.scores) <= 0).all()
    assert decode(encode(read.documents)) == read.documents


def test_a_byte_order_mark_does_no_harm(serve, ask, answer_of):
    url, _ = serve(lambda _: answer_of(b"\xef\xbb\xbf" + json.dumps(hits(("a", 1))).encode()))
    assert ask(url).documents == ["a"]
