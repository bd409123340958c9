"""Race bound in words: how likely a race that stopped runs has stopped the best of all."""

from assay.records import Report
from assay.text.count_noun import count_noun

__all__ = ["race_bound"]


def race_bound(report: Report) -> str:
    """Write the error bound of the race; nothing if it stopped no run."""
    race = report.race
    stopped, alpha = len(race.get("beaten") or ()), race.get("alpha")
    if not stopped or alpha is None:
        return ""
    of = stopped + len(race.get("survivors") or ())
    count = f"{stopped:,} of {of:,} configurations" if of > 1 else "a configuration"
    metric = race.get("metric") or report.benchmark.get("primary", "score")
    queries = int(race.get("queries") or 0)
    these = count_noun(queries, "query") if queries else "queries"
    return (
        f"The race stopped {count} early. The probability that it stopped the run with the highest "
        f"{metric} on these {these} is at most {alpha:.3g}."
    )
