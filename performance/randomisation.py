"""The randomisation test: all pairs of five systems under five metrics."""

from statistics import median

from performance._measure import measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["randomisation"]

TARGET = 100.0  # times the CPU time of Assay, at least
FLIPS = 1_000
CHANCE = 0.12  # five standard errors of the difference of two p-values from 1,000 flips


def randomisation(settings: Settings) -> Result:
    """Measure both tests on the same scores per query, after a call that is not counted."""
    progress("randomisation test")
    scores = settings.folder / "scores.npy"
    measure(script("make_scores", settings.queries, scores))
    ours = measure(script("randomisation_assay", scores, FLIPS, 5)).json()
    theirs = measure(script("randomisation_ranx", scores, FLIPS, 1)).json()
    gap = max(abs(a - b) for a, b in zip(ours["value"], theirs["value"], strict=True))
    if not gap <= CHANCE:
        raise SystemExit(f"p-values differ by {gap:.3f}, more than chance allows")
    result = Result(
        f"Randomisation test: 10 pairs x 5 metrics x {settings.queries:,} queries x {FLIPS:,} flips"
    )
    cpu, other = median(ours["cpu_s"]), median(theirs["cpu_s"])
    result.rows.append(Row("all pairs, CPU", cpu, "ranx", other, ratio="times", target=TARGET))
    result.notes.append(
        "ranx's Fisher test is called on arrays, each pair once; `ranx.compare` tests each pair in "
        "both directions. Assay: median of 5 calls; ranx: one. Not counted: the first call of "
        f"Assay ({ours['first_s'] * 1e3:.0f} ms), compilation or loading of compiled code of ranx "
        f"({theirs['first_s']:.2f} s). Largest difference of a p-value: {gap:.3f}."
    )
    return result
