"""Programs along their syntax."""

import time

import pytest

from assay.corpora.chunkers.code import code
from assay.corpora.programs.definitions import definitions
from assay.corpora.sources.stdlib import stdlib
from assay.records import Document

RETRY = '''\
"""Retries."""
import time

# How often, at most.
LIMIT = 3


class Retry:
    """Calls until it works."""

    def __init__(self, times):
        self.times = times

    # Waits longer each time.
    @property
    def waits(self):
        return [2 ** n for n in range(self.times)]


def call(function):
    """Größe."""
    for wait in Retry(LIMIT).waits:
        function()
        time.sleep(wait)
'''


def cut(text, language="python", **settings):
    found = code(**settings)(Document("d", text, language=language))
    assert "".join(chunk.text for chunk in found.chunks) == text
    return found


def outline(text, language="python", **settings):
    found = cut(text, language, **settings)
    assert not found.fallback
    return [(each.lines, each.kind, each.title, each.symbols) for each in found.chunks]


def test_by_hand():
    assert outline(RETRY, chunk_size=50) == [
        ((1, 13), "class", "", ("LIMIT", "Retry", "Retry.__init__")),
        ((14, 19), "method", "class Retry", ("Retry.waits",)),
        ((20, 24), "function", "", ("call",)),
    ]


def test_what_fits_is_one_chunk():
    symbols = ("LIMIT", "Retry", "Retry.__init__", "Retry.waits", "call")
    assert outline(RETRY) == [((1, 24), "module", "", symbols)]


def test_without_greedy_merging_parts_stay_apart():
    found = outline(RETRY, chunk_size=50, greedy=False)
    assert [each[0] for each in found] == [(1, 7), (8, 13), (14, 19), (20, 24)]


def test_nothing_is_merged_below_zero():
    found = outline("a = 1\nb = 2\n\nc = 3\n", merge_below=0, chunk_size=3)
    assert [each[0] for each in found] == [(1, 1), (2, 3), (4, 4)]
    found = outline("a = 1\nb = 2\n\nc = 3\n", merge_below=0.8, chunk_size=3)
    assert [each[0] for each in found] == [(1, 3), (4, 4)]


def test_what_is_too_small_joins_the_smaller_neighbour():
    text = "aaaaaaaa = 1\nb = 2\ncccccc = 3\n"
    assert len(cut(text, chunk_size=4).chunks) == 3
    joined = cut(text, chunk_size=4, min_chunk=2).chunks
    assert [chunk.lines for chunk in joined] == [(1, 1), (2, 3)]


def test_a_piece_of_a_function_knows_which():
    body = "".join(f"        total += step_{n}(total)\n" for n in range(12))
    found = outline(f"class A:\n    x = 1\n\n    def f(self):\n{body}", chunk_size=30)
    assert found[0] == ((1, 3), "class", "", ("A",))
    assert found[1][1:] == ("method", "class A", ("A.f",))
    assert {each[1:] for each in found[2:]} == {("method", "method A.f", ())}


def test_a_definition_belongs_to_the_chunk_with_its_name():
    marks = "".join(f"    'mark number {n}',\n" for n in range(6))
    found = outline(f"@marked(\n{marks})\ndef f():\n    return 1\n", chunk_size=20)
    assert [each[3] for each in found] == [()] * (len(found) - 1) + [("f",)]
    assert len(found) > 2


def test_what_only_begins_in_a_function_is_no_part_of_it():
    steps = "".join(f"    total += step_{n}(total)\n" for n in range(4))
    found = outline(f"def f(total):\n{steps}\ndef g():\n    return 2\n", chunk_size=30)
    assert [each[1:] for each in found] == [
        ("function", "", ("f",)),
        ("function", "", ("g",)),
    ]
    assert found[1][0][0] < 6  # the last steps of f are in it


def test_comments_stay_with_what_follows():
    text = "x = 1  # one\n# about f\n# more\ndef f():\n    return 22222\n\n# alone\n\ny = 2\n"
    assert [chunk.text for chunk in cut(text, chunk_size=13).chunks] == [
        "x = 1  # one\n",
        "# about f\n# more\ndef f():\n    return 22222\n\n",
        "# alone\n\ny = 2\n",
    ]
    text = "fn a() { b(1) }\n\n/// doc\n#[inline]\nfn c() { d(2) }\n"
    assert [chunk.lines for chunk in cut(text, "rust", chunk_size=12).chunks] == [(1, 2), (3, 5)]


C = """\
static int f(int a) {
    if (a) {
        return 1;
    }
    return 2;
}

int g(void) { return 3; }
"""


def test_chunks_begin_with_a_line_where_they_can():
    for size in (8, 10, 14, 20):
        for chunk in cut(C, "c", chunk_size=size).chunks:
            assert chunk.start == 0 or C[chunk.start - 1] == "\n"
    crlf = C.replace("\n", "\r\n")
    assert all(chunk.text.endswith("\r\n") for chunk in cut(crlf, "c", chunk_size=8).chunks)


def test_a_single_word_over_the_budget_is_cut_by_lines_then_anywhere():
    text = 'x = """\n' + "one line\n" * 6 + '"""\n'
    chunks = cut(text, chunk_size=8).chunks
    assert len(chunks) > 2
    assert all(chunk.text.endswith("\n") for chunk in chunks)
    lengths = [len(chunk.text) for chunk in cut("'" + "é" * 50 + "'", chunk_size=10).chunks]
    assert lengths == [1, 26, 25]


def test_blank_lines_are_no_chunk():
    first, *_ = cut("\n\n\n" + "x" * 90, chunk_size=4, greedy=False).chunks
    assert first.text == "\n\n\n" + "x" * 10


def test_bytes_are_those_of_the_text():
    text = "\ufeffname = 'größe 😀'\r\n\r\ndef f():\r\n    return 1\r\n"
    chunks = cut(text, chunk_size=7).chunks
    data = text.encode()
    assert [data[chunk.start : chunk.end].decode() for chunk in chunks] == [
        "\ufeffname = 'größe 😀'\r\n\r\n",
        "def f():\r\n    return 1\r\n",
    ]
    assert chunks[1].lines == (3, 4)


def test_what_does_not_parse_is_text_and_says_so():
    prose = "This is no program. It's prose, and (of course) it goes on.\n\nFor long.\n" * 5
    for language in ("python", "javascript", "typescript", "go", "rust", "java", "cpp"):
        assert cut(prose, language, chunk_size=20).fallback
    assert cut(prose, "markdown").fallback
    assert cut("(" * 2000, chunk_size=50).fallback
    assert not cut(RETRY + "def broken(:\n    pass\n", chunk_size=50).fallback
    assert not cut("").fallback


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "x = " + " + ".join("a" * 9 for _ in range(20_000))),
        ("python", "x = [" + "1," * 100_000 + "]"),
        ("python", "x = [\n" + "1,\n" * 60_000 + "]"),
        ("python", "# comment\n" * 20_000),
        ("python", "(" * 100_000),
        ("python", "".join("\t" * n + "if x:\n" for n in range(90)) + "\t" * 90 + "y = 1\n"),
        ("c", "void f() {" + "if (a) { b(); } else " * 2000 + "{}}"),
        ("javascript", "var a=[" + ",".join(f"{{x:{n}}}" for n in range(20_000)) + "];"),
        ("javascript", "x" + "\n  .f(1)" * 20_000),
        ("ruby", "def a\n" * 300),
        ("typescript", "x if " * 20_000),
    ],
)
def test_texts_that_no_one_writes_take_no_time(language, text):
    start = time.process_time()
    cut(text, language)
    assert time.process_time() - start < 15


def test_the_standard_library():
    documents = stdlib(include=["json/", "asyncio/", "/c*.py"]).documents(hashes=False)
    chunker, count = code(), 0
    for document in documents:
        found = chunker(document)
        assert not found.fallback, document.path
        assert "".join(chunk.text for chunk in found.chunks) == document.text
        named = [name for chunk in found.chunks for name in chunk.symbols]
        expected = {each.name for each in definitions(document.text, "python")}
        assert set(named) == expected
        count += 1
    assert count > 30
