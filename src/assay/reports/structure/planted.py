"""Planted: what a synthetic benchmark was made of, and what it showed, line by line."""

from assay.records import Table, UpliftTrials

__all__ = ["planted"]


def planted(trials: UpliftTrials) -> Table:
    """Say what was planted, how it was ranked, and what came of it."""
    asked = trials.settings
    relevant = asked["relevant"]
    nearest = "all documents of the cluster" if relevant is None else f"the {relevant} nearest"
    rows = [
        ["Corpus", f"{asked['documents']:,} planted vectors, dimension {asked['dimension']}, "
         f"in {asked['clusters']:,} clusters"],
        ["Queries", f"{asked['queries']:,} in each of {len(trials.trials):,} cells"],
        ["Relevant", f"{nearest} to what a query means"],
        ["M, K", f"{asked['candidates']:,}, {asked['k']}"],
        ["Seed", str(asked["seed"])],
        ["Verdict", trials.verdict],
        *(["Note", note] for note in trials.notes),
    ]  # fmt: skip
    return Table(("figure", "value"), rows)
