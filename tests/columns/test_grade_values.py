"""What may be a grade, whatever its title, and which numbers are none."""

import pytest

from assay.columns.grade_values import is_grade_title, may_be_grades, numbers_rows


@pytest.mark.parametrize(
    "values",
    [
        *([3], [True], [None, 0], [[3, 1]], ["3"], ["n/a", "2"], ["0,5"], ["1e-05"], [".5"]),
        *(["80%"], ["3/5"], ["3 stars"], ["★★"], ["yes"], ["No"], ["✓"], ["nein"]),
        *(["relevant"], ["not relevant"], ["non-relevant"], ["Partially relevant"], ["irrelevant"]),
        *(["incorrect"], ["E", "S", "i"], ["good", "bad"], ["high", "low", ""], ["pass", "fail"]),
    ],
)
def test_grades(values):
    assert may_be_grades(values)


@pytest.mark.parametrize(
    "values",
    [
        *([], [None], [""], ["Ana"], ["ok", "Ana"], ["good", "so-so, but fine"], ["2024-05-01"]),
        *(["v2"], ["10:30"], ["easy", "hard"], ["a.md"], ["how-to"], [{"a": 1}], ["no idea"]),
    ],
)
def test_texts(values):
    assert not may_be_grades(values)


@pytest.mark.parametrize(
    "title",
    [
        *("id", "Ticket ID", "annotationId", "no", "page", "Page number", "lines", "start_line"),
        *(
            "line-number",
            "lineNumber",
            "created_at",
            "year",
            "num_tokens",
            "chunk_id",
            "Unnamed: 0",
        ),
    ],
)
def test_titles_of_numbers_that_are_no_grades(title):
    assert numbers_rows(title)


@pytest.mark.parametrize(
    "title",
    [
        "stars",
        "level",
        "valid",
        "paid",
        "rank",
        "Page Views",
        "score_no",
        "number of labels",
        "hid",
    ],
)
def test_titles_of_numbers_that_may_be_grades(title):
    assert not numbers_rows(title)


def test_titles_of_grades():
    assert all(map(is_grade_title, ["grade", "Grades", "is_relevant", "relevanceScore", "labels"]))
    assert not any(map(is_grade_title, ["graded_by", "owner", "level"]))
