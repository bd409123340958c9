import re

import pytest
from tests.reports.gates.made import HOSTILE, gate, result

from assay.reports.gates.github import annotations

COMMAND = re.compile(r"::(error|warning|notice) (?:file=[^:,\n]*,)?title=[^:,\n]*::[^\r\n]*")


def of(lines, kind):
    return [line for line in lines if line.startswith(f"::{kind} ")]


@pytest.mark.parametrize(("number", "shown", "rest"), [(10, 10, 0), (11, 10, 2), (500, 10, 491)])
def test_at_most_ten_the_worst_first_and_the_rest_counted(number, shown, rest):
    bad = [result(at, outcome="fail") for at in range(number)]
    unsure = [result(at, outcome="inconclusive") for at in range(number)]
    lines = annotations(gate([*bad, *unsure]))
    for kind in ("error", "warning"):
        assert len(of(lines, kind)) == shown
        assert f"category={number - 1} " in of(lines, kind)[0]
        assert (f"{rest} further checks" in of(lines, kind)[-1]) == bool(rest)
    assert len(of(lines, "notice")) == 1


def test_strict_makes_errors_of_what_is_inconclusive():
    lines = annotations(gate([result(at) for at in range(30)]), strict=True)
    assert (len(of(lines, "error")), of(lines, "warning")) == (10, [])


@pytest.mark.parametrize("text", [*HOSTILE, "a\r\n::error::b", "x" * 100_000, "%" * 9_000])
def test_no_text_starts_another_command(text):
    found = [result(at, text=text) for at in range(3)]
    for line in annotations(gate(found, text=text)):
        assert COMMAND.fullmatch(line)
        assert len(line) < 64 * 1024
        assert "%0A::" not in line.split("title=")[0]


def test_a_percent_sign_is_not_read_as_an_escape():
    (line, *_) = annotations(gate([result(0, text="%0A::error::x")]))
    assert "%250A" in line
    assert "%0A" not in line
