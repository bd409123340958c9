"""How much memory a piece of code takes, in a process of its own."""

import subprocess
import sys

import pytest

# Not getrusage: on Linux a process inherits its mark from the one that started it.
PEAK = """
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
"""


@pytest.fixture
def measure():
    """Run code that prints numbers, to which ``peak()`` is its largest memory so far in KB."""
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux tells a process its own peak")

    def run(code, *arguments):
        command = [sys.executable, "-c", PEAK + code, *map(str, arguments)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return [int(word) for word in done.stdout.split()]

    return run
