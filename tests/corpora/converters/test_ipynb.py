"""Notebooks: their cells, without what they printed."""

import json

import pytest
from tests.corpora.converters.made_files import ipynb

from assay.corpora.converters._shape import UnreadableError
from assay.corpora.converters.ipynb import ipynb as converter


def test_by_hand():
    found = converter.convert(ipynb("# Title\n\nText", ">x = 1\nprint(x)", "The end"))

    fence = "```python\nx = 1\nprint(x)\n```"
    assert found.pages == ["# Title\n\nText", fence, "The end"]
    assert found.metadata == {"language": "python", "pages": 3}


def test_fences_in_code_and_older_formats():
    (page,) = converter.convert(ipynb('>x = """```"""', language="")).pages
    assert page == '~~~~\nx = """```"""\n~~~~'
    cells = [{"cell_type": "code", "input": ["a = 1\n", "b"], "language": "python"}]
    older = {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}
    assert converter.convert(json.dumps(older).encode()).pages == ["```\na = 1\nb\n```"]
    older["worksheets"][0]["cells"] = [{"cell_type": "heading", "level": 2, "source": ["Title"]}]
    assert converter.convert(json.dumps(older).encode()).pages == ["## Title"]


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"[]",
        b"{}",
        b'{"cells": {}}',
        b'{"cells": [1]}',
        b"\xff\xfe",
        b'{"cells": [' * 100_000,
        b'{"cells": [], "metadata": 3}',
    ],
)
def test_what_is_no_notebook(data):
    with pytest.raises(UnreadableError, match="damaged"):
        converter.convert(data)


def test_a_source_that_is_neither_text_nor_lines():
    cells = [{"cell_type": "code", "source": {"a": 1}}, {"cell_type": 3, "source": [1, None]}]
    found = converter.convert(json.dumps({"cells": cells, "metadata": {"title": 7}}).encode())
    assert all(isinstance(page, str) for page in found.pages)
