"""Python: a file made by hand, then the standard library beside Python's own parser."""

import ast
import itertools

import pytest

from assay.corpora.programs.calls import calls
from assay.corpora.programs.definitions import definitions
from assay.corpora.sources.stdlib import stdlib

TEXT = '''\
"""Größe."""
import json
LIMIT = 10
low, high = 1, 2
total: int = 3

@cache
@retry(
    times=3)
def outer(x):
    def inner():
        return json.loads(x)
    if helper(x):
        LOCAL = 1
    return inner

class Shape(Base):
    side = 4

    @property
    async def área(self):
        return self.side ** 2

    class Corner:
        def turn(self): pass

type Pair = tuple[int, int]
'''


def outline(text, language="python"):
    found = definitions(text, language)
    return [(each.name, each.kind, each.first_line, each.last_line) for each in found]


def test_definitions_by_hand():
    assert outline(TEXT) == [
        ("LIMIT", "constant", 3, 3),
        ("low", "variable", 4, 4),
        ("high", "variable", 4, 4),
        ("total", "variable", 5, 5),
        ("outer", "function", 7, 15),
        ("outer.inner", "function", 11, 12),
        ("Shape", "class", 17, 25),
        ("Shape.área", "method", 20, 22),
        ("Shape.Corner", "class", 24, 25),
        ("Shape.Corner.turn", "method", 25, 25),
        ("Pair", "type", 27, 27),
    ]


def test_bytes_are_those_of_the_text():
    data = TEXT.encode()
    (found,) = [each for each in definitions(TEXT, "python") if each.name == "Shape.área"]
    cut = data[found.start_byte : found.end_byte].decode()
    assert cut.startswith("@property\n")
    assert cut.endswith("self.side ** 2")


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("    ", "\t")])
def test_line_ends_and_tabs_change_nothing(change):
    assert outline(TEXT.replace(*change)) == outline(TEXT)
    lines = [(each.name, each.first_line) for each in calls(TEXT.replace(*change), "python")]
    assert lines == [(each.name, each.first_line) for each in calls(TEXT, "python")]


def test_a_broken_file_gives_what_it_can():
    broken = (
        "def good(): pass\n\ndef bad(x):\n    y = = 3\n\nclass Fine:\n    def also(self): pass\n"
    )
    assert {"good", "Fine", "Fine.also"} <= {name for name, *_ in outline(broken)}


def test_a_long_broken_file_is_searched_by_parts_without_a_gap():
    functions = [f"def f{number}(a, b):\n    return g{number}(a)\n" for number in range(3000)]
    text = "".join(functions) + "x = = (\n"
    names = [each.name for each in definitions(text, "python") if each.kind == "function"]
    assert names == [f"f{number}" for number in range(3000)]
    assert [each.name for each in calls(text, "python")] == [f"g{n}" for n in range(3000)]


def test_calls_by_hand():
    text = """\
value = json.loads(
    path.read(),
)
if check(value) and len(value):
    print(f(1)(2))
    a.b[0].c()
    return Path(x).open(
        mode)
"""
    found = [
        (each.name, each.last, each.first_line, each.last_line, each.api)
        for each in calls(text, "python")
    ]
    assert found == [
        ("json.loads", "loads", 1, 3, True),
        ("path.read", "read", 1, 3, True),
        ("check", "check", 4, 4, True),
        ("len", "len", 4, 4, False),
        ("print", "print", 5, 5, False),
        ("f(1)", "1", 5, 5, False),
        ("f", "f", 5, 5, True),
        ("a.b[0].c", "c", 6, 6, False),
        ("Path(x).open", "open", 7, 8, False),
        ("Path", "Path", 7, 8, True),
    ]


def test_a_call_of_many_lines_has_its_own_bytes():
    text = "é = 1\ny = f(\n  g(2))\n"
    outer, inner = calls(text, "python")
    assert text.encode()[outer.start_byte : outer.end_byte] == b"f(\n  g(2))"
    assert (inner.first_line, inner.last_line) == (2, 3)
    assert text.encode()[inner.start_byte : inner.end_byte] == b"g(2)"


def from_ast(node, prefix="", outside=None):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}{child.name}"
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            is_class = isinstance(child, ast.ClassDef)
            kind = "class" if is_class else "method" if outside is ast.ClassDef else "function"
            yield name, kind, first, child.end_lineno
            yield from from_ast(child, f"{name}.", type(child))
        else:
            yield from from_ast(child, prefix, outside)


def without_comments(lines, last):
    """Move the end of a definition up, over the comments and blank lines that end it."""
    while not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#"):
        last -= 1
    return last


def test_python_itself_agrees():
    """Names, kinds and lines are equal; comments that end a body are counted to it here."""
    count = 0
    documents = stdlib(include=["/[a-j]*.py", "json/", "email/", "asyncio/"]).documents()
    for document in itertools.islice(documents, 200):
        lines = document.text.split("\n")
        found = sorted(
            (name, kind, first, without_comments(lines, last))
            for name, kind, first, last in outline(document.text)
            if kind in ("function", "method", "class")
        )
        expected = sorted(
            (name, kind, first, without_comments(lines, last))
            for name, kind, first, last in from_ast(ast.parse(document.text))
        )
        assert found == expected, document.id
        count += len(found)
    assert count > 3000


def test_python_itself_counts_the_same_calls():
    for document in stdlib(include=["json/", "email/", "collections/"]).documents():
        expected = sum(isinstance(node, ast.Call) for node in ast.walk(ast.parse(document.text)))
        assert len(calls(document.text, "python")) == expected, document.id
