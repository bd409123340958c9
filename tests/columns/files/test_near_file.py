"""What was meant is suggested, and nothing that is only called alike by its ending."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.columns.files.near_file import near_file


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("bm25.rum", ["two.run", "bm25.run"], "bm25.run"),
        ("querys.json", ["queries.json", "assay.json"], "queries.json"),
        ("assay.yml", ["assay.yaml"], "assay.yaml"),
        ("dogs", ["docs", "src"], "docs"),
        (".envv", [".env"], ".env"),
        ("nofile.yaml", ["two.yaml"], ""),
        ("a.jsonl.gz", ["b.jsonl.gz"], ""),
        ("x.yaml", ["o.yaml", "x.yml"], "x.yml"),
        ("any", [], ""),
        ("", ["a"], ""),
    ],
)
def test_by_hand(name, names, expected):
    assert near_file(name, names) == expected


@given(st.text(), st.lists(st.text(), max_size=5))
def test_it_is_one_of_those_that_are_there(name, names):
    assert near_file(name, names) in ["", *names]
