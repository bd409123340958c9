"""What follows a gate: what outcomes mean, which commands help, and tables on narrow screens."""

from dataclasses import replace

import pytest
from tests.benchmarks.gates.made import report, run
from tests.benchmarks.gates.test_gate import gate

from assay.reports.gates.lines import compared, legend, next_steps
from assay.reports.gates.markdown import markdown
from assay.reports.gates.table import screen_table
from assay.reports.layout import layout

GOOD, BAD = [0.9] * 12, [0.1] * 12


def outcome_of(before, after, **checks):
    found = gate(report(run(scores=before)), report(run(scores=after)), **checks)
    return replace(found, current="a report.json", about_baseline={"file": "b.json"})


def test_a_failure_says_what_it_means_and_what_to_type():
    failed = outcome_of(GOOD, BAD, allow="ndcg@10:5%")
    commands = [command for command, _ in next_steps(failed)]
    assert commands == [
        "assay show 'a report.json' --query q0",
        "assay baseline bless 'a report.json'",
    ]
    assert [line.partition(":")[0] for line in legend(failed)] == ["FAIL"]
    assert all(f"`{command}`" in markdown(failed) for command in commands)


def test_a_pass_needs_no_explanation():
    passed = outcome_of(GOOD, GOOD, allow="ndcg@10:5%")
    assert [*legend(passed), *next_steps(passed)] == []


def test_what_is_inconclusive_is_said_not_to_fail_the_build():
    unsure = outcome_of(GOOD[:4], BAD[:4], allow="ndcg@10:5%")
    assert [line.partition(":")[0] for line in legend(unsure)] == ["INCONCLUSIVE"]
    assert [*next_steps(unsure)] == []


def test_the_first_line_counts_what_is_not_compared():
    assert compared(outcome_of(GOOD, GOOD[:9], allow="ndcg@10:5%")).endswith(
        "9 of the baseline's 12 queries"
    )


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_line_of_a_narrow_table_says_which_run_it_is_of(width):
    names = [f"hybrid-with-a-long-name-{at}" for at in range(3)]
    one = report(*(run(name, scores=GOOD) for name in names))
    lines = layout(screen_table(gate(one, one, allow="ndcg@10:5%").results), width)
    rows = ["".join(part.text for part in line) for line in lines]
    bodies = [row for row in rows if "0.9" in row or "PASS" in row]
    assert len(bodies) % 3 == 0
    assert all(f"-{at % 3}" in row for at, row in enumerate(bodies))
    assert all(len(row) <= width for row in rows)
