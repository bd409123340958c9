"""Whatever workers do in whatever order, the ledger holds what a dict would hold."""

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

import assay.workspace.ledger.ledger as opened
from assay.errors import CancelledError, FencedError
from assay.records.work import RecordedAnswer, Unit

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
UNITS = {
    "i": Unit("i", "build", "i"),
    "s": Unit("s", "stage", "s", ("i",), 2),
    "t": Unit("t", "stage", "t", ("s",), 3),
    "x": Unit("x", "search", "x", (), 2),
}
ORDERS = {"one": ["i", "s", "t"], "two": ["x", "i", "s"]}
LEASE_S = 10.0
which = st.sampled_from(["one", "two"])
some_rows = st.lists(
    st.builds(
        RecordedAnswer,
        st.sampled_from(["a", "b", "ü"]),
        st.integers(0, 1),
        st.one_of(st.none(), st.binary(max_size=3)),
        st.dictionaries(st.sampled_from(["x"]), st.floats(0, 1)),
        st.sampled_from(["", "", "wrong"]),
    ),
    max_size=4,
)


@dataclass
class Kept:
    """A unit as a dict has it."""

    state: str = "pending"
    fence: int = 0
    until: float = 0.0
    claimed_for: str = ""
    error: str = ""
    rows: dict = field(default_factory=dict)


class Work(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.now = 0.0
        self.folder = tempfile.mkdtemp(dir=MEMORY)
        self.ledger = opened.open_ledger(Path(self.folder) / "l.sqlite", clock=lambda: self.now)
        self.ids, self.kept, self.cancelled, self.claims = {}, {}, set(), []
        for name, order in ORDERS.items():
            self.ids[name] = self.begin(name, resume=False)
            self.ledger.prepare(self.ids[name], [UNITS[key] for key in order])
            self.kept |= {key: Kept() for key in order}

    def begin(self, name, *, resume):
        return self.ledger.begin(identity=name, name=name, about={}, runs=[name], resume=resume).id

    def teardown(self):
        self.ledger.close()
        shutil.rmtree(self.folder)

    def free(self, key):
        unit = self.kept[key]
        ready = all(self.kept[need].state == "completed" for need in UNITS[key].needs)
        over = unit.state == "running" and unit.until <= self.now
        return ready and (unit.state == "pending" or over)

    def ours(self, claim):
        unit = self.kept[claim.unit.key]
        return unit if unit.state == "running" and unit.fence == claim.fence else None

    @rule(name=which, at=st.integers(0, 2))
    def claim(self, name, at):
        if name in self.cancelled:
            try:
                self.ledger.claim(self.ids[name], "w")
            except CancelledError:
                return
            raise AssertionError
        claim = self.ledger.claim(self.ids[name], f"worker {at}", lease_s=LEASE_S)
        free = [key for key in ORDERS[name] if self.free(key)]
        assert (claim.unit.key if claim else None) == (free[0] if free else None)
        if claim:
            unit = self.kept[free[0]]
            unit.state, unit.fence, unit.claimed_for = "running", unit.fence + 1, name
            unit.until, unit.error = self.now + LEASE_S, ""
            assert claim.fence == unit.fence
            self.claims.append(claim)

    @rule(data=st.data(), rows=some_rows)
    def record(self, data, rows):
        claim, unit = self.some(data)
        if claim is None:
            return
        ended = ""
        try:
            self.ledger.record(claim, rows)
        except (FencedError, CancelledError) as error:
            ended = type(error).__name__
        if unit is None:
            assert ended == "FencedError"
            return
        assert ended == ("CancelledError" if unit.claimed_for in self.cancelled else "")
        unit.until = self.now + LEASE_S
        for row in rows:
            unit.rows.setdefault((row.query, row.round), row)

    @rule(data=st.data(), how=st.sampled_from(["complete", "fail", "release"]))
    def end(self, data, how):
        claim, unit = self.some(data)
        if claim is None:
            return
        act = {
            "complete": lambda: self.ledger.complete(claim, {"fence": claim.fence}),
            "fail": lambda: self.ledger.fail(claim, "why"),
            "release": lambda: self.ledger.release(claim),
        }[how]
        try:
            act()
        except FencedError:
            assert unit is None
            assert how != "release"
            return
        assert unit is not None or how == "release"
        if unit is not None:
            unit.state = {"complete": "completed", "fail": "failed", "release": "pending"}[how]
            unit.error = "why" if how == "fail" else ""

    def some(self, data):
        if not self.claims:
            return None, None
        claim = data.draw(st.sampled_from(self.claims))
        return claim, self.ours(claim)

    @rule(seconds=st.sampled_from([1.0, 5.0, 10.0]))
    def wait(self, seconds):
        self.now += seconds

    @rule(name=which)
    def cancel(self, name):
        self.ledger.cancel(self.ids[name])
        self.cancelled.add(name)

    @rule(name=which)
    def resume(self, name):
        assert self.begin(name, resume=True) == self.ids[name]
        self.cancelled.discard(name)
        self.ledger.prepare(self.ids[name], [UNITS[key] for key in ORDERS[name]])
        for key in ORDERS[name]:
            unit = self.kept[key]
            if unit.state == "completed" and len(unit.rows) < UNITS[key].total:
                unit.state = "pending"

    @rule(name=which)
    def retry(self, name):
        again = 0
        touched = {key for key in ORDERS[name] if self.wrong(key)}
        for key in UNITS:  # in the order of needs
            touched |= {key} if touched & set(UNITS[key].needs) else set()
        for key in touched:
            unit = self.kept[key]
            if unit.state == "running":
                continue
            wrong = [at for at, row in unit.rows.items() if row.error]
            again += len(wrong) + (unit.state == "failed")
            if wrong or unit.state == "failed":
                unit.state, unit.error = "pending", ""
            for at in wrong:
                del unit.rows[at]
        assert self.ledger.retry_failed(self.ids[name]) == again

    def wrong(self, key):
        unit = self.kept[key]
        return unit.state == "failed" or any(row.error for row in unit.rows.values())

    @rule()
    def open_again(self):
        self.ledger.close()

    @invariant()
    def same(self):
        for name, order in ORDERS.items():
            found = self.ledger.states(self.ids[name])
            assert list(found) == order
            for key, state in found.items():
                unit = self.kept[key]
                told = (state.state, state.done, state.error)
                assert told == (unit.state, len(unit.rows), unit.error)
        for key, unit in self.kept.items():
            found = list(self.ledger.rows(key))
            assert {(row.query, row.round): row for row in found} == unit.rows
            assert len(found) == len(unit.rows)
            assert [row.round for row in found] == sorted(row.round for row in found)


def test_it_holds_what_a_dict_would_hold():
    run_state_machine_as_test(
        Work, settings=settings(max_examples=15, stateful_step_count=40, deadline=None)
    )
