import tracemalloc

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
        (", ".join(f"w{at}" for at in range(1_001)), "more than 1,000 entries in a rule"),
        (f"a, {'b ' * 101}", "an entry of more than 100 words"),
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


WORDS = st.sampled_from(["a1", "b2", "c3", "d4", "the", "e5 a1", "a1 b2", "b2 c3 d4"])
RULE = st.tuples(
    st.lists(WORDS, min_size=2, max_size=4).map(", ".join),
    st.none() | st.lists(WORDS, min_size=1, max_size=3).map(", ".join),
).map(lambda sides: " => ".join(filter(None, sides)))


def plainly(rules, text):
    """Look up each entry of a query in a table that has all alternatives of all entries."""
    tokens, table = tokens_of(), {}
    for rule in rules:
        sides = rule.split(" => ")
        for entry in sides[0].split(", "):
            form = tuple(tokens[word] for word in entry.split())
            table.setdefault(form, {}).update(dict.fromkeys(map(meant, sides[-1].split(", "))))
    words = tokens.words(text)
    while words:
        forms = [tuple(map(tokens.__getitem__, words[:size])) for size in range(len(words), 0, -1)]
        form = next((one for one in forms if one in table), None)
        yield words[0] if form is None else tuple(table[form])
        del words[: len(form or "1")]


def meant(entry):
    words = [word for word in entry.split() if word not in STOP_WORDS] or entry.split()
    return tuple(dict.fromkeys(tokens_of().joined(words).split()))


@given(st.lists(RULE, max_size=6), st.lists(WORDS, max_size=8).map(" ".join))
def test_a_query_gets_what_a_table_of_all_entries_has(rules, text):
    assert read(text, rules) == [*plainly(rules, text)]


def test_all_words_of_a_rule_share_one_group():
    words = [f"w{at}" for at in range(1_000)]
    found = read(" ".join(words), [", ".join(words)])
    assert len(found) == 1_000
    assert len({id(one) for one in found}) == 1


def test_a_query_with_very_many_synonyms_is_refused():
    words = [f"w{at}" for at in range(1_000)]
    rules = [", ".join(words[at:] + words[:at]) for at in range(10)]
    assert len(read(" ".join(words[:50]), rules)) == 50
    with pytest.raises(InputError, match="more than 50,000 synonyms"):
        read(" ".join(words[:51]), rules)
    assert len(read(" ".join(words), rules[:1])) == 1_000  # which share one group


def test_rules_with_the_same_words_take_no_more_memory_than_their_length():
    words = [f"w{at}" for at in range(1_000)]
    rules = [", ".join(words[at:] + words[:at]) for at in range(10)]
    tokens = tokens_of()
    tokens(" ".join(words))
    tracemalloc.start()
    made = Synonyms(rules, tokens, STOP_WORDS)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [len(one) for one in made.read(words[:3])] == [1_000] * 3
    assert size < 5_000_000  # a table of all alternatives takes more than 30 MB
