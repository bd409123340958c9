from dataclasses import replace

import pytest
from tests.datasets.checks.given import dataset, judged, query

import assay
from assay.datasets.checks import Evidence, examine


def weighted(*weights):
    asked = [
        replace(query(f"q{at}", f"text {at}", judged("a.md")), weight=float(weight))
        for at, weight in enumerate(weights)
    ]
    return dataset(*asked)


def found(*weights):
    return examine(Evidence(weighted(*weights)), only=("weights",))["weights"]


def test_by_hand():
    finding = found(2, 8, 1, 1)  # 12^2 / (4 + 64 + 1 + 1)
    assert finding.figures["effective_queries"] == pytest.approx(144 / 70)
    assert (finding.figures["heaviest"], finding.figures["heaviest_share"]) == ("q1", 8 / 12)
    assert finding.table.rows[0] == ["q1", 8.0, pytest.approx(2 / 3)]
    assert finding.brief == "one query has 67% of the weight"
    assert finding.defects == 0


def test_equal_weights_are_nothing_to_tell():
    finding = found(5, 5, 5)
    assert finding.figures == {"effective_queries": 3}
    assert (finding.said, finding.brief, finding.table) == ("", "", None)


def test_power_is_that_of_the_effective_number_of_queries():
    one, other = (assay.audit(weighted(*weights)) for weights in ([1] * 40, [1] * 20 + [9] * 20))
    # 40 queries of which the heavier half weighs nine times as much: 200^2 / (20 + 1620) effective.
    factor = (40 / (200**2 / 1640)) ** 0.5
    for key in ("sd=0.1", "sd=0.3"):
        assert other.smallest_detectable[key] == pytest.approx(
            one.smallest_detectable[key] * factor
        )
    assert other.queries_needed["sd=0.2"]["0.05"] > one.queries_needed["sd=0.2"]["0.05"]
    assert other.power["sd=0.2"]["0.1"] < one.power["sd=0.2"]["0.1"]
    equal = assay.audit(weighted(*[7] * 40))
    assert equal.smallest_detectable == one.smallest_detectable
