"""Code where a grammar is, text elsewhere; and documents in one piece."""

import pickle

from assay.corpora.chunkers.auto import auto
from assay.corpora.chunkers.code import code
from assay.corpora.chunkers.text import text
from assay.corpora.chunkers.whole import whole
from assay.records import Document

PROGRAM = Document("a", "".join(f"def {n}():\n    return 1\n\n" for n in "fgh"), language="python")
PROSE = Document("b", "# A\n\nSome words.\n\n# B\n\nMore words.\n", language="markdown", title="T")


def test_each_is_cut_its_own_way():
    made = auto(chunk_size=6, overlap=2)
    assert made(PROGRAM) == code(chunk_size=6)(PROGRAM)
    assert made(PROSE) == text(chunk_size=6, overlap=2)(PROSE)
    assert len(made(PROGRAM).chunks) == 3
    assert not made(PROSE).fallback


def test_settings_reach_the_code():
    made = auto(chunk_size=12, merge_below=0, greedy=False)
    assert made(PROGRAM) == code(chunk_size=12, merge_below=0, greedy=False)(PROGRAM)
    assert [len(each(PROGRAM).chunks) for each in (made, auto(chunk_size=12))] == [3, 2]


def test_whole():
    (chunk,) = whole()(PROSE).chunks
    assert (chunk.text, chunk.title, chunk.kind, chunk.lines) == (
        PROSE.text,
        "T",
        "document",
        (1, 7),
    )


def test_chunkers_go_to_other_processes():
    assert pickle.loads(pickle.dumps(auto()))(PROSE) == auto()(PROSE)
