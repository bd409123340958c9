"""Gates of any size, with names and texts that try to be more than text."""

from assay.records import Change
from assay.records.gate import Check, CheckResult, Gate

HOSTILE = (
    *(
        "--> <script>alert(1)</script>",
        "`@team` ``` #1 @team",
        "| a | b |\n::error::mine",
        "😀 " * 9,
    ),
    *("[x](http://x.example) ![i](http://x.example)", "\u202eright to left\u202c", "%0A::error::x"),
    *("##[error]mine", "\x00\x07\x1b[31m\ufffe", "::set-output name=a::b", "GH-1 www.x.example"),
)
OUTCOMES = ("fail", "inconclusive", "pass")


def result(number, *, outcome=None, text="", changes=3):
    """Make the result of one check; the higher the number, the worse it is."""
    told = outcome or OUTCOMES[number % 3]
    lost = tuple(Change(f"q{at} {text}", 0.9, 0.1, -0.8) for at in range(changes))
    return CheckResult(
        check=Check(
            "ndcg@10", "allow", 0.05, relative=True, group=("category", f"{number} {text}")
        ),
        run=f"run {text}",
        outcome=told,
        reason=f"fell by 0.1 {text}",
        baseline=1.0,
        current=0.9 - number / 1e6,
        limit=0.95,
        changes=() if told == "pass" else lost,
    )


def gate(results, *, text="", notes=()):
    queries = {change.query for one in results for change in one.changes}
    return Gate(
        baseline=f"old {text}",
        current=f"new {text}",
        results=tuple(results),
        notes=tuple(notes),
        benchmark=f"docs {text}",
        texts={query: f"text {text}" for query in queries},
        file=f"assay.yaml{text[:50]}",
    )
