"""The randomisation test: all pairs of five systems under five metrics."""

from statistics import median

from performance._measure import ONE_THREAD, measure, progress, script
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
    command = script("randomisation_assay", scores, FLIPS, 5)
    ours, single = measure(command).json(), measure(command, ONE_THREAD).json()
    theirs = measure(script("randomisation_ranx", scores, FLIPS, 1)).json()
    gap = _gap(ours["value"], theirs["value"])
    result = Result(
        f"Randomisation test: 10 pairs x 5 metrics x {settings.queries:,} queries x {FLIPS:,} flips"
    )
    other = median(theirs["cpu_s"])
    for what, found in (("all pairs, in Python", ours), ("all pairs, one BLAS thread", single)):
        cpu = median(found["cpu_s"])
        result.rows.append(Row(what, cpu, "ranx", other, ratio="times", target=TARGET))
    result.notes.append(
        "ranx's Fisher test is called on arrays, each pair once; `ranx.compare` tests each pair in "
        "both directions. Assay: median of 5 calls, with the threads of BLAS as they come and with "
        "one, as the command line sets it; ranx: one call. Not counted: the first call of Assay "
        f"({ours['first_s'] * 1e3:.0f} ms), compilation or loading of compiled code of ranx "
        f"({theirs['first_s']:.2f} s). Largest difference of a p-value: {gap:.3f}."
    )
    return result


def _gap(ours: list[float], theirs: list[float]) -> float:
    """Return the largest difference of a p-value; more than chance allows stops everything."""
    gap = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    if not gap <= CHANCE:
        raise SystemExit(f"p-values differ by {gap:.3f}, more than chance allows")
    return gap
