"""Where rows stand: numbers with gaps, so that most rows keep theirs when others come and go."""

from bisect import bisect_left
from collections.abc import Sequence

__all__ = ["STEP", "place_rows"]

STEP = 1 << 20  # between two rows that are written together
HIGHEST = 1 << 62


def place_rows(old: Sequence[int | None]) -> list[int]:
    """Give each row a place, in rising order; ``old`` has the places that rows would like to keep.

    As many as possible keep theirs. Where the gap between two of them is too narrow for what comes
    in between, all rows get new places.

    >>> place_rows([100, None, 200]), place_rows([200, 100])
    ([100, 150, 200], [50, 100])
    """
    kept = _longest_rise(old)
    places: list[int] = []
    for end in [*kept, len(old)]:
        last = places[-1] if places else 0
        between = end - len(places)
        limit = old[end] if end < len(old) else last + STEP * (between + 1)
        assert limit is not None  # noqa: S101 - of rows that keep their places
        if limit - last <= between or limit > HIGHEST:
            return [STEP * number for number in range(1, len(old) + 1)]
        places += [last + (limit - last) * n // (between + 1) for n in range(1, between + 1)]
        places += [limit] if end < len(old) else []
    return places


def _longest_rise(old: Sequence[int | None]) -> list[int]:
    """Choose the most rows whose old places rise (Schensted 1961; patience sorting)."""
    lowest: list[int] = []  # the lowest place that ends a rise of each length
    ends: list[int] = []  # the row that it belongs to
    before: list[int | None] = [None] * len(old)
    for row, place in enumerate(old):
        if place is None:
            continue
        length = bisect_left(lowest, place)
        before[row] = ends[length - 1] if length else None
        lowest[length : length + 1] = [place]
        ends[length : length + 1] = [row]
    chosen, at = [], ends[-1] if ends else None
    while at is not None:
        chosen.append(at)
        at = before[at]
    return chosen[::-1]
