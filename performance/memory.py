"""Scoring alone: the same run, already in each library's own form in memory."""

from statistics import median
from typing import Any

from performance._data import run_files
from performance._measure import METRICS, agreement, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["memory"]

TARGETS = {"ranx": 20.0, "pytrec_eval": 30.0}  # times the CPU time of Assay, at least
REPEATS = 5


def memory(settings: Settings) -> Result:
    """Measure each library in a process of its own, after one call that is not counted."""
    size = f"{settings.queries:,} queries x {settings.documents:,} documents"
    result = Result(f"In memory to scores: {size}")
    found = {
        "assay": _measured(settings, "memory_assay", *METRICS),
        "assay, dicts": _measured(settings, "memory_assay_dicts", *METRICS),
        "pytrec_eval": _measured(settings, "memory_pytrec_eval"),
        "ranx": _measured(settings, "memory_ranx"),
    }
    for peer in ("pytrec_eval", "ranx"):
        _add(result, found, peer)
    dicts, theirs = found["assay, dicts"], found["pytrec_eval"]
    for words, summary in (("median", median), ("minimum", min)):
        ours, other = summary(dicts["cpu_s"]), summary(theirs["cpu_s"])
        what = f"plain dicts to scores, {words}"
        result.rows.append(Row(what, ours, "pytrec_eval", other, ratio="times"))
    result.notes.append(
        f"CPU time of one call, all threads counted, {REPEATS} calls after a first one that is "
        "not counted. Assay: records, judged and scored anew in each call. pytrec_eval: dicts, the "
        "evaluator made beforehand. ranx: Qrels and Run objects; its first call, with compilation "
        f"or loading of compiled code, took {found['ranx']['first_s']:.2f} s."
    )
    return result


def _measured(settings: Settings, name: str, *arguments: str) -> dict[str, Any]:
    qrels, run = run_files(settings)
    progress(f"in memory: {name}")
    return measure(script(name, qrels, run, REPEATS, *arguments)).json()


def _add(result: Result, found: dict[str, dict[str, Any]], peer: str) -> None:
    ours, theirs = found["assay"], found[peer]
    gap = agreement(ours["value"], theirs["value"], peer)
    agreement(found["assay, dicts"]["value"], theirs["value"], peer)
    result.notes.append(f"Largest difference of a mean score to {peer}: {gap:.1e}.")
    for words, summary in (("median", median), ("minimum", min)):
        cpu, other = summary(ours["cpu_s"]), summary(theirs["cpu_s"])
        what = f"records to scores, {words}"
        result.rows.append(Row(what, cpu, peer, other, ratio="times", target=TARGETS[peer]))
