import pytest

from assay.records import Agreement, Coefficient, Interval
from assay.reports.judging.agreement_tables import agreement_tables, agreement_value


def made(pairs, grades=(0, 1), value=0.5, low=0.3, high=0.7, note=""):
    kappa = Coefficient(value, Interval(low, high, 0.95, note))
    names = ("kappa", "kappa_linear", "kappa_quadratic")
    return Agreement(
        judges=("ann", "bob"),
        pairs=pairs,
        equal=pairs,
        only_first=0,
        only_second=0,
        grades=grades,
        confusion=tuple((0,) * len(grades) for _ in grades),
        coefficients={**dict.fromkeys(names, kappa), "alpha_ordinal": Coefficient(0.4)},
        disagreements=(),
    )


@pytest.mark.parametrize(
    ("pairs", "grades", "needed"), [(1, (1,), 8), (7, (0, 1), 8), (17, (0, 1, 3), 18), (0, (), 8)]
)
def test_few_judgments_have_no_kappa_and_it_is_told_how_many_do(pairs, grades, needed, snapshot):
    said, table = agreement_tables(made(pairs, grades))[0]
    assert table is None
    snapshot(said)
    assert f"{needed} judgments" in said
    assert ("1 judgment " in said) == (pairs == 1)
    value = agreement_value(made(pairs, grades))["agreement"]
    assert value["kappa"]["value"] is None
    assert f"{needed} judgments" in value["kappa"]["note"]
    said, table = agreement_tables(made(needed, grades))[0]
    assert table is not None
    assert said.count(f"{needed} judgments") == 1  # how many there are, not how many are needed
    assert agreement_value(made(needed, grades))["agreement"]["kappa"]["value"] == 0.5


def test_of_two_grades_there_is_one_kappa():
    assert [row[0] for row in agreement_tables(made(8))[0][1].rows] == ["kappa", "alpha, ordinal"]
    assert len(agreement_tables(made(18, (0, 1, 3)))[0][1].rows) == 4


@pytest.mark.parametrize(
    ("value", "low", "high", "word"),
    [
        (0.2, 0.1, 0.3, "slight"),
        (0.21, 0.1, 0.3, "fair"),
        (0.6, 0.1, 0.7, "moderate"),
        (0.8, 0.1, 0.9, "substantial"),
        (0.81, 0.1, 0.9, "almost perfect"),
    ],
)
def test_kappa_has_a_word_beside_it(value, low, high, word):
    said, table = agreement_tables(made(8, value=value, low=low, high=high))[0]
    assert [row[-1] for row in table.rows] == [word, ""]
    assert "Landis and Koch" in said  # whose words these are


def test_kappa_that_may_be_chance_has_no_word_of_theirs(snapshot):
    ends = [(0.7, -0.1, 1.0), (-0.1, -0.3, 0.1), (-0.36, -0.6, -0.1)]
    found = [
        agreement_tables(made(8, value=value, low=low, high=high))[0] for value, low, high in ends
    ]
    words = [table.rows[0][-1] for _, table in found]
    snapshot(words)
    assert words[0] == words[1] != words[2]  # the last is worse than chance
    assert not any("Landis" in said for said, _ in found)


def test_a_note_stays():
    said, table = agreement_tables(made(8, value=1.0, low=1.0, high=1.0, note="all equal"))[0]
    assert table.rows[0][-1] == "all equal"
    assert "Landis" not in said
