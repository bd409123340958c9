import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.datasets.checks._words import distinctive, question, running_text, terms, weight, words


@pytest.mark.parametrize(
    "text",
    [
        "Sorts the list in place",
        "sorts\r\n\tthe LIST   in place.",
        "# sorts the\n# list in\n#\n# place",
        "/**\n * Sorts the list,\n * in place\n */",
        "<!-- sorts <b>the</b> list: in-place -->".replace("<b>", "").replace("</b>", ""),
        "// sorts «the list» (in place)",
        "ｓｏｒｔｓ the list in place",
        "sor\u00adts the li\u200bst in place",
    ],
)
def test_what_must_not_hide_a_leak(text):
    assert words(text) == ["sorts", "the", "list", "in", "place"]


def test_identifiers_stay_whole():
    assert words("x = os.path.join(my_dir, 'a')") == ["x", "os", "path", "join", "my_dir", "a"]


def test_scripts_without_spaces_are_read_by_character():
    assert words("如何读文件") == ["如", "何", "读", "文", "件"]
    assert weight(words("如何读文件")) == 2.5
    assert weight(["a", "b", "é"]) == 3


def test_vowel_signs_belong_to_their_letter():
    assert len(words("हिन्दी भाषा")) == 2
    assert len(words("e\u0301te\u0301 cafe\u0301")) == 2


def test_the_turkish_i_is_the_same_on_both_sides():
    assert f" {' '.join(words('İstanbul'))} " in running_text("I love İSTANBUL")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How do I sort?", "how do i  SORT"),
        ("well-known ports", "well known ports"),
        ("What’s new", "what's new"),
        ("and/or", "and or"),
        ("ﬁle", "file"),
    ],
)
def test_queries_that_are_the_same(one, other):
    assert question(one) == question(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sort in C++", "sort in C#"),
        ("sort in C", "sort in C#"),
        ("a == b", "a != b"),
        ("*args", "**args"),
        ("?", "??"),
        ("->", "=>"),
        ("1.5", "15"),
    ],
)
def test_queries_that_are_not(one, other):
    assert question(one) != question(other)


def test_only_an_empty_text_has_no_words():
    assert question(" \n") == ()
    assert question("?") == ("?",)


def test_terms_are_parts_and_stems():
    assert terms("getHTTPResponse2 parses queries_by_class; boxes matches classes") == {
        *("get", "http", "response2", "parse", "query", "by", "class", "box", "match"),
    }
    assert terms("status bus is us") == {"status", "bus", "is", "us"}


def test_distinctive_names():
    assert all(map(distinctive, ["raw_decode", "JSONDecoder", "a.py", "lib/a", "getX", "a::b"]))
    assert not any(
        map(distinctive, ["queue", "Queue", "HTTP", "_private", "__init__", "base64", ""])
    )


@given(st.text())
def test_any_text_has_words_and_keeps_them(text):
    found = words(text)
    assert all(found)
    assert words(" ".join(found)) == found
    assert not any(character.isspace() for word in found for character in word)
    assert 0 <= weight(found) <= len(found)
