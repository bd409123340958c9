import json

import pytest

from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Judgment, Query, Rationale, Reference

METADATA = {
    "task_id": "huggingface_diffusers/0",
    "ground_truth": "return x",
    "fpath_tuple": ["huggingface_diffusers", "src", "diffusers", "a.py"],
    "context_start_lineno": 0,
    "line_no": 148,
}


def read(tmp_path, *lines):
    path = tmp_path / "line_level.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return load(path)


def test_by_hand(tmp_path):
    dataset = read(tmp_path, {"prompt": "import torch\n", "metadata": METADATA})
    assert dataset.scale == 1
    assert dataset.queries == (
        Query(
            "huggingface_diffusers/0",
            "import torch\n",
            (
                Judgment(
                    Reference(path="src/diffusers/a.py"), 1, because=Rationale(lines=(149, 149))
                ),
            ),
            collection="huggingface_diffusers",
            extra={"ground_truth": "return x", "context_start_lineno": 0, "line_no": 148},
        ),
    )


def test_a_function_is_its_lines_and_its_name(tmp_path):
    body = {"ground_truth": "a = 1\nreturn a\n", "function_name": "Model.forward"}
    dataset = read(tmp_path, {"prompt": "x", "metadata": METADATA | body})
    (judgment,) = dataset.queries[0].judgments
    assert judgment.because.lines == (149, 150)
    assert judgment.reference.symbol == "Model.forward"


@pytest.mark.parametrize("odd", [None, True, "148", -1, 10**30, 1.5])
def test_an_odd_line_number_is_kept_and_means_nothing(tmp_path, odd):
    dataset = read(tmp_path, {"prompt": "x", "metadata": METADATA | {"line_no": odd}})
    assert dataset.queries[0].judgments[0].because is None


def test_it_is_written_as_it_was(tmp_path):
    line = {"prompt": "x", "metadata": METADATA}
    assert save(read(tmp_path, line), tmp_path / "o.jsonl", format="repoeval") == []
    assert json.loads((tmp_path / "o.jsonl").read_text()) == line


def test_metadata_may_come_first(tmp_path):
    assert read(tmp_path, {"metadata": METADATA, "prompt": "x"}).queries[0].text == "x"


def test_problems(tmp_path, snapshot):
    lines = [
        {"prompt": "x", "metadata": {"task_id": "t", "fpath_tuple": ["r"]}},
        {"prompt": "x", "metadata": {"fpath_tuple": ["r", "a"]}},
        {"prompt": "x", "metadata": {"task_id": "t", "fpath_tuple": ["r", ""]}},
        {"prompt": "x"},
    ]
    with pytest.raises(InputError, match="4 problems") as caught:
        read(tmp_path, *lines)
    assert 'line 2, metadata: "task_id"' in str(caught.value)
    snapshot(caught.value)
