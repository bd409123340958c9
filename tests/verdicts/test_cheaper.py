from dataclasses import replace

import pytest

from assay.records import Run
from assay.verdicts.cheaper import cheaper


def run(name, p95=(38.0, 42.0), size=1000, **more):
    low, high = p95
    middle = more.pop("p95_ms", None) or (low + high) / 2
    times = {"p95": middle, "intervals": {"p95": [low, high]}} | more
    return Run(name, name, {}, latency_ms=times, storage={"index_bytes": size})


BASE = run("base")


def test_by_hand(snapshot):
    (quick,) = cheaper(BASE, run("quick", (18.0, 22.0)))
    (small,) = cheaper(BASE, run("small", size=500))
    assert cheaper(BASE, run("both", (18.0, 22.0), 500)) == [quick, small]
    snapshot([quick, small])
    assert cheaper(BASE, run("same")) == []


@pytest.mark.parametrize(
    ("p95", "size", "what"),
    [
        ((18.0, 38.0), 1000, "the intervals touch"),
        ((18.0, 38.5), 1000, "only the point is lower"),
        ((51.0, 52.0), 500, "fewer bytes are paid for by time"),
        ((18.0, 22.0), 2000, "less time is paid for by bytes"),
        ((32.5, 33.0), 1000, "18 % less is not material"),
        ((38.0, 42.0), 801, "19.9 % fewer bytes are not material"),
    ],
)
def test_what_is_not_materially_cheaper(p95, size, what):
    assert cheaper(BASE, run("other", p95, size)) == [], what


def test_the_thresholds_themselves_are_material():
    assert ["32.0 ms" in one for one in cheaper(BASE, run("quick", (31.5, 32.5)))] == [True]
    assert ["800 bytes" in one for one in cheaper(BASE, run("small", size=800))] == [True]


@pytest.mark.parametrize(("p95", "material"), [((4.5, 5.5), True), ((4.6, 5.6), False)])
def test_less_than_five_milliseconds_are_not_material(p95, material):
    assert bool(cheaper(run("base", (9.0, 11.0)), run("quick", p95))) is material


def test_a_few_bytes_more_do_not_matter():
    assert len(cheaper(BASE, run("quick", (18.0, 22.0), 1005))) == 1


@pytest.mark.parametrize("which", [0, 1])
def test_times_of_a_busy_machine_decide_nothing(which):
    pair = [BASE, run("quick", (18.0, 22.0))]
    pair[which] = replace(pair[which], latency_ms=pair[which].latency_ms | {"busy": True})
    assert cheaper(*pair) == []
    slow = run("slow", (80.0, 90.0), 500, busy=True)
    assert cheaper(BASE, slow) == cheaper(BASE, run("small", size=500))  # nor shown to be slower


def test_an_end_that_is_open_is_no_bound():
    quick = run("quick", (18.0, 22.0))
    assert cheaper(BASE, run("quick", (18.0, None), size=1000, p95_ms=20.0)) == []
    assert cheaper(run("base", (38.0, None), p95_ms=40.0), quick) != []
    assert cheaper(run("base", (None, None), p95_ms=40.0), quick) == []
    slow = run("slow", (51.0, None), 500, p95_ms=52.0)
    assert cheaper(BASE, slow) == []
    assert len(cheaper(run("base", (38.0, None), p95_ms=40.0), slow)) == 1


def test_a_higher_p50_pays_for_fewer_bytes_where_the_p95_is_open():
    base, slow = (
        run(name, (low, None), size, p95_ms=low, intervals={"p50": ends, "p95": [low, None]})
        for name, low, size, ends in (("base", 8, 1000, [4, 6]), ("slow", 80, 500, [40, 60]))
    )
    assert cheaper(base, slow) == []
    assert len(cheaper(slow, replace(base, storage=slow.storage))) == 0
    assert len(cheaper(slow, replace(base, storage={"index_bytes": 100}))) == 1


def test_times_that_say_nothing():
    quick = run("quick", (18.0, 22.0))
    assert cheaper(BASE, quick, silent={"quick"}) == []
    assert cheaper(BASE, replace(quick, failed={"q": "boom"})) == []
    assert cheaper(BASE, run("quick", (18.0, 22.0), concurrency=4)) == []
    assert cheaper(replace(BASE, latency_ms={}), quick) == []
    assert cheaper(BASE, replace(quick, storage={})) == cheaper(BASE, quick) != []
    assert cheaper(Run("a", "a", {}), Run("b", "b", {})) == []
