"""Runs that were read from the layout of another program -> a report that gates can use."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import InputError
from assay.records import Report, Run
from assay.reports.ancestors.read._fields import Fields

__all__ = ["assemble", "ending", "settle"]

CLOSE = 5e-4  # what the means in a file may be rounded by
PREFERRED = ("ndcg@10", "mrr@10", "recall@10", "recall@5")
ENDINGS = {  # how the notes of a layout that Assay wrote begin
    "the run failed": "failed",
    "the run was cancelled": "cancelled",
    "the run was stopped early": "beaten",
}
Scores = Mapping[str, Mapping[str, float]]


def assemble(
    layout: str,
    told: Sequence[Fields],
    runs: Sequence[Run],
    *,
    name: str = "",
    primary: str = "",
    **parts: Any,  # noqa: ANN401 - of a report: queries, environment, notes
) -> Report:
    """Make a report; ``benchmark`` says whose ``layout`` it was.

    A layout without any figure is refused, as are two runs of one name: no gate can tell them
    apart.
    """
    _refuse_empty(layout, told[0], runs)
    _refuse_twins(told[0], runs)
    metrics = [*dict.fromkeys(metric for run in runs for metric in run.scores)]
    wanted = [one for one in (primary, *PREFERRED) if one in metrics]
    first = next(iter([*wanted, *metrics]), PREFERRED[0])
    dataset, corpus, environment = (
        parts.pop(key, {}) for key in ("dataset", "corpus", "environment")
    )
    benchmark = {"name": name or layout, "metrics": metrics, "primary": first, "layout": layout}
    benchmark |= parts.pop("benchmark", {})
    return Report(benchmark, dataset, corpus, environment, tuple(runs), **parts)


def _refuse_empty(layout: str, told: Fields, runs: Sequence[Run]) -> None:
    for run in runs:
        known = (run.scores, run.latency_ms, run.indexing, run.storage, run.structure)
        if any(known) or run.status != "completed":
            return
    hint = "expected scores, times or sizes in the layout of its program"
    raise InputError(f"a report of {layout} without results", where=told.where, hint=hint)


def _refuse_twins(told: Fields, runs: Sequence[Run]) -> None:
    names = [run.name for run in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        hint = "give each run a name of its own"
        raise InputError(f'two runs are named "{twice}"', where=told.where, hint=hint)


def settle(
    told: Mapping[str, float], rows: Scores, groups: Mapping[str, str] | None = None
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return the scores of a run, and those of its queries that tests may use.

    A metric is kept per query if each query has it and its mean is that of the run: with
    ``groups`` the mean over groups. A run without a mean gets it from its queries.
    """
    known = set.intersection(*(set(row) for row in rows.values())) if rows else set()
    names = [name for row in rows.values() for name in row if name in known]
    means = {name: _mean(rows, name, groups or {}) for name in dict.fromkeys(names)}
    kept = [name for name, mean in means.items() if abs(mean - told.get(name, mean)) <= CLOSE]
    per_query = {query: {name: row[name] for name in kept} for query, row in rows.items()}
    return means | dict(told), per_query if kept else {}


def _mean(rows: Scores, metric: str, groups: Mapping[str, str]) -> float:
    found: dict[str, list[float]] = {}
    for query, row in rows.items():
        found.setdefault(groups.get(query, ""), []).append(row[metric])
    return sum(sum(some) / len(some) for some in found.values()) / len(found)


def ending(told: Fields) -> dict[str, Any]:
    """Return how a run ended, if the notes say that it did not complete."""
    notes = told.value.get("notes")
    for note in notes.values() if isinstance(notes, Mapping) else ():
        for beginning, status in ENDINGS.items():
            if isinstance(note, str) and note.startswith(beginning):
                reason = note.removeprefix(beginning).removeprefix(": ")
                return {"status": status, "error": reason if status == "failed" else ""}
    return {}
