import json
import math
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from assay.records.metadata import (
    MOST_CHARACTERS,
    MOST_FIELDS,
    bounded_metadata,
    document_fields,
    further_fields,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


def test_by_hand():
    given = {
        "year": 2020,
        "draft": False,
        "product": {"name": "pump", "size": {"mm": 12.5}},
        "tags": ["a", None, {"x": 1}, "b"],
        "date": date(2024, 5, 31),
        "nothing": None,
        "empty": "",
        "ratio": math.nan,
    }

    assert bounded_metadata(given) == {
        "year": 2020,
        "draft": False,
        "product.name": "pump",
        "product.size.mm": 12.5,
        "tags": ["a", "b"],
        "date": "2024-05-31",
    }


def test_what_is_longer_than_the_bounds_is_left_out():
    vector, text, number = [0.1] * 384, "x" * 1001, 10**5000
    hostile = {"vector": vector, "text": text, "number": number, "n" * 101: 1, "a\x1bb": 1, " ": 1}

    assert bounded_metadata({**hostile, "kept": "x" * 1000}) == {"kept": "x" * 1000}
    assert len(bounded_metadata({str(at): at for at in range(1000)})) == MOST_FIELDS
    assert len(bounded_metadata({str(at): "x" * 1000 for at in range(50)})) == 16
    assert bounded_metadata({"half": "\ud800"}) == {"half": "?"}


def test_objects_in_objects_end():
    deep = inner = {}
    for _ in range(5000):
        inner["a"] = inner = {"b": 1}

    assert bounded_metadata(deep) == {"a.b": 1, "a.a.b": 1, "a.a.a.b": 1}
    assert bounded_metadata("no object") == {}


@given(VALUES)
def test_whatever_is_given_can_be_written_as_json_and_is_not_large(value):
    found = bounded_metadata({"field": value, "other": [value], "inner": {"of": value}})

    text = json.dumps(found, allow_nan=False)
    assert json.loads(text) == found
    assert sum(len(name) + len(str(one)) for name, one in found.items()) <= MOST_CHARACTERS
    assert bounded_metadata(found) == found


def test_fields_of_a_record():
    record = {"id": "d1", "year": 2020, "metadata": {"year": 2021, "language": "de"}}

    assert further_fields(record, ("id",)) == {"year": 2021, "language": "de"}
    assert further_fields({"metadata": "a text"}, ()) == {}


def test_fields_of_a_document():
    named = document_fields({"year": 2020}, path="docs/A.PDF", title="T", language="")

    assert named == {"path": "docs/A.PDF", "file_type": "pdf", "title": "T", "year": 2020}
