"""Uplift: the effect of coherence on synthetic collections, over noise and cluster spread."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from functools import partial
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.records import (
    CoherenceSettings,
    MmrSettings,
    Track,
    Uplift,
    UpliftTrial,
    UpliftTrials,
    moving,
    untracked,
)
from assay.statistics.holm import holm
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["uplift"]

NOISE = (0.0, 0.5, 1.0, 1.5, 2.0)
SPREAD = (0.5, 1.0, 1.5)
ALPHA = 0.05
MOST = 100.0  # lengths of a vector: what was meant is long lost in such noise
NUMBERS = 100_000_000  # 800 MB of vectors
CONTROLS = {"neighbour_average": "neighbour average", "shuffled_graph": "shuffled graph"}
RANGES = {
    "queries": (2, 100_000),
    "documents": (2, 1_000_000),
    "dimension": (2, 10_000),
    "clusters": (1, 1_000_000),
    "k": (1, 1000),
    "candidates": (1, 5000),  # an exact graph looks at every pair of them
    "relevant": (1, 1000),
    "seed": (0, 2**63 - 1),
}
NOTES = (
    "synthetic vectors, not text: shows where coherence can help, not that it helps on your data",
    "confidence intervals are over the queries of one combination, with one collection per spread",
)


def uplift(  # noqa: PLR0913 - every option is a name of its own
    *,
    queries: int = 200,
    documents: int = 500,
    dimension: int = 64,
    clusters: int = 100,
    k: int = 10,
    candidates: int = 400,
    noise: Sequence[float] = NOISE,
    spread: Sequence[float] = SPREAD,
    relevant: int | None = 3,
    seed: int = 0,
    settings: CoherenceSettings | None = None,
    mmr: MmrSettings | None = None,
    track: Track = untracked,
) -> UpliftTrials:
    """Rank synthetic collections, one per noise of the queries and spread of the clusters.

    Both are fractions of a vector's length. The ``relevant`` documents nearest to the noise-free
    vector of a query are relevant, or all documents of its cluster (None). Each combination depends
    only on its own numbers and the seed: two runs differ only in their times.
    """
    planting = {"queries": queries, "documents": documents, "dimension": dimension}
    planting |= {"clusters": clusters, "seed": seed}
    asked = {**planting, "k": k, "candidates": candidates, "relevant": relevant}
    _refuse_wrong(asked, {"noise": noise, "spread": spread})
    _refuse_odd_settings(settings, mmr)
    from assay.benchmarks.structure.planted import plant, run_trial

    settings, mmr = settings or CoherenceSettings(), mmr or MmrSettings()
    cells = [(float(share), float(width)) for share in noise for width in spread]
    total = queries * len(cells)
    steps = iter(track(range(total), "ranking", total=total, unit="queries"))
    trial = partial(
        run_trial,
        k=k,
        candidates=candidates,
        settings=settings,
        mmr=mmr,
        seed=seed,
        asking=lambda queries: moving(steps)(queries, "ranking"),
    )
    made = partial(plant, relevant=relevant, **planting)
    trials = tuple(
        UpliftTrial(share, width, trial(made(noise=share, spread=width))) for share, width in cells
    )
    next(steps, None)  # lets the progress come to its end
    about: dict[str, object] = {"noise": [*noise], "spread": [*spread]}
    about |= {"coherence": settings.in_effect(), "mmr": asdict(replace(mmr, k=k))}
    every = f"all {documents:,} documents are candidates, fewer than the {candidates:,} requested"
    notes = (*NOTES, *([every] if candidates > documents else ()))
    return UpliftTrials({**asked, **about}, trials, _verdict(trials), notes)


def _verdict(trials: Sequence[UpliftTrial]) -> str:
    """Count the cells where coherence gains, and what each control does in those."""
    own = [(one, uplift) for one in trials if (uplift := _own(one)) is not None]
    gains = [one for one, uplift in own if uplift.gains]
    loses = sum(uplift.loses for _, uplift in own)
    rest = len(own) - len(gains) - loses
    said = [
        f"Coherence is significantly better than cosine in {len(gains)} of "
        f"{count_noun(len(own), 'combination')}{_surely(own)}, significantly worse in {loses}, "
        f"and not significantly different in {rest}."
    ]
    for control, name in CONTROLS.items() if gains else ():
        said.append(_beside(name, [one.structure.beside(control) for one in gains]))
    clean = [uplift.gains for one, uplift in own if one.noise == 0]
    if clean:
        said.append(f"With noise-free queries it is better in {sum(clean)} of {len(clean)}.")
    return " ".join(said)


def _beside(control: str, shown: Sequence[str]) -> str:
    """Count the answers: as good as a control is neither better nor unknown."""
    better, gated = shown.count("better"), shown.count("gated")
    by_gates = f", better only by its gates in {gated}" if gated else ""
    return (
        f"Where it is better than cosine, it compares with the {control} as follows: better in "
        f"{better}{by_gates}, equivalent in {shown.count('alike')}, worse in "
        f"{shown.count('worse')}, not significantly different in {shown.count('unknown')}."
    )


def _surely(own: Sequence[tuple[UpliftTrial, Uplift]]) -> str:
    """Count the gains that hold up although so many cells were looked at."""
    if not any(uplift.gains for _, uplift in own) or len(own) < 2:
        return ""
    corrected = holm(np.array([uplift.p for _, uplift in own]))
    held = sum(
        uplift.gains and p < ALPHA for (_, uplift), p in zip(own, corrected.tolist(), strict=True)
    )
    return f" ({held} after Holm correction)"


def _own(trial: UpliftTrial) -> Uplift | None:
    method = trial.structure.method("coherence")
    return None if method is None else method.uplift[trial.structure.primary]


def _refuse_wrong(counts: Mapping[str, int | None], shares: Mapping[str, Sequence[float]]) -> None:
    """Say of each number that cannot be which ones can."""
    for name, value in counts.items():
        least, most = RANGES[name]
        if name == "relevant" and value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            hint = f"expected a whole number from {least:,} to {most:,}"
            raise UsageError(f"{name}: invalid value {quote_value(value)}", hint=hint)
    rows = (counts["documents"] or 0) + 2 * (counts["queries"] or 0)  # asked, and meant
    size = rows * (counts["dimension"] or 0)
    if size > NUMBERS:
        hint = f"reduce documents, queries or dimension: at most {NUMBERS:,} numbers are allowed"
        problem = f"the collection is too large: (documents + 2 * queries) * dimension = {size:,}"
        raise UsageError(problem, hint=hint)
    for name in ("clusters", "relevant"):
        if (counts[name] or 0) > (counts["documents"] or 0):
            problem = f"{name}: {counts[name]:,} is more than the {counts['documents']:,} documents"
            raise UsageError(problem, hint=f"lower {name}, or raise documents")
    for name, values in shares.items():
        _refuse_wrong_shares(name, values)


def _refuse_wrong_shares(name: str, values: Sequence[float]) -> None:
    hint = f"expected different numbers from 0 to {MOST:g}, e.g. 0, 0.5, 1"
    if isinstance(values, str) or not isinstance(values, Sequence) or not len(values):
        raise UsageError(f"{name}: invalid value {quote_value(values)}", hint=hint)
    for value in values:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= MOST or list(values).count(value) > 1:
            raise UsageError(f"{name}: invalid value {quote_value(value)}", hint=hint)


def _refuse_odd_settings(settings: object, mmr: object) -> None:
    for name, given, kind in (("settings", settings, CoherenceSettings), ("mmr", mmr, MmrSettings)):
        if given is not None and not isinstance(given, kind):
            problem = f"{name}: invalid value of type {type(given).__name__}"
            raise UsageError(problem, hint=f"expected {kind.__name__}")
        for field in fields(given) if isinstance(given, kind) else ():
            value, wanted = getattr(given, field.name), field.type
            if not _is_of(value, wanted):
                words = getattr(wanted, "__name__", str(wanted))
                problem = f"{name}.{field.name}: invalid value {quote_value(value)}"
                raise UsageError(problem, hint=f"expected type {words}")


def _is_of(value: object, wanted: Any) -> bool:  # noqa: ANN401 - a type, or a union of some
    """Tell whether a value is of a type: a whole number is a number, a switch is none."""
    if isinstance(value, bool):
        return wanted is bool
    return isinstance(value, wanted) or (wanted is float and isinstance(value, int))
