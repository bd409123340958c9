from dataclasses import replace

import pytest

from assay.records import Run
from assay.verdicts.cheaper import cheaper


def run(name, p95=(8.0, 10.0), size=1000, **more):
    low, high = p95
    middle = more.pop("p95_ms", None) or (low + high) / 2
    times = {"p95": middle, "intervals": {"p95": [low, high]}} | more
    return Run(name, name, {}, latency_ms=times, storage={"index_bytes": size})


BASE = run("base")


def test_by_hand():
    assert cheaper(BASE, run("quick", (2.0, 4.0))) == ["p95 3.00 ms against 9.00 ms"]
    assert cheaper(BASE, run("small", size=500)) == ["500 bytes against 1,000"]
    assert len(cheaper(BASE, run("both", (2.0, 4.0), 500))) == 2
    assert cheaper(BASE, run("same")) == []


@pytest.mark.parametrize(
    ("p95", "size", "what"),
    [
        ((2.0, 8.0), 1000, "the intervals touch"),
        ((2.0, 8.5), 1000, "only the point is lower"),
        ((11.0, 12.0), 500, "fewer bytes are paid for by time"),
        ((2.0, 4.0), 2000, "less time is paid for by bytes"),
        ((8.0, 10.0), 995, "so few bytes are noise"),
    ],
)
def test_what_is_not_shown_to_be_cheaper(p95, size, what):
    assert cheaper(BASE, run("other", p95, size)) == [], what


def test_a_few_bytes_more_do_not_matter():
    assert len(cheaper(BASE, run("quick", (2.0, 4.0), 1005))) == 1


def test_an_end_that_is_open_is_no_bound():
    assert cheaper(BASE, run("quick", (2.0, None), size=1000, p95_ms=3.0)) == []
    assert cheaper(run("base", (8.0, None), p95_ms=9.0), run("quick", (2.0, 4.0))) != []
    assert cheaper(run("base", (None, None), p95_ms=9.0), run("quick", (2.0, 4.0))) == []
    slow = run("slow", (11.0, None), 500, p95_ms=12.0)
    assert cheaper(BASE, slow) == []
    assert len(cheaper(run("base", (8.0, None), p95_ms=9.0), slow)) == 1


def test_a_higher_p50_pays_for_fewer_bytes_where_the_p95_is_open():
    base, slow = (
        run(name, (low, None), size, p95_ms=low, intervals={"p50": ends, "p95": [low, None]})
        for name, low, size, ends in (("base", 8, 1000, [4, 6]), ("slow", 80, 500, [40, 60]))
    )
    assert cheaper(base, slow) == []
    assert len(cheaper(slow, replace(base, storage=slow.storage))) == 0
    assert len(cheaper(slow, replace(base, storage={"index_bytes": 100}))) == 1


def test_times_that_say_nothing():
    quick = run("quick", (2.0, 4.0))
    assert cheaper(BASE, quick, silent={"quick"}) == []
    assert cheaper(BASE, replace(quick, failed={"q": "boom"})) == []
    assert cheaper(BASE, run("quick", (2.0, 4.0), concurrency=4)) == []
    assert cheaper(replace(BASE, latency_ms={}), quick) == []
    assert cheaper(BASE, replace(quick, storage={})) == ["p95 3.00 ms against 9.00 ms"]
    assert cheaper(Run("a", "a", {}), Run("b", "b", {})) == []
