"""Sentences of a gate: its outcome, what was compared, and why each check did not pass."""

import shlex
from collections.abc import Iterator

from assay.records.gate import GATE_OUTCOMES, CheckResult, Gate
from assay.text.count_noun import count_noun
from assay.text.quote import quote

__all__ = [
    "about_baseline",
    "compared",
    "headline",
    "legend",
    "next_steps",
    "reason_line",
    "reasons",
]

SHORT = 12  # characters of a commit


def headline(gate: Gate) -> str:
    """Say the outcome and what it comes from.

    >>> headline(Gate("", "report.json", ()))
    'PASS: 0 checks'
    """
    total = count_noun(len(gate.results), "check")
    failed, unsure = len(gate.of("fail")), len(gate.of("inconclusive"))
    parts = [f"{failed:,} of {total} failed"] if failed else []
    parts += [f"{unsure:,} inconclusive" if failed else f"{unsure:,} of {total} inconclusive"] * (
        unsure > 0
    )
    return f"{GATE_OUTCOMES[gate.outcome]}: {', '.join(parts) or total}"


def compared(gate: Gate) -> str:
    """Say what was checked, and against what."""
    counted = f", {_queries(gate)}" if gate.queries else ""
    if not gate.baseline:
        return f"{gate.current} against limits{counted}"
    about = about_baseline(gate)
    return f"{gate.current} against {gate.baseline}{f' ({about})' if about else ''}{counted}"


def _queries(gate: Gate) -> str:
    """Count the queries, and those of the baseline if some of them cannot be compared."""
    compared, every = gate.queries or 0, gate.baseline_queries or 0
    if every > compared:
        return f"{compared:,} of the baseline's {count_noun(every, 'query')}"
    return count_noun(compared, "query")


def about_baseline(gate: Gate) -> str:
    """Say how old a baseline is, and which commit it measured."""
    about = gate.about_baseline
    age, commit = about.get("age_days"), str(about.get("commit") or "")
    parts = []
    if age is not None:
        when = "today" if age == 0 else f"{count_noun(int(age), 'day')} ago"
        parts.append(f"blessed {when}")
    parts += [f"commit {commit[:SHORT]}"] if commit else []
    return ", ".join(parts)


def reasons(gate: Gate) -> Iterator[str]:
    """Say of each check that did not pass why, the worst first."""
    several = len({one.run for one in gate.results}) > 1
    for one in (*gate.of("fail"), *gate.of("inconclusive")):
        yield reason_line(one, several=several)


def legend(gate: Gate) -> Iterator[str]:
    """Say what the outcomes mean for the build, where one is not a pass."""
    if any(one.p_corrected is not None for one in gate.of("fail")):
        yield (
            "FAIL: worse by more than is allowed, and significant. p is the probability of a drop "
            "this large if nothing became worse, corrected for the number of tests; 0.005 or less "
            "fails."
        )
    if gate.of("inconclusive"):
        yield (
            "INCONCLUSIVE: the evidence is not enough. It does not fail the build, unless --strict "
            "is set."
        )


def next_steps(gate: Gate) -> Iterator[tuple[str, str]]:
    """Yield commands, each with what it is for."""
    worst = next((one for one in gate.of("fail") if one.changes), None)
    report = shlex.quote(gate.current)
    if worst is not None and gate.texts:
        query = shlex.quote(worst.changes[0].query)
        yield f"assay show {report} --query {query}", "its results, and which stage lost documents"
    if gate.of("fail") and gate.about_baseline.get("file"):
        yield f"assay baseline bless {report}", "if the loss is accepted; then commit the baseline"


def reason_line(one: CheckResult, *, several: bool) -> str:
    """Say why a check has its outcome."""
    run = f"{quote(one.run)} " if several else ""
    return f"{GATE_OUTCOMES[one.outcome]} {run}{one.check.name}: {one.reason}"
