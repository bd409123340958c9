"""What several workers want to know is found out by one of them."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from assay.pytest_plugin.shared_reports import Outcome, shared_outcome


def test_one_of_many_makes_an_outcome_and_all_have_it(tmp_path):
    made = []

    def make():
        time.sleep(0.2)
        made.append(1)
        return Outcome(completed=False, content=b"no such file")

    folder = tmp_path / "new"
    shared_outcome(folder, "earlier", lambda: Outcome(completed=True, content=b"{}"))
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda _: shared_outcome(folder, "key", make), range(4))]

    assert found == [Outcome(completed=False, content=b"no such file")] * 4
    assert len(made) == 1


def test_keys_are_apart_and_who_fails_leaves_nothing(tmp_path):
    def fail():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shared_outcome(tmp_path, "one", fail)

    for key in ("one", "two"):
        kept = Outcome(completed=True, content=key.encode())
        assert shared_outcome(tmp_path, key, lambda kept=kept: kept) == kept
