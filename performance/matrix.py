"""A matrix of configurations, beside its most expensive cell run alone."""

import json
import os
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
DEAREST = {
    "top_k_values": [200],
    "search_modes": ["hybrid"],
    "use_reranker": [True],
    "score_thresholds": [None],
}
MOST = 1.5  # times the CPU time of the most expensive cell


def matrix(settings: Settings) -> Result:
    """Run all cells at once, then the dearest alone, each from nothing.

    That is the cell with all stages at the largest depth: whatever another cell does, it does, too.
    """
    folder = settings.folder / "matrix"
    folder.mkdir()
    whole, report = _run(folder, "all", MATRIX)
    alone, single = _run(folder, "dearest", MATRIX | DEAREST)
    (cell,) = single["runs"]
    _agree([run for run in report["runs"] if run["fingerprint"] == cell["fingerprint"]], cell)
    result = Result("A matrix of 16 cells over the shipped corpus")
    result.rows.append(Row("all cells", whole.cpu_s, "the dearest cell", alone.cpu_s, target=MOST))
    result.rows.append(Row("all cells", whole.cpu_s, "16 of these", 16 * alone.cpu_s))
    plan = report["plan"]
    result.notes.append(
        f"The 16 cells of the matrix in Semantik's document, {len(report['runs'])} distinct runs, "
        f"{report['dataset']['queries']} queries, {report['corpus']['documents']} files: "
        f"{plan['indexes']} indexes, {plan['stages']} stages, {plan['searches']:,} searches where "
        f"{plan['searches_alone']:,} would be asked if nothing were shared. CPU time of the whole "
        "command in an empty workspace, all threads. The dearest cell is the one with all stages "
        f"at the largest depth, {cell['name']}; its scores, query by query, and its fingerprint "
        "are those that it has in the matrix, else the run stops "
        "(tests/workflows/test_matrix.py compares all 16)."
    )
    return result


def _run(folder: Path, name: str, given: dict[str, Any]) -> tuple[Usage, dict[str, Any]]:
    """Run the command that people type, in a workspace of its own."""
    progress(f"matrix: {name}")
    file, place, out = (folder / f"{name}{end}" for end in (".json", ".assay", ".report.json"))
    asked = {"config_matrix": given, "dataset": "stdlib"}
    file.write_text(json.dumps(asked), encoding="utf-8")
    program = Path(sys.executable).with_name("assay")
    command = [str(program), "run", str(file), "--workspace", str(place), "-o", str(out)]
    used = measure(command, {"ASSAY_CACHE": os.environ.get("ASSAY_CACHE", str(folder / "models"))})
    return used, json.loads(out.read_text(encoding="utf-8"))


def _agree(found: list[dict[str, Any]], alone: dict[str, Any]) -> None:
    if len(found) != 1 or found[0]["per_query"] != alone["per_query"]:
        raise SystemExit(f"{alone['name']} scores otherwise alone than in the matrix")
