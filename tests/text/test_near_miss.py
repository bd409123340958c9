"""Names that were probably meant, and that all of Assay finds them in one place."""

from pathlib import Path

import pytest

import assay
from assay.text.near_miss import did_you_mean, near_miss, near_misses


def test_the_nearest_name_comes_first():
    assert near_misses("bm25", ["bm25f", "dense", "bm2"]) == ["bm25f", "bm2"]
    assert near_miss("bm25", ["dense", "bm25f"]) == "bm25f"


@pytest.mark.parametrize(("alike", "found"), [(0.5, "recall"), (0.9, "")])
def test_who_calls_says_how_much_two_names_must_have_in_common(alike, found):
    assert near_miss("recal@5", ["recall"], alike=alike) == found


def test_a_hint_lists_the_names_or_says_otherwise():
    assert did_you_mean("zzz", ["a", "b"]) == "expected one of: a, b"
    assert did_you_mean("zzz", ["a", "b"], otherwise="") == ""
    assert did_you_mean("modle", iter(["model"]), otherwise="") == 'did you mean "model"?'


def test_near_misses_are_found_in_one_place():
    sources = Path(assay.__file__).parent.rglob("*.py")
    found = [path.stem for path in sources if "get_close_matches" in path.read_text("utf-8")]
    assert found == ["near_miss"]
