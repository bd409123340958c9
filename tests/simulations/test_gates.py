"""Gates on unchanged quality fail at most 1 % of the time, and catch what is worth catching."""

import pytest
from tests.simulations.gates import (
    BARE,
    DRAWS,
    LIMITS,
    SIZES,
    caught,
    false_alarms,
    limit_alarms,
    slow_alarms,
)

pytestmark = pytest.mark.long

MOST = 0.01
LEAST = 0.95


@pytest.mark.parametrize("queries", SIZES)
def test_one_check_on_unchanged_quality(queries, chance_bounds, record):
    trials = 2_000
    found = false_alarms(DRAWS["scores"], queries, trials=trials)
    record("gate", found["gate"])
    record("bare", found["bare"])
    low, high = chance_bounds(BARE[queries], trials, errors=4)
    assert found["gate"] <= MOST
    assert low < found["bare"] < high  # the scores are as noisy as those that it was measured on


@pytest.mark.parametrize("queries", SIZES)
def test_ranks_with_many_ties(queries, record):
    found = false_alarms(DRAWS["reciprocal ranks"], queries, trials=1_000)
    record("gate", found["gate"])
    assert found["gate"] <= MOST < found["bare"]


@pytest.mark.parametrize(("metrics", "runs", "trials"), [(3, 1, 800), (3, 4, 400)])
@pytest.mark.parametrize("queries", SIZES)
def test_several_checks_and_runs(queries, metrics, runs, trials, record):
    found = false_alarms(DRAWS["scores"], queries, metrics=metrics, runs=runs, trials=trials)
    record("gate", found["gate"])
    assert found["gate"] <= MOST


@pytest.mark.parametrize(
    ("queries", "metrics", "runs"),
    [*((n, 1, 1) for n in SIZES), *((n, m, r) for n in SIZES[1:] for m, r in [(3, 1), (3, 4)])],
)
def test_a_drop_of_twice_what_is_detectable_and_allowed(queries, metrics, runs, record):
    found = caught(queries, metrics=metrics, runs=runs, trials=400)
    record("caught", found["caught"])
    assert found["caught"] >= LEAST


@pytest.mark.parametrize("kind", LIMITS)
@pytest.mark.parametrize("queries", SIZES)
def test_a_limit_at_the_true_mean(kind, queries, record):
    found = limit_alarms(kind, queries, trials=1_000)
    record("gate", found["gate"])
    record("bare", found["bare"])
    if kind == "even scores, 0.6":
        assert found["gate"] <= MOST
    assert found["gate"] < found["bare"]


@pytest.mark.parametrize("runs", [1, 4, 12])
@pytest.mark.parametrize("queries", SIZES)
def test_equal_latencies_with_a_quarter_allowed(queries, runs, record):
    found = slow_alarms(queries, runs=runs, allowed=0.25)
    record("gate", found)
    assert found <= MOST
