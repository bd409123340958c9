"""Grid: what each method gains at each noise and spread, its controls beside it."""

from assay.records import Cell, Table, Uplift, UpliftTrial, UpliftTrials
from assay.reports.structure.names import shown

__all__ = ["grid"]

METHODS = ("coherence", "coherence_mmr", "neighbour_average", "shuffled_graph")


def grid(trials: UpliftTrials) -> Table:
    """Give each noise a block of methods, and each spread a column."""
    cells = {(one.noise, one.spread): one for one in trials.trials}
    noises, spreads = (list(dict.fromkeys(part)) for part in zip(*cells, strict=True))
    rows: list[list[Cell]] = []
    texts: dict[tuple[int, int], str] = {}
    best: set[tuple[int, int]] = set()
    for noise in noises:
        first = [cells[noise, spread] for spread in spreads]
        rows.append([f"noise {noise:g}: cosine", *(_score(one) for one in first)])
        for method in METHODS:
            uplifts = [_uplift(cells[noise, spread], method) for spread in spreads]
            at = len(rows)
            rows.append(
                [
                    f"  {shown(method)}",
                    *(None if one is None else one.difference for one in uplifts),
                ]
            )
            texts |= {(at, c): _text(one) for c, one in enumerate(uplifts, 1)}
            best |= {(at, c) for c, one in enumerate(uplifts, 1) if one and one.gains}
    primary = trials.trials[0].structure.primary
    caption = f"{primary} of cosine, and the change of each method (± half the 95% CI)"
    titles = ("method", *(f"spread {spread:g}" for spread in spreads))
    return Table(titles, rows, caption=caption, best=frozenset(best), texts=texts)


def _score(trial: UpliftTrial) -> float | None:
    cosine = trial.structure.method("cosine")
    return None if cosine is None else cosine.scores[trial.structure.primary]


def _uplift(trial: UpliftTrial, method: str) -> Uplift | None:
    found = trial.structure.method(method)
    return None if found is None else found.uplift[trial.structure.primary]


def _text(one: Uplift | None) -> str:
    """Write the change and half of its interval, which is as wide on either side."""
    if one is None:
        return "-"
    half = one.interval.high - one.difference
    return f"{_short(one.difference, '+.3f')} ±{_short(half, '.3f')}"


def _short(value: float, form: str) -> str:
    """Write three decimals without the zero that stands before every one of them."""
    return f"{value:{form}}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:{form}}"
