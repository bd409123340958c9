"""Which configurations need not be asked any further, at an error bound that holds at any time."""

from collections.abc import Collection, Sequence

import numpy as np

from assay.errors import InputError, UsageError
from assay.records import Bools, Floats, Ints, RaceStanding

__all__ = ["race"]

MOST = 0.95  # of the odds may be at stake on one query: none can ruin a case for good
SPREAD = 0.25  # the variance that is expected of differences before any is seen
SAME = 1e-9  # sums that differ by rounding alone


def race(
    scores: Floats,
    *,
    population: int,
    alpha: float = 0.05,
    ends: Collection[int] = (),
    kept: Sequence[int] = (),
    bounds: tuple[float, float] = (0.0, 1.0),
    weights: Floats | None = None,
) -> RaceStanding:
    """Stop each configuration that cannot be the best any more, or is shown not to be.

    ``scores`` has a row per query in the random order in which they were run, out of a
    ``population`` of which the best has the highest mean, and a column per configuration; queries
    that were not run for a stopped configuration are NaN. After each of the ``ends`` (numbers of
    queries), configurations are stopped if the evidence against them has reached 1 / ``alpha``,
    except the ``kept`` columns and the leader.

    The evidence against a configuration's being the best is the wealth of one who bets, query by
    query and before it is asked, that the leader scores higher (Waudby-Smith and Ramdas, JRSS B
    2024; drawn without replacement, NeurIPS 2020). If the configuration is the best, or one of
    several, the mean of the leader's lead over the queries that are left is at most
    -lead / left, so the wealth is a nonnegative supermartingale, whoever leads; it ever reaches
    1 / alpha with a probability of at most alpha (Ville 1939). This holds for each separately, so
    nothing has to be shared between them: the winner is one of them.

    Where queries weigh differently, ``weights`` has that of each row, 1 for the heaviest.

    >>> scores = np.column_stack([np.ones(60), np.zeros(60)])
    >>> race(scores, population=300, ends=range(1, 60)).after.tolist()
    [0, 6]
    """
    rows = _scaled(scores, population, bounds, weights)
    _refuse_odd(alpha, rows, population)
    state = _State(rows.shape[1], population)
    checked = {end for end in ends if 0 < end <= len(rows) and end < population}
    for number, row in enumerate(rows, 1):
        state.take(row)
        if number in checked:
            state.stop(number, 1 / alpha, kept)
    return state.raced()


class _State:
    """What was seen so far, and the evidence against each configuration."""

    def __init__(self, columns: int, population: int) -> None:
        self._population, self._seen = population, 0
        self._sums = np.zeros(columns)
        self._products = np.zeros((columns, columns))
        self._wealth = np.zeros(columns)  # as logarithms
        self._most = np.zeros(columns)
        self._racing = np.ones(columns, dtype=np.bool_)
        self._after: Ints = np.zeros(columns, dtype=np.int64)
        self._by: Ints = np.zeros(columns, dtype=np.int64)

    def take(self, row: Floats) -> None:
        """Settle the bets on one query, which were placed by what was known before it."""
        if np.isnan(row[self._racing]).any():
            raise UsageError("a configuration that is still in the race has no score")
        scored = np.where(self._racing, row, 0.0)
        leaders = self._leaders()
        lead = leaders @ self._sums - self._sums
        expected = -lead / (self._population - self._seen)
        stakes = self._stakes(leaders, lead, expected)
        won = np.maximum(1 + stakes * (leaders @ scored - scored - expected), 1e-300)
        self._wealth += np.where(self._racing, np.log(won), 0.0)
        self._sums += scored
        self._products += np.outer(scored, scored)
        self._seen += 1
        self._most = np.maximum(self._most, np.where(self._impossible(), np.inf, self._wealth))

    def stop(self, number: int, odds: float, kept: Sequence[int]) -> None:
        """Take those out of the race against whom the odds were reached."""
        leader = int(np.argmax(np.where(self._racing, self._sums, -np.inf)))
        out = self._racing & (self._most >= np.log(odds))
        out[list(kept)] = False
        out &= self._leaders() == 0  # one that was far behind may lead by now
        self._after[out], self._by[out] = number, leader
        self._racing &= ~out
        self._by[self._racing] = leader

    def raced(self) -> RaceStanding:
        """Tell how the race stands."""
        with np.errstate(over="ignore"):
            return RaceStanding(after=self._after, e_values=np.exp(self._most), by=self._by)

    def _leaders(self) -> Floats:
        """Share the lead among all who have it, so that the order of columns is of no account."""
        racing = np.where(self._racing, self._sums, -np.inf)
        leading = racing >= racing.max() - SAME
        return np.asarray(leading / leading.sum(), dtype=np.float64)

    def _stakes(self, leaders: Floats, lead: Floats, expected: Floats) -> Floats:
        """Bet what the logarithm of the wealth would grow most by, if all went on as before.

        That is the approximation to GRAPA of Waudby-Smith and Ramdas (2024), appendix B.3, of the
        lead's mean and variance. No lead falls by more than 1, so a stake below 1 / (1 + expected)
        leaves some wealth whatever happens.
        """
        across = self._products @ leaders
        squares = leaders @ across - 2 * across + np.diagonal(self._products)
        seen = max(self._seen, 1)
        spread = (SPREAD + np.maximum(squares - lead**2 / seen, 0.0)) / (self._seen + 1)
        edge = np.maximum(lead / (self._seen + 1) - expected, 0.0)
        edge = np.where(lead > SAME, edge, 0.0)
        most = MOST / np.maximum(1 + expected, SAME)
        return np.asarray(np.minimum(edge / (spread + edge**2), most), dtype=np.float64)

    def _impossible(self) -> Bools:
        """Tell who would not catch up if it scored 1 on all that is left, and the leader 0."""
        racing = np.where(self._racing, self._sums, -np.inf)
        left = self._population - self._seen
        return np.asarray(self._racing & (racing.max() - self._sums > left + SAME), dtype=np.bool_)


def _scaled(
    scores: Floats, population: int, bounds: tuple[float, float], weights: Floats | None
) -> Floats:
    """Bring scores to 0 to 1, weighed; refuse what is not within its bounds."""
    rows = np.asarray(scores, dtype=np.float64)
    low, high = bounds
    if rows.ndim != 2 or not len(rows) or len(rows) > population:
        raise UsageError(
            "scores must have one row per query that was run, and at most the population"
        )
    if not np.isfinite([low, high]).all() or not low < high:
        hint = "use a metric with a lower and an upper bound"
        raise InputError("a race needs scores with finite bounds", hint=hint)
    known = rows[~np.isnan(rows)]
    if len(known) and (known.min() < low - SAME or known.max() > high + SAME):
        raise InputError(f"a score is not between {low:g} and {high:g}", hint="correct the bounds")
    scaled = np.clip((rows - low) / (high - low), 0.0, 1.0)
    return scaled if weights is None else scaled * _weighed(weights, len(rows))


def _weighed(weights: Floats, rows: int) -> Floats:
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (rows,) or not ((given > 0) & (given <= 1)).all():
        raise UsageError("weights must be > 0 and <= 1, one per row")
    return given[:, None]


def _refuse_odd(alpha: float, rows: Floats, population: int) -> None:
    if not 0 < alpha < 1:
        raise UsageError(f"alpha must be between 0 and 1, got {alpha}")
    if rows.shape[1] < 1 or population < 1:
        raise UsageError("a race needs at least one configuration and one query")
