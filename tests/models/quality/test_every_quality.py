"""Figures of vectors: worked by hand, with planted faults, and whatever the vectors are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from scipy.stats import skew

from assay import catalogue
from assay.errors import InputError
from assay.models import quality
from assay.models.quality._occurrences import occurrences
from assay.models.quality.alignment import alignment, at_random
from assay.models.quality.anisotropy import anisotropy
from assay.models.quality.antihubs import antihubs
from assay.models.quality.effective_dimension import effective_dimension
from assay.models.quality.hubness import hubness
from assay.models.quality.uniformity import uniformity

NAMES = ["alignment", "anisotropy", "antihubs", "effective_dimension", "hubness", "uniformity"]
SINGLE = [anisotropy, antihubs, effective_dimension, hubness, uniformity]
single = pytest.mark.parametrize("measure", SINGLE, ids=lambda one: one.__name__)
sizes = st.integers(14, 40)
dimensions = st.integers(2, 24)
seeds = st.integers(0, 10_000)


def unit(rows):
    rows = np.asarray(rows, dtype=np.float64)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def gaussian(count, dimension, seed=0):
    return unit(np.random.default_rng(seed).normal(size=(count, dimension)))


def state(measure, *vectors):
    return measure.reading.state(measure(*vectors))


def test_the_room_offers_these():
    assert catalogue.names(quality) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_says_what_it_is_and_how_it_is_read(name):
    measure = catalogue.find(quality, name)
    assert measure.__doc__.strip().partition("\n")[0].endswith(".")
    reading = measure.reading
    assert reading.watch != reading.bad
    assert reading.meaning.endswith(".")
    assert reading.reason.endswith(".")
    between = (reading.watch + reading.bad) / 2
    assert reading.state(between) == "watch"


def test_anisotropy_by_hand():
    # Cosines of three vectors: 0.6, 0.8 and 0, whose mean is 1.4 / 3.
    vectors = np.array([[0.6, 0.8], [1.0, 0.0], [0.0, 1.0]], np.float32)
    assert anisotropy(vectors) == pytest.approx(1.4 / 3)


def test_uniformity_by_hand():
    # Two at a right angle: |x - y|^2 = 2, so log(exp(-4)).
    assert uniformity(np.eye(2, dtype=np.float32)) == pytest.approx(-4.0)
    assert uniformity(np.ones((5, 3), np.float32)) == pytest.approx(0.0)


def test_alignment_by_hand():
    one = np.array([[1.0, 0.0], [1.0, 0.0]], np.float32)
    other = np.array([[0.0, 1.0], [-1.0, 0.0]], np.float32)
    assert alignment(one, other) == pytest.approx((2 + 4) / 2)
    # The partners at random are the same two: the mean over all four pairs.
    assert at_random(one, other) == pytest.approx((2 + 4) / 2)


def test_effective_dimension_by_hand():
    # On the axes, both ways: every direction varies equally, and the mean is zero.
    axes = np.concatenate([np.eye(7), -np.eye(7)]).astype(np.float32)
    assert effective_dimension(axes) == pytest.approx(7.0)
    assert effective_dimension(np.concatenate([axes[[0]], axes[[7]]])) == pytest.approx(1.0)


def test_occurrences_by_hand():
    # Eleven in a narrow bundle are each other's ten nearest; the one opposite is near to nobody.
    bundle = unit(np.column_stack([np.full(11, 1.0), np.linspace(-0.1, 0.1, 11)]))
    vectors = np.concatenate([bundle, [[-1.0, 0.0]]]).astype(np.float32)
    counts = occurrences(vectors)
    assert counts[:11].min() >= 10
    assert counts[11] == 0
    assert counts.sum() == 12 * 10
    assert antihubs(vectors) == pytest.approx(1 / 12)


def test_good_vectors_are_good():
    vectors = gaussian(400, 64)
    assert [state(one, vectors) for one in SINGLE] == ["good"] * 5
    near = unit(vectors + 0.05 * gaussian(400, 64, seed=1))
    assert alignment.reading.state(alignment(vectors, near) / at_random(vectors, near)) == "good"


def test_a_narrow_cone_is_anisotropic():
    cone = unit(np.eye(64)[0] + 0.03 * np.random.default_rng(0).normal(size=(300, 64)))
    assert anisotropy(cone) > 0.9
    assert state(anisotropy, cone) == "bad"
    assert state(uniformity, cone) == "bad"


def test_one_hub_is_found():
    # The mean of all others, scaled up, is nearer to each than they are to one another.
    others = unit(np.eye(200)[0] * 0.3 + np.random.default_rng(0).normal(size=(300, 200)) * 0.05)
    hub = unit(others.mean(axis=0, keepdims=True))
    vectors = np.concatenate([hub, others])
    assert occurrences(vectors)[0] == 300
    assert state(hubness, vectors) == "bad"
    assert state(hubness, others) == "good"


def test_vectors_of_rank_two_have_few_dimensions():
    plane = gaussian(300, 2) @ np.eye(2, 128)
    assert effective_dimension(plane.astype(np.float32)) == pytest.approx(2.0, abs=0.1)
    assert state(effective_dimension, plane.astype(np.float32)) == "bad"


def test_vectors_that_nobody_is_near_to_are_counted():
    # Half of them lie in bundles of twenty; the other half alone, nearest to bundles.
    generator = np.random.default_rng(0)
    centres = np.repeat(np.eye(128)[:5], 20, axis=0)
    bundles = unit(centres + 0.01 * generator.normal(size=(100, 128)))
    alone = unit(np.eye(128)[5:105] + np.eye(128)[np.arange(100) % 5] * 0.9)
    vectors = np.concatenate([bundles, alone])
    assert antihubs(vectors) == pytest.approx(0.5, abs=0.05)
    assert state(antihubs, vectors) == "bad"


def test_pairs_at_random_are_not_aligned():
    one, other = gaussian(300, 64), gaussian(300, 64, seed=1)
    share = alignment(one, other) / at_random(one, other)
    assert share == pytest.approx(1.0, abs=0.05)
    assert alignment.reading.state(share) == "bad"


@given(sizes, dimensions, seeds)
def test_figures_agree_with_slower_ways(count, dimension, seed):
    vectors = gaussian(count, dimension, seed)
    squares = pdist(vectors.astype(np.float64), "sqeuclidean")
    assert anisotropy(vectors) == pytest.approx(1 - squares.mean() / 2, abs=1e-5)
    assert uniformity(vectors) == pytest.approx(math.log(np.exp(-2 * squares).mean()), abs=1e-4)
    values = np.linalg.eigvalsh(np.cov(vectors.T.astype(np.float64)))
    ratio = values.sum() ** 2 / (values**2).sum()
    assert effective_dimension(vectors) == pytest.approx(ratio, rel=1e-4)
    assert hubness(vectors) == pytest.approx(skew(occurrences(vectors)), abs=1e-9)


@given(sizes, dimensions, seeds)
def test_figures_stay_within_their_bounds(count, dimension, seed):
    vectors = gaussian(count, dimension, seed)
    assert -1 / (count - 1) - 1e-6 <= anisotropy(vectors) <= 1 + 1e-6
    assert -8 - 1e-6 <= uniformity(vectors) <= 1e-6
    assert 1 - 1e-6 <= effective_dimension(vectors) <= min(dimension, count - 1) + 1e-6
    assert 0 <= antihubs(vectors) < 1
    other = gaussian(count, dimension, seed + 1)
    assert 0 <= alignment(vectors, other) <= 4 + 1e-6


@given(sizes, dimensions, seeds)
def test_neither_order_nor_rotation_nor_length_counts(count, dimension, seed):
    vectors = gaussian(count, dimension, seed).astype(np.float64)
    generator = np.random.default_rng(seed)
    turned, _ = np.linalg.qr(generator.normal(size=(dimension, dimension)))
    lengths = generator.uniform(0.5, 2, size=(count, 1))
    moved = (vectors @ turned * lengths)[generator.permutation(count)]
    for measure in (anisotropy, effective_dimension, uniformity):
        assert measure(moved) == pytest.approx(measure(vectors), rel=1e-6, abs=1e-9)


@single
def test_rows_without_direction_do_not_count(measure):
    vectors = gaussian(40, 8)
    holes = np.concatenate([vectors, np.zeros((5, 8), np.float32)])
    assert measure(holes) == pytest.approx(measure(vectors))


def test_pairs_without_direction_do_not_count():
    one, other = gaussian(5, 8), gaussian(5, 8, seed=1)
    expected = alignment(one[1:], other[1:])
    other[0] = 0
    assert alignment(one, other) == pytest.approx(expected)


@pytest.mark.parametrize("measure", [anisotropy, effective_dimension, uniformity])
def test_equal_vectors_break_nothing(measure):
    assert math.isfinite(measure(np.ones((30, 4), np.float32)))


@given(st.integers(1, 60), dimensions, seeds)
def test_equal_vectors_vary_in_no_direction(count, dimension, seed):
    rows = np.repeat(gaussian(1, dimension, seed), count + 1, axis=0)
    noise = 1 + 6e-8 * np.random.default_rng(seed).choice([-1, 1], size=rows.shape)
    assert effective_dimension(rows) == 0
    assert effective_dimension((rows * noise).astype(np.float32)) == 0


@pytest.mark.parametrize("measure", [antihubs, hubness])
def test_who_is_near_whom_is_asked_of_distinct_vectors(measure):
    vectors = gaussian(60, 16)
    copies = np.concatenate([vectors, np.repeat(vectors[:3], 40, axis=0), 2 * vectors[5:9]])
    assert measure(copies) == pytest.approx(measure(vectors))
    with pytest.raises(InputError, match="4 distinct vectors"):
        measure(np.repeat(gaussian(4, 16), 50, axis=0))


def test_distinct_by_hand():
    rows = np.array([[0, 0], [1, 0], [3, 0], [0, 1], [1, 1e-8], [-1, 0], [0, 2]], np.float32)
    assert quality.distinct(rows).tolist() == [0, 2, 4]  # without the first, which has no direction


@given(sizes, st.integers(8, 24), seeds)
def test_vectors_at_random_are_all_distinct(count, dimension, seed):
    assert len(quality.distinct(gaussian(count, dimension, seed))) == count


@single
@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (4,)])
def test_too_few_vectors_are_refused(measure, shape):
    with pytest.raises(InputError):
        measure(np.ones(shape, np.float32))


@single
def test_what_is_no_number_is_refused(measure):
    vectors = gaussian(20, 4)
    vectors[3, 1] = np.nan
    with pytest.raises(InputError, match="NaN or infinite"):
        measure(vectors)


def test_what_is_no_pair_is_refused():
    with pytest.raises(InputError, match="do not form pairs"):
        alignment(gaussian(5, 4), gaussian(6, 4))
