"""Tokens of documents, chunks and definitions."""

from assay.corpora.text.count_tokens import count_tokens
from assay.corpora.unit_tokens import unit_tokens
from assay.records import Document

TEXT = "def é():\n    return 1\n\ndef b():\n    return 22\n"
FILE = Document("a.py", TEXT, path="a.py", language="python")


def test_each_unit_has_the_tokens_of_its_text():
    data = TEXT.encode()
    cut = data.index(b"def b")
    assert unit_tokens(FILE, ["a.py"]) == {"a.py": count_tokens(TEXT)}
    chunks = unit_tokens(FILE, [f"a.py#0-{cut}", f"a.py#{cut}-{len(data)}"], "chunk")
    assert sum(chunks.values()) == count_tokens(TEXT)
    symbols = unit_tokens(FILE, ["a.py::b", "a.py::gone"], "symbol")
    assert symbols == {"a.py::b": count_tokens("def b():\n    return 22")}
