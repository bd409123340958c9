"""Judgments until the winner is known: the order of `assay judge` beside depth and chance."""

import os
from pathlib import Path
from typing import Any

from performance._measure import ONE_THREAD, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["judging"]

DATA = Path(os.environ.get("ASSAY_DATA", "../shared/data")) / "cranfield"
SUBSETS = 80  # with the configurations and the whole pool about ten minutes
PEERS = {
    "random": "random order",
    "depth": "depth order",
    "largest move": "the largest possible move",
}


def judging(settings: Settings) -> Result:
    """Hide the judgments of Cranfield, and count how many are asked for."""
    result = Result("Judgments until the final winner is known, Cranfield, real configurations")
    if not DATA.is_dir():
        result.notes.append("Not measured: ASSAY_DATA names no folder with cranfield.")
        return result
    progress(f"judging: {SUBSETS} subsets")
    command = script("judging_assay", DATA.absolute(), settings.folder, SUBSETS)
    found = measure(command, ONE_THREAD).json()
    for key, what in (("winner", "best of 8 runs"), ("settled", "sign of a pair, proven")):
        ours = found[key]["judge"]["mean"]
        for name, peer in PEERS.items():
            target = 1.0 if name != "largest move" else None
            theirs = found[key][name]["mean"]
            result.rows.append(Row(what, ours, peer, theirs, unit="judgments", target=target))
    result.notes.extend([_about(found), _shares(found), _fewer(found)])
    return result


def _about(found: dict[str, Any]) -> str:
    pool = found["pool"]
    return (
        f"{found['runs']} configurations; {found['subsets']} random subsets of 8 of them and 60 of "
        f"the 225 queries, {pool['part']:,.0f} documents among their first ten on average. All "
        "judgments are hidden, and revealed one at a time; counted is after how many the mean "
        "nDCG@10 of what is revealed names the run that wins at the end, and goes on naming it. "
        f"For pairs ({pool['pair']:,.0f} documents): after how many no grading of the rest would "
        "turn the two round. What Cranfield does not judge is grade 0. Assay chooses five "
        "documents at a time, by the class that `assay judge` asks; it begins without any "
        "judgment, with each run open against the first one."
    )


def _fewer(found: dict[str, Any]) -> str:
    """Say how sure it is: by the differences of the same subsets."""
    told = []
    for name in ("depth", "random"):
        one = found["fewer"][name]
        sure = f"95 % interval {one['low']:,.0f} to {one['high']:,.0f}"
        often = f"in {one['often']:.0%} of the subsets"
        told.append(f"{one['mean']:,.0f} fewer than {name} order ({sure}; {often})")
    medians = ", ".join(f"{name} {one['median']:,.0f}" for name, one in found["winner"].items())
    return f"To the winner, subset by subset: {'; '.join(told)}. Medians: {medians}."


def _shares(found: dict[str, Any]) -> str:
    told = []
    for name, one in found["winner"].items():
        told.append(f"{name} {one['share']:.0%} ({one['low']:.0%} to {one['high']:.0%})")
    counts = ", ".join(f"{name} {count:,}" for name, count in found["whole"].items())
    return (
        f"Share of the pool, with 95 % intervals: {'; '.join(told)}. With all configurations and "
        f"queries ({found['pool']['all']:,} documents, one order of each): {counts}."
    )
