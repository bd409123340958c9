from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.statistics.krippendorff import krippendorff

N = None
# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section E: four observers,
# twelve units, missing values; the paper gives .743 nominal, .815 ordinal, .849 interval.
PAPER = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_example_of_the_paper(level, alpha):
    assert krippendorff(PAPER, level=level).value == pytest.approx(alpha, abs=5e-4)


def test_two_observers_and_two_values_from_the_paper():
    # Section A: ten units, binary: alpha .095.
    judges = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
    assert krippendorff(judges, level="nominal").value == pytest.approx(0.095, abs=5e-4)


def brute(judges, level):
    """Observed: ordered pairs within units, weighted; expected: all ordered pairs of values."""
    units = [[v for v in unit if v is not None] for unit in zip(*judges, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    values = [v for unit in units for v in unit]
    counts = Counter(values)

    def apart(a, b):
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(n for v, n in counts.items() if low <= v <= high)
        return (between - (counts[low] + counts[high]) / 2) ** 2 if a != b else 0.0

    n = len(values)
    observed = (
        sum(sum(apart(a, b) for a, b in permutations(u, 2)) / (len(u) - 1) for u in units) / n
    )
    expected = sum(apart(a, b) for a, b in permutations(values, 2)) / (n * (n - 1))
    return 1 - observed / expected


grade = st.one_of(st.none(), st.integers(0, 4))
tables = st.integers(2, 4).flatmap(
    lambda judges: st.lists(
        st.lists(grade, min_size=judges, max_size=judges), min_size=1, max_size=9
    )
)


@given(tables, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_a_brute_force_agrees(units, level):
    judges = [list(row) for row in zip(*units, strict=True)]
    paired = [[v for v in unit if v is not None] for unit in units]
    values = {v for unit in paired if len(unit) > 1 for v in unit}
    found = krippendorff(judges, level=level)
    if len(values) < 2:
        assert found.value is None
        assert ("same grade" if values else "in common") in found.note
        return
    assert found.value == pytest.approx(brute(judges, level))
    assert found.value <= 1 + 1e-12
    assert krippendorff(judges[::-1], level=level).value == pytest.approx(found.value)


def test_full_agreement_and_chance():
    assert krippendorff([[0, 1, 2], [0, 1, 2]]).value == 1
    assert krippendorff([[0, 1] * 50, [1, 0] * 50]).value == pytest.approx(-0.99)


def test_what_cannot_be_told_is_said():
    assert "in common" in krippendorff([]).note
    assert "in common" in krippendorff([[1, N], [N, 2]]).note
    assert "same grade" in krippendorff([[1, 1], [1, 1]]).note


def test_wrong_use_is_refused():
    with pytest.raises(UsageError, match="level"):
        krippendorff([[1], [1]], level="ratio")
    with pytest.raises(InputError, match="lengths"):
        krippendorff([[1, 2], [1]])
