"""docs/structure.md says of every setting and every field what the program does."""

import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from assay.benchmarks.structure.method_scores import METHODS
from assay.benchmarks.structure.receipts import count_fallbacks, count_gates, distributions
from assay.engines.coherence.study import study
from assay.records import CoherenceSettings, MmrSettings, Structure
from assay.reports.searches.receipt_json import receipt_json
from assay.reports.structure.json import json as structure_json
from assay.searches.configuration.nested_settings import SPELLED, STAGES

TEXT = (Path(__file__).parents[2] / "docs" / "structure.md").read_text()
RECORDS = {"coherence": CoherenceSettings(), "mmr": MmrSettings()}
TITLES = {"coherence": "Settings of coherence", "mmr": "Settings of MMR"}


def section(title):
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(title):
    """Return the first two cells of each row, names without their marks."""
    found = re.findall(r"^\| (`.+?) \| (.*?) \|", section(title), re.MULTILINE)
    return {name: rest for names, rest in found for name in re.findall(r"`(\w+)`", names)}


def written(value):
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return str(value)


@pytest.mark.parametrize("stage", STAGES)
def test_settings_are_those_of_the_program_in_their_order(stage):
    assert list(rows(TITLES[stage])) == list(STAGES[stage])


@pytest.mark.parametrize(
    ("stage", "name"), [(stage, name) for stage, known in STAGES.items() for name in known]
)
def test_defaults_are_those_of_the_records(stage, name):
    default = getattr(RECORDS[stage], SPELLED.get(name, name))

    assert rows(TITLES[stage])[name] == written(default)


@pytest.mark.parametrize("stage", STAGES)
def test_what_a_record_has_can_be_set(stage):
    typed = {field: word for word, field in SPELLED.items()}
    known = [typed.get(field.name, field.name) for field in fields(RECORDS[stage])]

    assert known == list(STAGES[stage])


@pytest.fixture(scope="module")
def studied():
    return study(np.eye(3), np.array([1.0, 0.5, 0.2]), names=["a", "b", "c"])


def test_fields_of_a_receipt_are_those_of_its_json(studied):
    told = receipt_json(studied.receipt)

    assert set(rows("The receipt")) == set(told)
    for key in (*told["items"][0], *told["terms"], *told["iterations"], *told["latency_ms"]):
        assert f"`{key}`" in section("The receipt"), key


def test_methods_are_those_that_are_scored(studied):
    assert list(rows("What a run shows")) == list(METHODS)
    assert set(studied.orders) == set(METHODS)


def test_keys_of_the_report_are_there():
    empty = {
        field.name: () if field.name in ("methods", "notes") else {} for field in fields(Structure)
    }
    empty |= {"primary": "ndcg@10", "redundancy": None, "suggested_alpha": None, "verdict": ""}
    empty |= {"returned": "coherence"}
    told = section("What a run shows")

    for key in structure_json(Structure(**empty)):
        assert f"`{key}`" in told, key


def test_distributions_are_named(studied):
    told = section("What a run shows")

    for name in distributions([studied.receipt]):
        assert f"`{name}`" in told or name.startswith("iterations_"), name


def test_parts_gates_and_fallbacks_are_named(studied):
    named = {*count_gates([studied.receipt]), *count_fallbacks([studied.receipt])} - {"none"}

    for name in (*named, "ungated", "gated", "fallback"):
        assert f"`{name}`" in TEXT, name
