"""Searches that a race needs, beside a grid that is measured in full."""

import os
from pathlib import Path
from typing import Any

from performance._measure import ONE_THREAD, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["race"]

DATA = Path(os.environ.get("ASSAY_DATA", "../shared/data"))
ORDERS = 1_000
MOST = 0.6  # of the searches, on the grid of 32 configurations and 300 queries
ALPHA = 0.05
GRIDS = (("cosqa-dev", "grid"), ("cranfield", "grid"), ("cranfield", "near"))
NAMED = {"grid": "32 of all kinds", "near": "32 that are nearly equal"}


def race(settings: Settings) -> Result:
    """Record the scores of real grids, then race them in many orders of their queries."""
    result = Result(f"Race: searches until the best is known, alpha {ALPHA:g}, {ORDERS:,} orders")
    for dataset, kind in GRIDS:
        if not (DATA / dataset).is_dir():
            result.notes.append(f"Not measured: ASSAY_DATA names no folder with {dataset}.")
            continue
        progress(f"race: {dataset}, {NAMED[kind]}")
        place = [(DATA / dataset).absolute(), kind, settings.folder / "race", ORDERS, ALPHA]
        found = measure(script("race_assay", *place), ONE_THREAD).json()
        full = found["runs"] * found["queries"]
        what = f"{dataset}, {NAMED[kind]} x {found['queries']}"
        target = MOST if (dataset, kind) == GRIDS[0] else None
        asked = full * (1 - found["saved"])
        result.rows.append(Row(what, asked, "all", full, unit="searches", target=target))
        result.notes.append(_about(what, found))
        if found["stopped"] > ALPHA:
            raise SystemExit(f"{what}: the winner was stopped in {found['stopped']:.1%}")
    result.notes.append(
        "A search is one query asked of one configuration. The grids are run in full once "
        "(`assay run --untimed`), then their recorded scores of ndcg@10 are raced; the first "
        "configuration is the baseline and never stopped. The grid was chosen before any race."
    )
    return result


def _about(what: str, found: dict[str, Any]) -> str:
    low, high = found["saved_90"]
    return (
        f"{what}: {found['saved']:.1%} saved on average, {low:.1%} to {high:.1%} in nine of ten "
        f"orders; the winner of the full grid, {found['winner']}, was stopped in "
        f"{found['stopped']:.1%} of them; {found['left']:.1f} configurations came to the end."
    )
