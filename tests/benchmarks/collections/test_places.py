"""What lines and symbols mean in the text of a document."""

import pytest

from assay.benchmarks.collections.places import Passage, find_places, label_of
from assay.corpora.sources.inline import inline
from assay.datasets.resolve.resolve import resolve
from assay.records import Dataset, Document, Judgment, Query, Rationale, Reference

METHODS = "    def é(self):\r\n        pass\r\n\r\n    def b(self):\r\n        pass\r\n"
TEXT = f"class A:\r\n{METHODS}\r\nx = A()\r\n"
FILE = Document("a.py", TEXT, path="a.py", language="python")
PROSE = Document("p.md", "one\ntwo\n\nthree", path="p.md", language="markdown")


def defined(document):
    from assay.corpora.programs.defined_names import defined_names

    return defined_names(document)


def placed(*judgments, documents=(FILE, PROSE)):
    dataset = Dataset("d", (Query("q", "text", judgments),))
    found = resolve(dataset, documents, define=defined)
    return find_places(dataset, found, inline([*documents]))


def at(document, *, lines=None, symbol="", grade=1, **more):
    because = Rationale(lines=lines) if lines else None
    return Judgment(Reference(path=document, symbol=symbol, **more), grade, because=because)


def texts(place):
    data = {one.id: one.text.encode() for one in (FILE, PROSE)}[place.document]
    return data[place.start : place.end].decode()


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ((1, 1), "class A:\r\n"),
        ((2, 3), "    def é(self):\r\n        pass\r\n"),
        ((8, 8), "x = A()\r\n"),
        ((8, 99), "x = A()\r\n"),
    ],
)
def test_lines_are_bytes(lines, text):
    ((place,),) = placed(at("a.py", lines=lines)).places
    assert texts(place) == text


@pytest.mark.parametrize("lines", [(9, 9), (9, 12), (0, 1)])
def test_lines_that_are_not_there_are_not_found(lines):
    found = placed(at("a.py", lines=lines))
    assert found.places == [[]]
    assert (found.resolution.total, found.resolution.resolved) == (1, 0)
    assert found.resolution.rows[0].reason == "not_found"


def test_a_last_line_without_its_end_counts():
    ((place,),) = placed(at("p.md", lines=(4, 4))).places
    assert texts(place) == "three"


def test_a_document_without_lines_or_symbols_is_meant_as_a_whole():
    ((place,),) = placed(at("p.md")).places
    assert place.whole
    assert place.overlaps(0, 0)
    assert place == Passage("p.md")


@pytest.mark.parametrize(
    ("symbol", "more", "names"),
    [
        ("b", {}, ["A.b"]),
        ("A.b", {}, ["A.b"]),
        ("A", {}, ["A"]),
        ("a", {"match": "substring"}, ["A", "A.é", "A.b"]),
        ("c", {}, []),
    ],
)
def test_a_symbol_is_all_of_its_definition(symbol, more, names):
    (places,) = placed(at("a.py", symbol=symbol, **more)).places
    assert [one.symbols[0] for one in places] == names
    for one in places:
        text = TEXT.encode()[one.start : one.end].decode()
        assert text.split()[1].startswith(one.symbols[0][-1])
        assert text == text.rstrip()
        assert text.count("def ") == (2 if one.symbols == ("A",) else 1)


@pytest.mark.parametrize(
    ("lines", "symbols"),
    [
        ((1, 6), ("A",)),  # all of a class: the class, not its methods
        ((2, 6), ("A.é", "A.b")),  # two methods: both
        ((3, 3), ("A.é",)),  # within a method: that one
        ((1, 1), ("A",)),
        ((7, 8), ("x",)),
    ],
)
def test_lines_mean_the_symbols_that_they_hold_or_are_in(lines, symbols):
    ((place,),) = placed(at("a.py", lines=lines)).places
    assert place.symbols == symbols


def test_an_expected_file_means_its_expected_symbols():
    both = Judgment(Reference(symbol="b"), 1), Judgment(Reference(symbol="é"), 2)
    found = placed(at("a.py", grade=3), *both)
    judged = found.dataset.queries[0].judgments
    assert [(one.reference.symbol, one.grade) for one in judged] == [("b", 3), ("é", 3)]
    assert found.resolution.total == 2
    kept = placed(at("p.md", grade=3), *both)
    assert len(kept.dataset.queries[0].judgments) == 3  # another file


def test_namesakes_elsewhere_do_not_count_then():
    twin = Document("t.py", "def b(): ...\n", path="t.py", language="python")
    symbol = Judgment(Reference(symbol="b"), 1)
    found = placed(at("a.py"), symbol, documents=(FILE, twin))
    assert [one.document for one in found.places[0]] == ["a.py"]
    alone = placed(symbol, documents=(FILE, twin))
    assert [one.document for one in alone.places[0]] == ["a.py", "t.py"]


def test_places_have_names_for_people():
    assert label_of(at("a.py", lines=(2, 4)), "a.py") == "a.py:2-4"
    assert label_of(at("a.py"), "a.py") == "a.py"
