"""Values: a row per cell, method and metric, for other programs."""

from assay.records import Cell, Method, Table, UpliftTrial, UpliftTrials

__all__ = ["values"]

TITLES = (
    "noise",
    "spread",
    "method",
    "metric",
    "queries",
    "score",
    "difference",
    "low",
    "high",
    "relative",
    "p",
    "wins",
    "ties",
    "losses",
    "p50_ms",
    "p95_ms",
)


def values(trials: UpliftTrials) -> Table:
    """Write every figure at full precision; the cosines have no difference from themselves."""
    return Table(
        TITLES,
        [
            _row(trial, method, metric)
            for trial in trials.trials
            for method in trial.structure.methods
            for metric in method.scores
        ],
    )


def _row(trial: UpliftTrial, method: Method, metric: str) -> list[Cell]:
    about: list[Cell] = [trial.noise, trial.spread, method.name, metric, trial.structure.queries]
    times: list[Cell] = [method.latency_ms.get("p50"), method.latency_ms.get("p95")]
    gain = method.uplift.get(metric)
    if gain is None:
        return [*about, method.scores[metric], *[None] * 8, *times]
    return [
        *about,
        method.scores[metric],
        gain.difference,
        gain.interval.low,
        gain.interval.high,
        gain.relative,
        gain.p,
        gain.wins,
        gain.ties,
        gain.losses,
        *times,
    ]
