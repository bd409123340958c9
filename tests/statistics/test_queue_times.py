import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.statistics.queue_times import _one, _several, queue_times

EXPONENTIAL = -np.log1p(-(np.arange(20_000) + 0.5) / 20_000)  # of mean 1, by its quantiles


def test_by_hand():
    # Three come at 0, 1 and 2 and take 2 each: they begin at 0, 2 and 4; with two workers the
    # third waits for none, and with one worker a late fourth finds it free.
    arrivals, takes = np.array([0.0, 1.0, 2.0, 9.0]), np.array([2.0, 2.0, 2.0, 2.0])
    assert _one(arrivals, takes).tolist() == [0.0, 1.0, 2.0, 0.0]
    assert _several(arrivals, takes, 1).tolist() == [0.0, 1.0, 2.0, 0.0]
    assert _several(arrivals, takes, 2).tolist() == [0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("load", [0.3, 0.7])
def test_exponential_services_agree_with_the_formula(load):
    # M/M/1: the response is exponential with rate 1 - load.
    found = queue_times(EXPONENTIAL, rate=load, requests=400_000)
    assert found.mean() == pytest.approx(1 / (1 - load), rel=0.03)
    assert np.quantile(found, 0.95) == pytest.approx(-math.log(0.05) / (1 - load), rel=0.04)


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_equal_services_agree_with_the_formula(load):
    # M/D/1, Pollaczek and Khinchine: the wait is load / (2 (1 - load)).
    found = queue_times(np.array([1.0]), rate=load, requests=400_000)
    assert found.mean() == pytest.approx(1 + load / (2 * (1 - load)), rel=0.03)


@pytest.mark.parametrize(("workers", "load"), [(2, 0.6), (4, 0.8)])
def test_several_workers_agree_with_erlang(workers, load):
    offered = workers * load
    last = offered**workers / math.factorial(workers) / (1 - load)
    waits = last / (sum(offered**k / math.factorial(k) for k in range(workers)) + last)
    expected = 1 + waits / (workers * (1 - load))
    found = queue_times(EXPONENTIAL, rate=offered, workers=workers, requests=150_000)
    assert found.mean() == pytest.approx(expected, rel=0.03)


def test_enough_workers_let_nobody_wait():
    found = queue_times(np.array([1.0, 3.0]), rate=10.0, workers=1000, requests=1000)
    assert set(np.round(found, 9).tolist()) == {1.0, 3.0}
    assert len(found) == 900  # the first tenth is left out


services = st.lists(st.floats(0.01, 10), min_size=1, max_size=6).map(np.array)


@settings(max_examples=30)
@given(services, st.floats(0.01, 5), st.integers(1, 4), st.integers(0, 5))
def test_time_never_falls_with_the_load_and_is_never_less_than_the_service(times, rate, many, seed):
    options = {"workers": many, "requests": 200, "seed": seed}
    calm = queue_times(times, rate=rate, **options)
    busy = queue_times(times, rate=1.5 * rate, **options)
    assert (busy >= calm - 1e-9 * (1 + calm)).all()
    assert calm.min() >= times.min() * (1 - 1e-9)
    assert calm.tolist() == queue_times(times, rate=rate, **options).tolist()


@settings(max_examples=30)
@given(services, st.floats(0.01, 5), st.integers(0, 5))
def test_one_worker_is_the_same_by_sums_and_by_hand(times, rate, seed):
    rng = np.random.default_rng(seed)
    arrivals, takes = np.cumsum(rng.exponential(size=50)) / rate, rng.choice(times, 50)
    assert _one(arrivals, takes) == pytest.approx(_several(arrivals, takes, 1), abs=1e-6)


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="hint"):
        queue_times(np.array([]), rate=1.0)
    for wrong in ({"rate": 0.0}, {"rate": math.nan}, {"rate": 1.0, "workers": 0}):
        with pytest.raises(UsageError, match="invalid queue"):
            queue_times(np.array([1.0]), **wrong)
