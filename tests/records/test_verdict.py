"""The words of verdicts are written in one place."""

import ast
from pathlib import Path

import pytest

import assay
from assay.records.verdict import DONT_SHIP, OUTCOMES
from assay.reports.comparisons.decisions import heading


def texts(path):
    """All texts of a module that may be shown, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in lone
    ]


def test_the_words_of_verdicts_are_written_once():
    sources = Path(assay.__file__).parent.rglob("*.py")
    named = [path for path in sources if "SHIP" in path.read_text(encoding="utf-8")]
    found = [path.stem for path in named if any(DONT_SHIP in text for text in texts(path))]
    assert found == ["verdict"]


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_heading_is_the_word_of_the_verdict(outcome):
    assert heading(outcome, None) == OUTCOMES[outcome]


def test_a_heading_counts_the_queries_that_are_needed(snapshot):
    counted = heading("needs_queries", 1_200)
    assert "1,200" in counted
    snapshot(counted)
    assert heading("needs_queries", 10_000) == OUTCOMES["needs_queries"]
