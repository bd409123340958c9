"""Texts on which a grammar never ends."""

import time

from assay.corpora.chunkers.code import code
from assay.corpora.programs import _guard
from assay.corpora.programs._guard import comes_back
from assay.corpora.programs.definitions import definitions
from assay.records import Document

# No Kotlin, and its grammar mends it for ever (tree-sitter-kotlin 1.1.0).
ENDLESS = '''\
    return dimension * {"float32": 4, "float16": 2, "int8": 1}[precision] + (
    """Look at stored rows as numbers of their own type, and at the scale of each if it has one."""
    dimension_of(packed, precision)
    # Not by BLAS, whose sums depend on the place of a row and on the number of threads: numpy adds
    # up each row by itself, pairwise.
    largest = np.abs(unit).max(axis=1, initial=0.0)
    steps = 127.0 / np.where(largest > 0, largest, 1.0)
    codes = np.rint(unit * steps[:, None]).astype(np.int8)
    scales = _lengths(unit) / np.maximum(_lengths(codes), 1.0)
    packed = np.empty((len(unit), _SCALE + unit.shape[1]), np.uint8)
    packed[:, :_SCALE] = scales.astype("<f4").view(np.uint8).reshape(-1, _SCALE)
    packed[:, _SCALE:] = codes.view(np.uint8)
    return packed
'''
KOTLIN = "class Point(val x: Int) {\n    fun norm(): Int = x * x\n}\n"


def test_a_text_that_never_ends_is_cut_as_text(monkeypatch):
    monkeypatch.setattr(_guard, "SECONDS", 0.5)
    begun = time.monotonic()

    cut = code()(Document(id="a.kt", text=ENDLESS, path="a.kt", language="kotlin"))

    assert cut.fallback
    assert "".join(chunk.text for chunk in cut.chunks) == ENDLESS
    assert time.monotonic() - begun < 30
    assert definitions(ENDLESS, "kotlin") == []


def test_others_are_parsed_before_and_after_it(monkeypatch):
    monkeypatch.setattr(_guard, "SECONDS", 5)
    assert comes_back(KOTLIN.encode(), "kotlin")
    monkeypatch.setattr(_guard, "SECONDS", 0.3)
    assert not comes_back(ENDLESS.encode(), "kotlin")
    monkeypatch.setattr(_guard, "SECONDS", 5)
    assert comes_back(KOTLIN.encode(), "kotlin")
    assert next(found.name for found in definitions(KOTLIN, "kotlin")) == "Point"


def test_the_child_is_gone_when_it_did_not_end(monkeypatch):
    monkeypatch.setattr(_guard, "SECONDS", 5)
    assert comes_back(KOTLIN.encode(), "kotlin")
    child = _guard._try("tree_sitter_kotlin")._process
    monkeypatch.setattr(_guard, "SECONDS", 0.3)

    assert not comes_back(ENDLESS.encode(), "kotlin")

    assert child.poll() is not None


def test_languages_whose_grammars_end_start_nothing(monkeypatch):
    monkeypatch.setattr(_guard, "_try", None)
    assert comes_back(b"def f(): pass", "python")
