"""The fields that a Markdown file begins with."""

import pytest

from assay.corpora.sources.folder import folder
from assay.corpora.text.front_matter import front_matter


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (b"---\nlanguage: de\nyear: 2020\n---\ntext", {"language": "de", "year": 2020}),
        (b"\xef\xbb\xbf---\r\ndate: 2024-05-31\r\n...\r\ntext", {"date": "2024-05-31"}),
        (b"---\nauthor:\n  name: Ada\n---", {"author.name": "Ada"}),
        (b"--- \n---\n", {}),
        (b"text\n---\na: b\n---\n", {}),
        (b"---\na: b\n", {}),  # it has no end
        (b"---\na: [\n---\n", {}),  # no YAML
        (b"---\njust a sentence\n---\n", {}),
        (b"---\na: &x 1\nb: *x\n---\n", {}),
        (b"---\na: \xff\n---\n", {}),
        (b"---\n" + b"a: b\n" * 5000 + b"---\n", {}),
        (b"---\n" * 5000, {}),
    ],
)
def test_by_hand(data, fields):
    assert front_matter(data) == fields


def test_it_stays_in_the_text(tmp_path):
    text = "---\nlanguage: de\n---\n# Pumpe\n"
    (tmp_path / "a.md").write_text(text)
    (tmp_path / "b.txt").write_text(text)

    marked, plain = folder(tmp_path).documents()

    assert (marked.text, marked.metadata, marked.language) == (text, {"language": "de"}, "markdown")
    assert (plain.text, plain.metadata) == (text, {})
