"""Names of runs beside a table that numbers them."""

import pytest

from assay.cli.terminal.run_labels import label_run, shorten_labels
from assay.records import Report, Run

LONG = [f"both chunk_size=256 depth={at}" for at in range(6)]
THIRD = f"run 3 ({LONG[2]})"


def report(names):
    about = {"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10"}
    return Report(about, {}, {}, {}, tuple(Run(name, name, {}) for name in names))


@pytest.mark.parametrize(
    ("line", "labelled"),
    [
        (f"{LONG[2]}: SHIP. Why", f"{THIRD}: SHIP. Why"),
        (f"pick for now: {LONG[2]}. the best", f"pick for now: {THIRD}. the best"),
        (f"best quality: {LONG[2]} (0.5)", f"best quality: {THIRD[:-1]}; 0.5)"),
        (f"{LONG[2]}3: x", f"{LONG[2]}3: x"),
        ("The race stopped 2.", "The race stopped 2."),
    ],
)
def test_the_run_of_a_line_is_called_as_the_table_calls_it(line, labelled):
    assert label_run(report(LONG), line) == labelled


def test_where_tables_have_no_numbers_names_stay():
    line = "pick: both. why"
    assert label_run(report(["words", "both"]), line) == line
    assert shorten_labels(report(["words"]), ['"words" and "words"']) == ['"words" and "words"']


def test_a_name_stands_once_behind_its_number():
    told = report(LONG)
    first, last = f"run 1 ({LONG[0]})", f"run 6 ({LONG[5]})"
    lines = [f"{first} beats {last}, as {first} did", f"Pick: {first}. {first} is less than {last}"]
    assert shorten_labels(told, lines) == [
        f"{first} beats {last}, as run 1 did",
        f"Pick: {first}. run 1 is less than run 6",
    ]


def test_a_number_after_a_name_is_not_taken_for_a_part_of_it():
    told = report(LONG)
    first = f"run 1 ({LONG[0]})"
    assert shorten_labels(told, [f"{first} and", f"With {first} 2.2 results"])[1] == (
        f"With {first} 2.2 results"
    )
