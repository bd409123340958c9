"""Models are opened once for each device, and a report says what they computed on."""

import json

import numpy as np
import pytest
from onnx import helper
from tests.models.conftest import graph, words

import assay
from assay.searches.configuration.configuration import effective
from assay.searches.open_models import OpenModels

CPU = "CPUExecutionProvider"


@pytest.fixture
def folder(tmp_path):
    """A model of seven words beside a small benchmark."""
    (tmp_path / "model").mkdir()
    node = helper.make_node("Gather", ["table", "input_ids"], ["out"])
    table = {"table": np.eye(7, dtype=np.float32)}
    made = graph([node], table, ("out", [1, "t", 7]), ["input_ids"])
    (tmp_path / "model" / "model.onnx").write_bytes(made)
    words().save(str(tmp_path / "model" / "tokenizer.json"))
    (tmp_path / "docs").mkdir()
    for at, text in enumerate(["a a b", "b c", "c d d"]):
        (tmp_path / "docs" / f"{at}.txt").write_text(text)
    lines = [{"query": text, "relevant": [f"{at}.txt"]} for at, text in enumerate("abd")]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path


def test_a_model_is_opened_once_for_each_device(folder):
    models = OpenModels(folder)
    given = {"search": "dense", "model": f"onnx:{folder / 'model'}"}
    plain, cpu, auto = (effective({**given, "device": one}) for one in (None, "cpu", "auto"))
    assert models.embedder(cpu) is models.embedder(cpu) is not models.embedder(auto)
    assert models.devices == {given["model"]: {"cpu": CPU, "auto": CPU}}
    assert models.embedder(plain).fingerprint == models.embedder(cpu).fingerprint


def test_a_report_says_what_a_model_computed_on(folder):
    given = {
        "dataset": str(folder / "queries.jsonl"),
        "corpus": str(folder / "docs"),
        "metrics": ["mrr"],
        "configurations": [
            {"name": "words", "search": "lexical"},
            {"name": "m", "search": "dense", "model": str(folder / "model"), "device": "auto"},
        ],
    }
    report = assay.run(given, workspace=folder / "work", untimed=True)
    assert report.environment["devices"] == {str(folder / "model"): {"auto": CPU}}
    assert report.runs[1].configuration["device"] == "auto"
    given["configurations"][1].pop("device")
    assert "devices" not in assay.run(given, workspace=folder / "work", untimed=True).environment
