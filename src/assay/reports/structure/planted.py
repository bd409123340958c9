"""Planted: the settings and the verdict of a synthetic benchmark, line by line."""

from assay.records import Table, UpliftTrials

__all__ = ["planted"]


def planted(trials: UpliftTrials) -> Table:
    """Say which vectors were generated, how they were ranked, and the verdict."""
    asked = trials.settings
    relevant = asked["relevant"]
    nearest = f"the {relevant} documents nearest to the noise-free query vector"
    rows = [
        ["Corpus", f"{asked['documents']:,} synthetic vectors, dimension {asked['dimension']}, "
         f"in {asked['clusters']:,} clusters"],
        ["Queries", f"{asked['queries']:,} in each of {len(trials.trials):,} combinations"],
        ["Relevant", "all documents of the query's cluster" if relevant is None else nearest],
        ["M, K", f"{asked['candidates']:,}, {asked['k']}"],
        ["Seed", str(asked["seed"])],
        ["Verdict", trials.verdict],
        *(["Note", note] for note in trials.notes),
    ]  # fmt: skip
    return Table(("figure", "value"), rows)
