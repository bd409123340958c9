"""Times are compared only where as many queries were asked at once."""

from dataclasses import replace

from assay.benchmarks.runs.notes import mixed_loads
from assay.benchmarks.work.ask import at_once
from assay.records import Run


def run(name, **latency):
    return Run(name, name, {}, latency_ms=latency)


def test_runs_that_were_asked_differently_are_named(snapshot):
    runs = [run("words", p50=1.0), run("theirs", p50=2.0, concurrency=4), run("recorded")]
    (note,) = mixed_loads(runs)
    assert '"theirs" 4' in note
    snapshot(note)


def test_runs_that_were_asked_alike_are_not():
    assert not list(mixed_loads([]))
    assert not list(mixed_loads([run("a", p50=1.0), run("recorded", concurrency=4)]))
    both = [run("a", p50=1.0, concurrency=4), run("b", p50=1.0, concurrency=4)]
    assert not list(mixed_loads(both))


def test_runs_whose_times_say_nothing_are_not_counted():
    other = run("theirs", p50=2.0, concurrency=4)
    for one in (replace(other, failed={"q": "KeyError"}), replace(other, status="beaten")):
        assert not list(mixed_loads([run("words", p50=1.0), one]))
    assert not list(mixed_loads([run("words", p50=1.0), other], silent={"theirs"}))


def test_all_of_them_are_done_and_what_is_raised_is_raised():
    assert sorted(at_once(lambda one: one * 2, range(500), most=7)) == list(range(0, 1000, 2))
    assert list(at_once(str, [], most=7)) == []
    done = []

    def fail(one):
        done.append(one)
        raise KeyError(one)

    try:
        list(at_once(fail, range(10_000), most=2))
    except KeyError:
        pass
    else:
        raise AssertionError("nothing was raised")
    assert len(done) <= 2  # one for each thread: the others are left
