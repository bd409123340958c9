import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.engines.words.stop_words import STOP_WORDS
from assay.engines.words.synonyms import Synonyms, check_rules
from assay.engines.words.tokens import tokens_of
from assay.errors import InputError

RULES = (
    "# vehicles",
    "",
    "car, automobile",
    "USA, United States, united states of america",
    "laptop => notebook, laptop",
    "k8s, kubernetes",
    "united, joined",
)


def read(text, rules=RULES):
    tokens = tokens_of()
    return [*Synonyms(rules, tokens, STOP_WORDS).read(tokens.words(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("red cars", ["red", (("car",), ("automobil",))]),
        ("an Automobile", ["an", (("car",), ("automobil",))]),
        ("laptops", [(("notebook",), ("laptop",))]),
        ("notebook", ["notebook"]),  # a rule with an arrow has one direction
        ("K8s", [(("k8s", "k", "8", "s"), ("kubernet",))]),
        ("carpet", ["carpet"]),
        ("", []),
    ],
)
def test_by_hand(text, expected):
    assert read(text) == expected


def test_the_longest_entry_wins():
    america = (("usa",), ("unit", "state"), ("unit", "state", "america"))  # without the stop word
    assert read("the united states of america today") == ["the", america, "today"]
    assert read("united states") == [america]
    assert read("united kingdom") == [(("unit",), ("join",)), "kingdom"]


def test_rules_for_the_same_word_add_up():
    assert read("tv", ["tv, television", "tv => set"]) == [(("tv",), ("televis",), ("set",))]


def test_a_backslash_takes_signs_as_they_are():
    assert read("y => z", [r"y \=> z, x"]) == [(("y", "z"), ("x",))]
    assert read("1,000", [r"1\,000, thousand"]) == [(("1", "000"), ("thousand",))]


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ("car", "single word"),
        ("a => b => c", "more than one"),
        ("=> b", "no word"),
        ("a =>", "no word"),
        (",", "no word"),
        ("a, ???", "without letters"),
        ("a, __", "without letters"),
    ],
)
def test_a_rule_that_cannot_be_read_is_named(rule, problem):
    with pytest.raises(InputError, match=problem) as caught:
        check_rules(["x, y", rule])
    assert caught.value.where == "line 2"


@given(st.lists(st.text(max_size=30), max_size=5), st.text(max_size=60))
def test_any_rules_are_read_or_refused_and_no_word_is_lost(rules, text):
    try:
        check_rules(rules)
    except InputError:
        return
    tokens = tokens_of()
    found = read(text, rules)
    plain = [one for one in found if isinstance(one, str)]
    assert [word for word in tokens.words(text) if word in plain] or not plain
    assert all(alternative for one in found if not isinstance(one, str) for alternative in one)
