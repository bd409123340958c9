"""A matrix of configurations, beside its most expensive cell run alone."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from performance._measure import Usage, measure, progress
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["matrix"]

# The matrix that Semantik's document gives as its example: 2 x 2 x 2 x 1 x 2 = 16 runs.
MATRIX = {
    "primary_k": 10,
    "k_values_for_metrics": [5, 10, 20],
    "top_k_values": [100, 200],
    "search_modes": ["dense", "hybrid"],
    "use_reranker": [False, True],
    "rrf_k_values": [60],
    "score_thresholds": [None, 0.5],
}
MOST = 2.0  # times the CPU time of the most expensive cell


def matrix(settings: Settings) -> Result:
    """Run all cells at once, then each alone: the dearest from nothing, the rest for its scores."""
    folder = settings.folder / "matrix"
    folder.mkdir()
    whole, report = _run(folder, "all", {"config_matrix": MATRIX})
    cells = [_single(run) for run in report["runs"]]
    alone = {}
    for at, (run, cell) in enumerate(zip(report["runs"], cells, strict=True)):
        dear = bool(run["configuration"].get("rerank")) and run["configuration"]["depth"] == 200
        used, own = _run(folder, f"cell{at}", {"config_matrix": cell}, like=None if dear else "all")
        _agree(run, own["runs"][0])
        if dear:
            alone[run["name"]] = used.cpu_s
    dearest = max(alone, key=lambda name: alone[name])
    result = Result("A matrix of 16 cells over the shipped corpus")
    result.rows.extend(
        [
            Row("all cells", whole.cpu_s, "the dearest cell", alone[dearest], target=MOST),
            Row("all cells", whole.cpu_s, "16 of these", 16 * alone[dearest]),
        ]
    )
    plan = report["plan"]
    result.notes.append(
        f"The 16 cells of the matrix in Semantik's document, {len(report['runs'])} distinct runs, "
        f"{report['dataset']['queries']} queries, {report['corpus']['documents']} files: "
        f"{plan['indexes']} indexes, {plan['stages']} stages, {plan['searches']:,} searches where "
        f"{plan['searches_alone']:,} would be asked if nothing were shared. CPU time of the whole "
        f"command in an empty workspace, all threads. The dearest cell is {dearest}, of "
        f"{len(alone)} run alone from nothing; the others are run alone over remembered vectors. "
        "The run fails if a score of any query differs between a cell in the matrix and alone."
    )
    return result


def _single(run: dict[str, Any]) -> dict[str, Any]:
    """Write the matrix of one cell."""
    chosen = run["configuration"]
    return MATRIX | {
        "top_k_values": [chosen["depth"]],
        "search_modes": [chosen["search"]],
        "use_reranker": [bool(chosen.get("rerank"))],
        "score_thresholds": [chosen.get("threshold")],
    }


def _run(
    folder: Path, name: str, given: dict[str, Any], *, like: str | None = None
) -> tuple[Usage, dict[str, Any]]:
    """Run the command that people type in a workspace of its own, with the vectors of another."""
    progress(f"matrix: {name}")
    file, place, out = (folder / f"{name}{end}" for end in (".json", ".assay", ".report.json"))
    file.write_text(json.dumps(given | {"dataset": "stdlib"}), encoding="utf-8")
    if like:
        place.mkdir()
        for one in ("vectors.sqlite", "tokens.sqlite"):
            shutil.copy(folder / f"{like}.assay" / one, place / one)
    program = Path(sys.executable).with_name("assay")
    command = [str(program), "run", str(file), "--workspace", str(place), "-o", str(out)]
    used = measure(command, {"ASSAY_CACHE": os.environ.get("ASSAY_CACHE", str(folder / "models"))})
    return used, json.loads(out.read_text(encoding="utf-8"))


def _agree(cell: dict[str, Any], alone: dict[str, Any]) -> None:
    if cell["per_query"] != alone["per_query"] or cell["fingerprint"] != alone["fingerprint"]:
        raise SystemExit(f"{cell['name']} scores otherwise alone than in the matrix")
