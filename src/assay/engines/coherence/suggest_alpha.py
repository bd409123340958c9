"""How much say the coherence drop should have, as feedback on earlier queries suggests."""

import statistics
from collections import deque
from collections.abc import Iterable, Iterator

import numpy as np

__all__ = ["median_alpha", "suggest_alpha", "suggestions"]

WINDOW, LEAST = 200, 15  # events that count, and without which nothing is suggested
Event = tuple[float, float]
"""The energy drop of a query, and the rating of its results."""


def suggest_alpha(
    events: Iterable[Event], *, window: int = WINDOW, least: int = LEAST
) -> float | None:
    """Suggest clip(.1 + .2 r, .02, .5), r the correlation (Pearson) over the last events.

    With fewer than ``least`` there is none; where one side never changes r is 0.

    >>> suggest_alpha([(fall, 2 * fall) for fall in range(15)])
    0.3
    """
    last = np.array(deque(events, maxlen=window), np.float64).reshape(-1, 2)
    if len(last) < least:
        return None
    return float(np.clip(0.1 + 0.2 * _correlation(last), 0.02, 0.5).round(12))


def suggestions(
    events: Iterable[Event], *, window: int = WINDOW, least: int = LEAST
) -> Iterator[float]:
    """Suggest after each event, from the one on that makes them enough."""
    seen: deque[Event] = deque(maxlen=window)
    for event in events:
        seen.append(event)
        suggested = suggest_alpha(seen, window=window, least=least)
        if suggested is not None:
            yield suggested


def median_alpha(
    events: Iterable[Event], *, window: int = WINDOW, least: int = LEAST
) -> float | None:
    """Return the median of all suggestions made along the way, or None without any."""
    made = list(suggestions(events, window=window, least=least))
    return statistics.median(made) if made else None


def _correlation(events: np.ndarray) -> float:
    centred = events - events.mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=0))
    if not spread.all():
        return 0.0
    return float((centred / spread).prod(axis=1).sum())
