"""An example can be pasted, whatever the documents are called."""

import pytest

from assay.benchmarks.starter.example_questions import example_questions
from assay.columns.documents.strict_yaml import strict_yaml


@pytest.mark.parametrize("number", [0, 1, 2, 3, 9])
def test_only_documents_that_exist_are_named(number):
    documents = [f"{at}/no" for at in range(number)]
    read = strict_yaml(example_questions(documents).encode(), where="x").value or []
    assert [one for entry in read for one in entry["expected_files"]] == documents[:3]
    assert len({entry["query"] for entry in read}) == len(read) == min(number, 2)


@pytest.mark.parametrize("name", ["no", "a b", "12", "ü.md", "a: b", "#x", "null", "[a].md", "-"])
def test_any_name(name):
    (read,) = strict_yaml(example_questions([name]).encode(), where="x").value
    assert read["expected_files"] == [name]
