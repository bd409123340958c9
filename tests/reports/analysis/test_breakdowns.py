"""Breakdowns of many values, and of queries with weights."""

from tests.reports.analysis.test_tables import report, scores, unlike

from assay.reports.analysis.breakdowns import breakdowns
from assay.reports.runs.tables.detail import detail

NAMES = ("words", "both", "deep")


def values(number):
    return [
        {"value": f"v{at}", "queries": at, "mean": at / 1000, "scores": scores(NAMES, at / 1000)}
        for at in range(1, number + 1)
    ]


def test_of_a_thousand_values_those_of_most_queries_are_shown():
    made = report(NAMES, breakdowns={"product": values(1000)}, harder={})

    table = breakdowns(made)

    assert [row[0] for row in table.rows] == [f"product: v{at}" for at in range(976, 1001)]
    assert [row[0] for row in table.footer] == ["product: 975 values with fewer queries"]
    (one,) = [one for one in detail(made, made.runs[0]) if one.titles[0] == "product"]
    assert (len(one.rows), one.caption) == (25, "975 values with fewer queries are left out")


def test_the_sentence_has_the_means_of_the_table():
    """They are weighted where queries have weights; the tests never are."""
    found = values(2)
    found[0] |= {"mean": 0.25, "ci": [0.125, 0.5]}
    tested = {"breakdowns.year": unlike(0.02, v1=(0.4, 0.9), v2=(0.9, 0.4))}

    said = breakdowns(report(NAMES, breakdowns={"year": found}, harder=tested)).caption

    assert said.startswith('Queries with year "v1" (0.25, 95% CI 0.12 to 0.50) are')
    assert "0.4" not in said


def test_fields_of_which_nothing_was_found_share_a_sentence():
    tested = {
        "breakdowns.a": unlike(0.2, v1=(0.4, 0.5), v2=(0.5, 0.4)),
        "breakdowns.b": unlike(0.02, v1=(0.1, 0.9), v2=(0.9, 0.1)),
        "breakdowns.c": unlike(0.6, v1=(0.4, 0.5), v2=(0.5, 0.4)),
    }
    found = dict.fromkeys(("a", "b", "c", "d"), values(2)) | {"e": values(1)}

    said = breakdowns(report(NAMES, breakdowns=found, harder=tested)).caption

    assert said.count("significantly harder") == 2
    assert 'Queries with b "v1" (0.00)' in said
    assert "by value of d over all runs" in said  # not tested
    assert said.endswith(
        "No value of a and c is significantly harder or easier than the others (smallest p = 0.2)."
    )
