import math

import pytest

from assay.statistics.power import power
from assay.statistics.smallest_detectable import smallest_detectable


def test_a_known_figure():
    # G*Power 3.1, sensitivity: .4949 of a spread is found 80 % of the time by 34 pairs.
    assert smallest_detectable(sd=1, queries=34) == pytest.approx(0.4949, abs=1e-3)


@pytest.mark.parametrize("queries", [2, 10, 225, 6980])
@pytest.mark.parametrize("candidates", [1, 4, 50])
def test_its_power_is_the_target(queries, candidates):
    found = smallest_detectable(sd=0.3, queries=queries, candidates=candidates)
    assert power(found, sd=0.3, queries=queries, candidates=candidates) == pytest.approx(0.8)


def test_edges():
    assert smallest_detectable(sd=0.0, queries=10) == 0.0
    assert smallest_detectable(sd=0.3, queries=1) == math.inf
    assert smallest_detectable(sd=math.inf, queries=10) == math.inf


def test_it_scales_with_the_spread():
    assert smallest_detectable(sd=0.2, queries=50) == pytest.approx(
        2 * smallest_detectable(sd=0.1, queries=50)
    )
