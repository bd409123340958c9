import json as plain_json

from tests.reports.gates.made import HOSTILE, gate, result

from assay.reports.gates.json import json

PROMISED = {
    *("metric", "baseline", "current", "delta", "relative", "allowed", "p", "outcome", "reason"),
}


def test_the_keys_that_programs_rely_on():
    found = json(gate([result(at, text=HOSTILE[0]) for at in range(3)]))
    assert found["outcome"] == "fail"
    assert all(set(one) >= PROMISED for one in found["checks"])
    assert plain_json.loads(plain_json.dumps(found, allow_nan=False)) == found
    assert [one["outcome"] for one in found["checks"]] == ["fail", "inconclusive", "pass"]


def test_numbers_are_not_rounded():
    (one,) = json(gate([result(1)]))["checks"]
    assert one["current"] == 0.9 - 1 / 1e6
