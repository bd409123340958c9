"""Documents at hand become a corpus."""

from hashlib import sha256

import pytest

from assay.corpora.sources.inline import inline
from assay.errors import InputError
from assay.records import Document


def test_by_hand():
    given = [
        Document(id="a", text="grün", path="src/a.py"),
        Document(id="b", text="x", content_hash="given", size_bytes=9),
    ]
    corpus = inline(iter(given), name="mine")
    first, second = corpus.documents()
    assert (first.file_name, first.language, first.size_bytes) == ("a.py", "python", 5)
    assert first.content_hash == sha256("grün".encode()).hexdigest()
    assert (second.content_hash, second.size_bytes) == ("given", 9)
    assert (corpus.name, corpus.skipped) == ("mine", {})
    assert list(corpus.documents()) == [first, second]
    assert next(corpus.documents(hashes=False)).content_hash == ""


def test_none_at_all():
    assert list(inline([]).documents()) == []


def test_what_is_refused():
    with pytest.raises(InputError, match='"a"'):
        inline([Document(id="a"), Document(id="a")])
    with pytest.raises(InputError, match="item 2"):
        inline([Document(id="a"), "b"])
