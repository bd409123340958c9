"""A share of `make fuzz`: no mutated input leads to a traceback or controls the terminal."""

import random

import pytest
from performance.fuzz.__main__ import fuzz
from performance.fuzz.inputs import prepare
from performance.fuzz.mutate import mutated
from performance.fuzz.watch import faults_of, on_a_pipe


@pytest.mark.long
@pytest.mark.timeout(900)
def test_every_command_takes_its_file_as_it_is(tmp_path, monkeypatch):
    """Otherwise a mutation of it would prove nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "workspace"))
    commands = {command for kind in prepare(tmp_path) for command in kind.commands}
    for command in sorted(commands - {"show {id}"}):
        assert on_a_pipe(command.split())[0] == 0, command


@pytest.mark.long
@pytest.mark.timeout(900)
def test_four_hundred_mutated_inputs(monkeypatch):
    monkeypatch.setenv("ASSAY_WORKSPACE", "")  # is set again by the run, and given back here
    monkeypatch.setenv("TERM", "xterm")
    told = fuzz(400, seed=3)
    assert told["on_a_pseudo_terminal"] == 40
    assert told["faults"] == []


@pytest.mark.parametrize(
    ("code", "out", "err", "fault"),
    [
        (2, "", "error: x\n  hint: y\n", None),
        (0, "\x1b[1mbold\x1b[0m\r\n", "", None),
        (1, "", "Traceback (most recent call last):\n", "traceback"),
        (70, "", "", "exit code 70"),
        (0, "a\x1b[35;7mred", "", "control character '\\x1b' after 'a'"),
        (0, "a\u202eb", "", "control character '\\u202e' after 'a'"),
        (2, "", "", "no message"),
        (2, "", "error" * 100_000, "message of 500000 characters"),
    ],
)
def test_a_fault_is_seen(code, out, err, fault):
    assert faults_of(code, out, err) == ([fault] if fault else [])


def test_a_seed_repeats_its_input():
    content = b'{"a": [1, 2, {"b": "text"}]}'
    made = [mutated(content, "x.json", random.Random("1/7")) for _ in range(2)]
    assert made[0] == made[1] != content
