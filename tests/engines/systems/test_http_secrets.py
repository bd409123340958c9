"""Keys that nobody may see, whole or in part, however a server repeats them."""

import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.engines.systems._secret_mask import SecretMask
from assay.engines.systems.http import http
from assay.errors import InputError

SECRET = "k3y+/with=odd letters"


@pytest.fixture
def keyed(monkeypatch):
    monkeypatch.setenv("SEARCH_KEY", SECRET)
    return {"headers": {"Authorization": "ApiKey ${SEARCH_KEY}"}}


def parts_of(secret, text):
    """Find pieces of four letters of a secret in a text."""
    return [secret[at : at + 4] for at in range(len(secret) - 3) if secret[at : at + 4] in text]


@pytest.mark.parametrize(
    "spoken",
    [
        lambda key: b"<p>the request was refused, and your key was: " + key + b" sorry</p>",
        lambda key: json.dumps({"hits": [{"id": {"the headers were" + "." * 30: key.decode()}}]}),
        lambda key: json.dumps({"hits": [{"id": "a", "score": "." * 50 + key.decode()}]}),
        lambda key: json.dumps({"." * 190 + key.decode(): 1}),
    ],
    ids=["no JSON", "id", "score", "keys"],
)
def test_no_part_of_a_key_is_shown_where_a_text_is_cut(serve, refusal, answer_of, keyed, spoken):
    def answer(one):
        body = spoken(one.headers["Authorization"].removeprefix("ApiKey ").encode())
        return answer_of(body if isinstance(body, bytes) else body.encode())

    url, _ = serve(answer)
    error = refusal(url, **keyed)
    assert not parts_of(SECRET, error.problem), error.problem
    assert "${SEARCH_KEY}" in error.problem


@pytest.mark.parametrize("blanks", [*range(1960, 2005, 3), 190, 65_530])
def test_no_part_of_a_key_is_shown_at_the_end_of_a_refusal(
    serve, refusal, answer_of, keyed, blanks
):
    url, _ = serve(lambda _: answer_of(b" " * blanks + SECRET.encode(), status=400))
    assert not parts_of(SECRET, refusal(url, **keyed).problem)


@pytest.mark.parametrize("secret", ["pa\"ss'wört\\end", "a b&c<d>/e%f", "l\u00e4ng\u2028er"])
@pytest.mark.parametrize("written", [str, repr, json.dumps, quote, quote_plus, html.escape])
def test_a_key_is_hidden_however_it_is_written(secret, written):
    show = SecretMask({"SEARCH_KEY": secret})
    told = show.text(f"it was {written(secret)}.", 200)
    assert told.strip("'\"").replace("'", "").replace('"', "") == "it was ${SEARCH_KEY}."
    assert "${SEARCH_KEY}" in show.value({"key": secret})


@given(st.text("ab", min_size=4, max_size=9), st.text("abc", max_size=40), st.integers(0, 50))
def test_what_is_shown_holds_no_secret_and_no_more_than_was_there(secret, text, most):
    told = SecretMask({"K": secret}).text(text, most).replace("${K}", "|")
    assert secret not in told
    assert len(told) <= max(most, 0)
    for at in range(len(told)):
        assert told[at] in "abc|"


def test_a_server_cannot_command_the_terminal(serve, refusal, answer_of):
    evil = "\x1b[31mred\x1b]0;owned\x07\u202e"
    answers = [
        answer_of(evil.encode(), status=400),
        answer_of(evil.encode()),
        answer_of({evil: 1}),
        answer_of({"hits": [{"id": [evil]}]}),
        answer_of({"hits": [{"id": "a", "score": evil}]}),
    ]
    url, _ = serve(lambda _: answers.pop(0))
    for _ in range(len(answers)):
        assert refusal(url).problem.isprintable()


# --- secrets that stand in the file

URL = "http://localhost:9200/x"
BODY = {"q": "{query}"}


@pytest.mark.parametrize(
    ("settings", "where"),
    [
        ({"url": f"{URL}?api_key=abcd123"}, "url"),
        ({"url": f"{URL}?a=1&access_toke%6E=abcd"}, "url"),
        ({"url": f"{URL}?key=${{K:-abcd}}"}, "url"),
        ({"url": "${WHERE:-http://user:wrd1@localhost}/x"}, "url"),
        ({"url": "${WHERE:-http://localhost/?sig=abcd}"}, "url"),
        ({"request": BODY | {"api_key": "tvly-123"}}, "request.api_key"),
        ({"request": BODY | {"key": "AIza"}}, "request.key"),
        ({"request": BODY | {"a": [{"login": {"password": "x"}}]}}, "request.a[0].login.password"),
        ({"request": BODY | {"token": 12345}}, "request.token"),
        ({"request": BODY | {"secretKeys": ["a", "b"]}}, "request.secretKeys"),
        ({"headers": {"Authorization": "Bearer ${K:-sk-123}"}}, "headers.Authorization"),
        ({"headers": {"Authorization": "Bearer sk-123 ${K:-}"}}, "headers.Authorization"),
        ({"headers": {"Authorization": "Basic dXNlcjpwYXNz= ${K:-}"}}, "headers.Authorization"),
        ({"headers": {"Authorization": "Bearer"}}, "headers.Authorization"),
        ({"headers": {"Ocp-Apim-Subscription-Key": "abc"}}, "headers.Ocp-Apim-Subscription-Key"),
        ({"headers": {"X-Auth": "abc"}}, "headers.X-Auth"),
        ({"headers": {"X-Some-Key": "abc"}}, "headers.X-Some-Key"),
        ({"headers": {"Cookie": "session=abc"}}, "headers.Cookie"),
        ({"params": {"key": "AIza"}}, "params.key"),
        ({"params": {"token": ["AIza"]}}, "params.token"),
        ({"params": {"token": 12345}}, "params.token"),
        ({"params": {"apikey": "prefix-${K:-}"}}, "params.apikey"),
    ],
)
def test_secrets_in_plain_text_are_refused(settings, where):
    with pytest.raises(InputError) as caught:
        http(**{"url": URL, "request": BODY} | settings)
    assert caught.value.where == where
    assert caught.value.hint
    for secret in ("abc", "123", "AIza", "wrd1", "sk-", "dXN"):
        assert secret not in caught.value.problem + caught.value.hint


@pytest.mark.parametrize(
    "settings",
    [
        {"headers": {"Authorization": "Bearer ${K}"}},
        {"headers": {"Authorization": "${K}"}},
        {"headers": {"Authorization": 'Token token="${K}", id=${K}'}},
        {"headers": {"api-key": "${NOT_SET:-}"}},
        {"headers": {"Cookie": "session=${K}; other=${K}"}},
        {"headers": {"Idempotency-Key": "abc", "X-Tokenizer": "words"}},
        {"url": f"{URL}?key=${{K}}&page_token=7&q=secret"},
        {"url": f"{URL}?q=a+token&query=password"},
        {"params": {"query": "api_key", "max_tokens": 100, "sort_by": "key"}},
        {"request": BODY | {"max_tokens": 256, "tokenizer": "standard", "query": "token"}},
        {"request": BODY | {"key": "{query}", "token": "id-{id}"}},
        {"request": BODY | {"filter": {"must": [{"key": "city", "match": {"value": "Rome"}}]}}},
        {"request": BODY | {"partition_key": "a", "sort_key": "b", "keys": ["a"], "password": ""}},
        {"request": BODY | {"api_key": "${K}", "auth": True, "token": None}},
    ],
)
def test_what_is_no_secret_is_let_pass(settings, monkeypatch):
    monkeypatch.setenv("K", "from outside")
    http(**{"url": URL, "request": BODY} | settings).close()


def test_a_default_stands_in_the_file_even_if_it_is_not_used(monkeypatch):
    monkeypatch.setenv("WHERE", "http://localhost")
    for url in ("${WHERE:-http://user:word@localhost}/x", "${WHERE:-http://h/?sig=abcd}"):
        with pytest.raises(InputError) as caught:
            http(url=url, request=BODY)
        assert caught.value.where == "url"
    assert http(url="${WHERE:-http://localhost:9200}/x", request=BODY)


def test_a_request_that_is_nested_without_end_is_one_message():
    deep = {"q": "{query}"}
    for _ in range(3000):
        deep = {"a": [deep]}
    around = {"q": "{query}"}
    around["itself"] = [around, around]
    for request in (deep, around):
        with pytest.raises(InputError, match="nested too deeply") as caught:
            http(url=URL, request=request)
        assert caught.value.where == "request"
