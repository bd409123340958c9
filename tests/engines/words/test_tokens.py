import time
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.engines.words.tokens import Tokens, dotted, last_part

tokens = Tokens()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parseHTTPHeader", "parsehttphead pars http header"),
        ("parsehttpheader", "parsehttphead"),
        ("LeastRecentlyUsed leastrecentlyused", "leastrecentlyus least recent use leastrecentlyus"),
        ("retry_counts", "retry_counts retri count"),  # a whole name that no plain word is
        ("retry_count", "retry_count retri count"),
        ("RETRY_COUNT", "retry_count retri count"),
        ("kebab-case", "kebab case"),
        ("os.path.join", "os path join"),
        ("std::vector->size()", "std vector size"),
        ("utf8", "utf8 utf 8"),
        ("iPhone15Pro", "iphone15pro i phone 15 pro"),
        ("__init__", "__init__ init"),
        ("__ _ ___", "  "),
        ("retries retried", "retri retri"),
        ("3.14 42", "3 14 42"),
        ("0xDEADBEEF 3f9a8bc2d1", "0xdeadbeef 3f9a8bc2d1"),  # numbers, not names
        ("deadbeef", "deadbeef"),
        ("x = y", "x y"),
        ("a\r\nb\x00c\td", "a b c d"),
        ("CAFÉ café cafe\u0301", "café café café"),
        ("Straße STRASSE", "strass strass"),
        ("naïveBayes", "naïvebay naïv bay"),
        ("ｆｕｌｌ１", "full1 full 1"),
        ("検索", "検 索 検索"),
        ("検", "検"),
        ("HTTP検索エンジンv2", "http 検 索 エ ン ジ ン 検索 索エ エン ンジ ジン v2 v 2"),
        ("검색", "검 색 검색"),
        ("हिन्दी", "हिन्दी"),
        ("🙂 — … «»", ""),
        ("", ""),
    ],
)
def test_by_hand(text, expected):
    assert tokens(text).split() == expected.split()


def test_what_is_plain_stays_so_without_stemming():
    assert Tokens("none")("retries parseHTTPHeader") == (
        "retries parsehttpheader parse http header"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call JSONDecoder.decode now", ["jsondecoder.decode"]),
        ("Class::method and Class#other", ["class.method", "class.other"]),
        ("see retry_policy.py", ["retry_policy.py"]),
        ("3.14 and 1.2.3", []),
        ("Ends. Begins", []),
        ("a" * 200 + ".b", []),
    ],
)
def test_qualified_names_and_file_names_stay_whole(text, expected):
    assert list(dotted(text)) == expected


def test_words_that_are_data_are_cut():
    (only,) = tokens("aB" * 500_000).split()
    assert only == "ab" * 64
    assert tokens("检" * 1000).split().count("检") == 128


def test_data_is_not_remembered():
    tokens = Tokens()
    assert tokens("x" * 1_000_000) == "x" * 128
    assert max(map(len, tokens)) == 128


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr("assay.engines.words.tokens.KNOWN", 10)
    few = Tokens()
    text = " ".join(f"w{number}" for number in range(100))
    assert few(text) == tokens(text)
    assert len(few) <= 10


@given(st.text())
@example("ŉ İ ǰ ͺ ΐ ẞ ﬃ ﷺ \u0345 \u1fb4 ſt")
def test_no_token_is_empty_or_holds_a_space_quote_or_capital(text):
    for token in tokens(text).split(" ") if tokens(text).strip() else []:
        if token:
            assert not set(token) & set(" \t\n\"'\\\x00")
            assert not token.isspace()
            assert token.encode()  # so that it can be stored
    assert all(word == word.casefold() for word in tokens(text).split() if word.isascii())


@given(st.text())
def test_composition_does_not_matter(text):
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))


@given(st.lists(st.from_regex(r"\A[a-z]{1,9}\Z"), min_size=1, max_size=9))
def test_case_and_style_share_parts(words):
    snake = set(tokens("_".join(words)).split())
    prose = set(tokens(" ".join(words)).split())
    shouted = set(tokens("_".join(words).upper()).split())
    assert prose <= snake
    assert snake == shouted


@given(st.from_regex(r"\A[A-Z]{0,3}[a-zé]{1,9}([A-Z]{1,3}[a-zé]{0,9}){0,3}\Z"))
@example("parseHTTPHeaders")
@example("CAFÉBars")
def test_a_name_is_found_in_small_letters(name):
    assert set(tokens(name.lower()).split()) <= set(tokens(name).split())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Class.call", "call"),
        ("a::b::c", "c"),
        ("Class#call", "call"),
        ("plain", "plain"),
        ("", ""),
        ("ends.", "ends."),
    ],
)
def test_a_qualified_name_names_its_last_part(name, expected):
    assert last_part(name) == expected


def test_a_word_is_not_cut_to_make_a_name():
    assert list(dotted("3a.b x3a.b éa.b")) == ["x3a.b", "éa.b"]


def seconds(text):
    start = time.process_time()
    tokens(text)
    list(dotted(text))
    return time.process_time() - start


@pytest.mark.parametrize(
    "piece",
    ["a", "_", "1", ".", ":", "#", "a.a.", "a::", "a:", "a_", "aB", " ", "é", "检", "\u0301", "🙂",
     "\u0300\u0316", "e\u0316\u0300\u0316", "\x00", "0x", "f0"],
)  # fmt: skip
def test_a_megabyte_takes_seconds_at_most(piece):
    assert seconds(piece * (1_000_000 // len(piece.encode()))) < 5  # usually below one


@settings(max_examples=15, deadline=None)
@given(st.text(alphabet="aB1_.:#- é\u0300\u0316检🙂", min_size=1, max_size=5))
def test_no_repeated_pattern_is_slow(piece):
    assert seconds(piece * (100_000 // len(piece))) < 5


def test_signs_in_a_row_are_no_accents():
    assert tokens("é " + "—" * 40 + " naïve") == tokens("é — naïve")
    assert tokens("e\u0301" + "\u0301" * 40 + "—" * 40) == tokens("e" + "\u0301" * 30)


def test_accents_beyond_any_language_are_dropped():
    assert tokens("e" + "\u0301\u0316" * 40) == tokens("e" + "\u0301\u0316" * 15)
    assert tokens("e" + "\u0301\u0316" * 14) != tokens("e" + "\u0301\u0316" * 15)
