"""A program that makes, uses, removes and sweeps builds over and over, beside others that do."""

import random
import sys
import time
from contextlib import closing
from pathlib import Path

from assay.workspace.builds import Builds

KEYS = "abc"
FILES = 6


def whole(folder):
    """Look into a build: all its files are there, and of one maker."""
    told = {(folder / f"file-{number}").read_text() for number in range(FILES)}
    assert len(told) == 1, told
    return told.pop()


def make(builds, key, chance):
    token = str(chance.random())
    with builds.making(key) as folder:
        for number in range(FILES):
            (folder / f"file-{number}").write_text(token)
            time.sleep(chance.uniform(0, 0.001))


def use(builds, key, chance):
    place = builds.place(key)
    if place is None:
        make(builds, key, chance)
        place = builds.place(key)
    token = whole(place)
    time.sleep(chance.uniform(0, 0.005))
    assert whole(place) == token  # nobody removed or changed it meanwhile


def churn(folder, times, seed):
    chance = random.Random(seed)
    for _ in range(times):
        with closing(Builds(folder)) as builds:
            use(builds, chance.choice(KEYS), chance)
            if chance.random() < 0.5:
                builds.close()
            builds.forget([chance.choice(KEYS)])
            builds.sweep()


if __name__ == "__main__":
    churn(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
