import math

import pytest

from assay.records.gate import Check
from assay.records.interval import Interval
from assay.verdicts.gate import CheckEvidence, check_gate

ALLOW = Check("ndcg@10", "allow", 0.05, relative=True)


def decide(*, bare=False, check=ALLOW, higher=True, **known):
    known = {"current": 0.5, "baseline": 0.8} | known
    return check_gate(CheckEvidence(check, "ours", higher, **known), bare=bare)


@pytest.mark.parametrize(
    ("p", "outcome"), [(0.005, "fail"), (0.0050001, "inconclusive"), (1.0, "inconclusive")]
)
def test_the_corrected_p_decides(p, outcome):
    assert decide(p=0.0001, p_corrected=p).outcome == outcome


def test_what_keeps_its_limit_passes_whatever_p_is():
    assert decide(current=0.76, p=0.0, p_corrected=0.0).outcome == "pass"


@pytest.mark.parametrize("bare", [False, True])
def test_what_is_not_known_decides_nothing(bare):
    assert decide(bare=bare, unknown="the run was cancelled").outcome == "inconclusive"
    assert decide(bare=bare, current=None).outcome == "inconclusive"
    assert decide(bare=bare, baseline=None).outcome == "inconclusive"
    assert decide(bare=bare, broken="the run failed").outcome == "fail"


def test_without_p_and_interval_only_bare_fails():
    assert decide().outcome == "inconclusive"
    assert decide(bare=True).outcome == "fail"


@pytest.mark.parametrize(
    ("higher", "now", "then", "outcome"),
    [
        (False, (1.26, 2.0), (0.5, 1.0), "inconclusive"),  # 1.25 x 1.04 is the reach
        (False, (1.31, 2.0), (0.5, 1.04), "fail"),
        (False, (1.29, 2.0), (0.5, 1.04), "inconclusive"),
        (False, (9.0, 9.5), (0.5, math.inf), "inconclusive"),
        (True, (0.1, 0.37), (0.5, 1.0), "fail"),
        (True, (0.1, 0.38), (0.5, 1.0), "inconclusive"),
        (True, (0.1, 0.2), (-math.inf, 1.0), "inconclusive"),
    ],
)
def test_intervals_must_be_apart_by_what_is_allowed(higher, now, then, outcome):
    check = Check("latency_p95_ms", "allow", 0.25, relative=True)
    values = {"current": 0.3, "baseline": 0.9} if higher else {"current": 1.5, "baseline": 0.9}
    ends = {"interval": Interval(*now), "baseline_interval": Interval(*then)}
    if not higher and then == (0.5, 1.0):
        ends["baseline_interval"] = Interval(0.5, 1.04)
    assert decide(check=check, higher=higher, **values, **ends).outcome == outcome


def test_a_warning_keeps_a_time_from_failing():
    known = {"exact": True, "warning": "measured on a busy machine"}
    found = decide(**known)
    assert (found.outcome, found.warning) == ("inconclusive", known["warning"])


@pytest.mark.parametrize(("kind", "value"), [("min", 0.4999), ("max", 0.5001)])
def test_limits(kind, value):
    check = Check("ndcg@10", kind, 0.5)
    assert decide(check=check, current=0.5, p_corrected=0.0).outcome == "pass"
    assert decide(check=check, current=value, p_corrected=0.0).outcome == "fail"
    assert decide(check=check, current=value, p_corrected=0.1).outcome == "inconclusive"


def test_queries_needed_are_of_what_is_inconclusive():
    told = {"p": 0.02, "queries": 7, "queries_needed": 4}
    assert decide(p_corrected=0.02, **told).queries_needed == 4
    assert "4 more queries" in decide(p_corrected=0.02, **told).reason
    assert decide(p_corrected=0.001, **told).queries_needed is None
