"""Settings of BM25 change results on Cranfield as the literature says: a small version of it."""

import os
from pathlib import Path

import pytest

import assay

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
WHOLE = {"search": "bm25", "lexical_unit": "document", "lexical": "postings"}
WORSE = {
    "binary": {"k1": 0},
    "no-length": {"b": 0},
    "unstemmed": {"language": "none", "stop_words": "english"},
    "titles": {"fields": {"title": 5}},
}
EQUAL = {"robertson": {"k1": 2, "b": 0.5}}


def test_intervals_say_which_settings_are_worse(tmp_path):
    if not DATA.is_dir():
        pytest.skip("the collections are not part of the project; ASSAY_DATA names their folder")
    named = {"bm25": {}, **WORSE, **EQUAL}
    benchmark = {
        "dataset": str(DATA / "cranfield"),
        "metrics": ["ap"],
        "primary": "ap",
        "configurations": [{"name": name, **WHOLE, **one} for name, one in named.items()],
    }

    report = assay.run(benchmark, untimed=True, workspace=tmp_path)

    assert round(report.runs[0].scores["ap"], 4) == 0.3165
    found = {one.run: one.metrics["ap"].interval for one in report.comparisons.candidates}
    assert all(one.low < 0 for one in found.values())
    assert {name for name, one in found.items() if one.high < 0} == {*WORSE}
