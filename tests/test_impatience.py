"""Interrupts after the first: what is put in order is cut short only by who insists."""

import subprocess
import sys

PATIENT = """
import os, signal, time
import assay.__main__ as program
program.PATIENCE_S = {patience}
signal.signal(signal.SIGINT, program._interrupt)
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("stopped", flush=True)
for _ in range({further}):
    os.kill(os.getpid(), signal.SIGINT)
print("in order", flush=True)
"""


def told(patience, further):
    given = PATIENT.format(patience=patience, further=further)
    done = subprocess.run([sys.executable, "-c", given], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.split("\n")[:-1]


def test_interrupts_within_the_patience_cut_nothing_short():
    assert told(60, 5) == (0, ["stopped", "in order"])


def test_one_interrupt_told_late_cuts_nothing_short():
    """It may have come in time: Python tells of it only after what it waits for."""
    assert told(0, 1) == (0, ["stopped", "in order"])


def test_two_interrupts_after_the_patience_end_the_process():
    assert told(0, 2) == (130, ["stopped"])
