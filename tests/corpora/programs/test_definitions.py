"""Taking programs apart never fails and never hangs, whatever the text."""

import builtins
import time
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.catalogue import names
from assay.corpora import languages
from assay.corpora.programs import parse
from assay.corpora.programs.calls import calls
from assay.corpora.programs.defined_names import defined_names
from assay.corpora.programs.definitions import definitions
from assay.errors import InputError
from assay.extras import install_command
from assay.records import Document

LANGUAGES = names(languages)
TOKENS = (
    "def f(): class A: async @x fn impl { } ( ) [ ] < > func (a *B) interface enum => = ; , . \n "
    "return new X() ` ' \" /* */ // # \\ \t é 𝒳 \0 \r\n type const let if else"
)
WORDS = st.sampled_from(TOKENS.split(" "))


def test_names_of_a_document():
    text = "class A:\n def f(self): pass\n def f(self): pass\n"
    assert list(defined_names(Document(id="a", text=text, language="python"))) == ["A", "A.f"]
    assert list(defined_names(Document(id="a", text="# def f", language="markdown"))) == []
    assert list(defined_names(Document(id="a"))) == []


@pytest.mark.parametrize("language", ["", "markdown", "cobol", "_shape", "Python"])
def test_languages_without_grammar_have_nothing(language):
    assert definitions("def f(): pass", language) == []
    assert calls("f()", language) == []


@settings(max_examples=80)
@given(
    st.text()
    | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape"))
    | st.lists(WORDS, max_size=60).map(" ".join),
    st.sampled_from(LANGUAGES),
)
def test_no_text_is_too_strange(text, language):
    lines = text.count("\n") + 1
    size = len(text.encode("utf-8", "replace"))
    for each in [*definitions(text, language), *calls(text, language)]:
        assert each.name
        assert 1 <= each.first_line <= each.last_line <= lines
        assert 0 <= each.start_byte < each.end_byte <= size


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["(", "f(", "[", "{", "x if ", "a<", "f().", "if x:\n (", "`${"])
def test_depth_and_noise_take_no_time(language, part):
    text = part * 5_000
    for take_apart in (definitions, calls):
        start = time.process_time()
        take_apart(text, language)
        assert time.process_time() - start < 3


def test_balanced_depth():
    assert len(calls("f(" * 400 + ")" * 400, "python")) == 400
    nested = "".join("\t" * depth + f"def f{depth}():\n" for depth in range(90)) + "\t" * 90 + "0"
    assert definitions(nested, "python")[-1].name.count(".") == 89


def test_what_comes_before_the_nonsense_is_found():
    text = "class A<T> { void f() { g(); } }\n" * 50
    for noise in ("(" * 5000, "[}" * 5000, "a<" * 5000):
        assert len(definitions(text + noise, "java")) == 100


NOISE = """
import sys
from assay.corpora.programs.definitions import definitions
print(peak())
for language in sys.argv[2:]:
    definitions(sys.argv[1] * 5000, language)
print(peak())
"""


@pytest.mark.parametrize("noise", ["[},type", "a<", "f(", "{[("])
def test_noise_takes_no_memory(measure, noise):
    before, after = measure(NOISE, noise, *LANGUAGES)
    assert after - before < 200_000  # KB


def test_a_broken_text_of_any_size_comes_to_an_end():
    start = time.process_time()
    definitions("x if " * 200_000, "typescript")
    assert time.process_time() - start < 20


MANY = """
from assay.corpora.programs.definitions import definitions
text = "# a long line of words that say what the program does\\n" * 2000
for times in (5, 100):
    for _ in range(times):
        definitions(text, "python")
    print(peak())
"""


def test_reading_many_programs_holds_none_of_them(measure):
    before, after = measure(MANY)
    assert after - before < 2000  # KB, of 10,000 read


class Node(NamedTuple):
    start_point: tuple[int, int]
    end_point: tuple[int, int]


def test_a_part_that_ends_with_its_line_end_has_no_line_more():
    one, two = Node((2, 4), (3, 0)), Node((2, 4), (3, 1))  # C's preprocessor has such
    assert parse.line_span(one, one) == (3, 3)
    assert parse.line_span(one, two) == (3, 4)


def test_a_name_that_the_parser_made_up_is_none():
    assert definitions("const\0", "go") == []


@pytest.mark.parametrize("package", ["tree_sitter", "tree_sitter_go"])
def test_a_grammar_that_is_not_installed(monkeypatch, package):
    def refuse(name, *rest, **named):
        if name == package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest, **named)

    real = builtins.__import__
    parse._compiled.cache_clear()
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(InputError, match=package) as raised:
        definitions("func f() {}", "go")
    assert raised.value.hint == install_command("code")
