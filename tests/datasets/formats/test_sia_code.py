import json

import pytest

from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Judgment, Query, Rationale, Reference

LINE = {
    "id": 7,
    "repo": "google_vizier",
    "path": "vizier/a.py",
    "file_content": "full source",
    "query": "client.suggest(",
    "ground_truth": "vizier/a.py",
    "line_range": [3, 9],
}


def read(tmp_path, *lines):
    path = tmp_path / "queries.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return load(path)


def test_by_hand(tmp_path):
    dataset = read(tmp_path, LINE, {**LINE, "id": "8", "line_range": None})
    first, second = dataset.queries
    reference = Reference(path="vizier/a.py")
    assert first == Query(
        "7",
        "client.suggest(",
        (Judgment(reference, 1, because=Rationale(lines=(3, 9))),),
        collection="google_vizier",
        extra={"path": "vizier/a.py", "file_content": "full source"},
    )
    assert second.judgments == (Judgment(reference, 1),)
    assert dataset.documents == ()  # gold files alone would make a corpus of right answers


def test_it_is_written_as_it_was(tmp_path):
    assert save(read(tmp_path, LINE), tmp_path / "o.jsonl", format="sia_code") == []
    assert json.loads((tmp_path / "o.jsonl").read_text()) == {**LINE, "id": "7"}


def test_a_long_file_before_the_rest_is_recognised(tmp_path):
    long = {"repo": "r", "file_content": "x" * 100_000, **LINE}
    assert read(tmp_path, long).queries[0].key == "7"


def test_problems(tmp_path, snapshot):
    lines = [
        {**LINE, "line_range": [0, 9]},
        {**LINE, "line_range": [1]},
        {**LINE, "ground_truth": ""},
    ]
    with pytest.raises(InputError, match="3 problems") as caught:
        read(tmp_path, *lines)
    assert "line 1, line_range[0]: 0 " in str(caught.value)
    snapshot(caught.value)
