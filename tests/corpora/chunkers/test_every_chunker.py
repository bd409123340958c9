"""What every chunker keeps to, on spliced programs and prose of all kinds."""

from inspect import signature
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.catalogue import find, names
from assay.corpora import chunkers, languages
from assay.corpora.convert import PAGE
from assay.corpora.programs.definitions import definitions
from assay.corpora.text.ruler import by_characters, by_tokens
from assay.errors import InputError
from assay.records import Document

NAMES = names(chunkers)
PARTS = [
    'def f(x):\n    # why\n    return [x, \'größe\', """a\nb"""]\n',
    "class A:\n    @property\n    def b(self): ...\n\n    def c(self):\n        return 1\n",
    "function f(a) { return a.map((x) => x + 1); }\n",
    "type T struct{ a int }\nfunc (t *T) F() int {\n\treturn t.a\n}\n",
    "/// doc\n#[inline]\npub fn f() -> i32 { 1 }\nimpl A { fn b(&self) {} }\n",
    "public class A {\n  /** says */\n  int b() { return c(1); }\n}\n",
    "#define X 1\nstatic int f(int a) {\n  if (a) {\n    return X;\n  }\n  return 0;\n}\n",
    "namespace a {\nclass B { int c() { return 1; } };\n}\n",
    "module A\n  def self.b(c) = c\nend\n",
    "<?php\nfunction f($a) { return $a->b(); }\n",
    "fun f(a: Int): Int {\n    return a\n}\n",
    "# Title\n\nA paragraph. With sentences! And more?\n\n## Part\n\n- one\n- two\n",
    "```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "Heading\n=======\n\ntext\n",
    "漢字かな交じり文。次の文。",
    "😀é\u2028\ufeff",
    "x" * 90,
    "((((",
    "}\n",
    "\n\n   \n",
    "\t",
    "\r\n",
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=9).map("".join),
    st.lists(st.sampled_from(PARTS), max_size=9).map(lambda p: "".join(p).replace("\n", "\r\n")),
    st.text(max_size=200),
)
LANGUAGES = st.sampled_from([*names(languages), "markdown", "rst", "text", ""])
SIZES = st.sampled_from([1, 2, 5, 20, 60])


def chunker(name, **settings):
    return find(chunkers, name)(**settings)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(NAMES), TEXTS, LANGUAGES, SIZES)
def test_the_chunks_are_the_document(name, text, language, size):
    takes_size = "chunk_size" in signature(find(chunkers, name)).parameters
    sized = {"chunk_size": size} if takes_size else {}
    chunks = chunker(name, **sized)(Document("d", text, language=language, path="p")).chunks
    text = text.encode("utf-8", "replace").decode()
    data = text.encode()
    assert "".join(chunk.text for chunk in chunks) == (text if text.strip() else "")
    assert all(one.end == two.start for one, two in pairwise(chunks))
    for chunk in chunks:
        assert chunk.text == data[chunk.start : chunk.end].decode()
        assert chunk.text.strip(" \t\r\n\v\f")
        assert chunk.lines[0] == data[: chunk.start].count(b"\n") + 1
        assert chunk.lines[1] == data[: chunk.end - 1].count(b"\n") + 1
        assert (chunk.document, chunk.path, chunk.page) == ("d", "p", 0)
        assert chunk.id == f"d#{chunk.start}-{chunk.end}"


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(NAMES), st.lists(TEXTS, min_size=1, max_size=6), SIZES, st.booleans())
def test_chunks_know_their_page(name, pages, size, overlapping):
    """Pages that a converter kept are parted by form feeds, and chunks say where they begin."""
    known = signature(find(chunkers, name)).parameters
    wanted = {"chunk_size": size + 1, "overlap": int(overlapping)}
    pages = [page.replace("\f", "") for page in pages]
    text = PAGE.join(pages)
    paged = Document("d", text, metadata={"pages": len(pages)}, converter="pdf 1")
    chunks = chunker(name, **{key: wanted[key] for key in wanted if key in known})(paged).chunks
    data = text.encode("utf-8", "replace")
    for chunk in chunks:
        blank = len(chunk.text) - len(chunk.text.lstrip(" \t\r\n\v\f"))
        before = data[: chunk.start + len(chunk.text[:blank].encode())]
        assert chunk.page == before.count(b"\f") + 1
    if not overlapping:
        assert "".join(chunk.text for chunk in chunks) == (data.decode() if text.strip() else "")


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(["auto", "code"]),
    TEXTS,
    LANGUAGES,
    SIZES,
    st.sampled_from([0, 0.5, 1]),
    st.booleans(),
    st.booleans(),
)
def test_code_keeps_to_its_budget_and_names_each_definition_once(
    name, text, language, size, merge_below, greedy, small
):
    least = size // 4 if small else 0
    options = {"merge_below": merge_below, "greedy": greedy, "min_chunk": least}
    document = Document("d", text, language=language)
    found = chunker(name, chunk_size=size, **options)(document)
    data = text.encode("utf-8", "replace")
    if found.fallback or language not in names(languages):
        assert all(by_tokens(data).size(each.start, each.end) <= size for each in found.chunks)
        return
    ruler, most = by_characters(data), round(size * 2.6) + round(least * 2.6)
    assert all(ruler.size(chunk.start, chunk.end) <= most for chunk in found.chunks)
    for each in definitions(text, language):
        assert sum(each.name in chunk.symbols for chunk in found.chunks) >= 1
    count = len({each.name for each in definitions(text, language)})
    assert len({name for chunk in found.chunks for name in chunk.symbols}) == count


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(["fixed", "text"]), TEXTS, LANGUAGES, SIZES, st.data())
def test_overlapping_chunks_go_on(name, text, language, size, draw):
    overlap = draw.draw(st.integers(0, size - 1))
    made = chunker(name, chunk_size=size, overlap=overlap)
    chunks = made(Document("d", text, language=language)).chunks
    ruler = by_tokens(text.encode("utf-8", "replace"))
    assert all(ruler.size(chunk.start, chunk.end) <= size for chunk in chunks)
    for one, two in pairwise(chunks):
        assert one.start <= two.start <= one.end < two.end
        assert ruler.size(two.start, one.end) <= overlap
    if chunks:
        assert (chunks[0].start, chunks[-1].end) == (0, len(ruler.data))


@pytest.mark.parametrize("name", NAMES)
def test_a_document_without_words_has_no_chunks_unless_it_has_a_title(name):
    for text in ("", " \n\t\r\n", "\u2028"):
        assert chunker(name)(Document("d", text, language="python")).chunks == ()
    (chunk,) = chunker(name)(Document("d", "\n", title="Only a title")).chunks
    assert (chunk.text, chunk.title, chunk.lines) == ("", "Only a title", (1, 1))


@pytest.mark.parametrize("name", NAMES)
def test_half_a_surrogate_pair_harms_nothing(name):
    (chunk,) = chunker(name)(Document("d", "a\ud800b")).chunks
    assert chunk.text == "a?b"


@pytest.mark.parametrize("name", NAMES)
def test_the_same_document_gives_the_same_chunks(name):
    document = Document("d", "".join(PARTS[:3]) * 30, language="python")
    assert chunker(name)(document) == chunker(name)(document)


@pytest.mark.parametrize(
    ("name", "given", "named"),
    [
        ("fixed", {"chunk_size": 0}, "0"),
        ("fixed", {"chunk_size": "9"}, '"9"'),
        ("text", {"chunk_size": True}, "true"),
        ("text", {"overlap": -1}, "-1"),
        ("fixed", {"chunk_size": 8, "overlap": 8}, "overlap 8 "),
        ("code", {"min_chunk": 256}, "chunk_size 256"),
        ("code", {"merge_below": 1.5}, "1.5"),
        ("code", {"merge_below": float("nan")}, "nan"),
        ("code", {"greedy": "no"}, '"no"'),
        ("code", {"characters_per_token": 0}, "0"),
        ("auto", {"chunk_size": 2.5}, "2.5"),
    ],
)
def test_settings_that_cannot_apply_are_refused(name, given, named):
    with pytest.raises(InputError) as raised:
        chunker(name, **given)
    assert named in raised.value.problem
    assert next(reversed(given)) in raised.value.problem
    assert raised.value.where.startswith("chunker ")
    assert raised.value.hint
