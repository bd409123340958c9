"""Places for labels beside points, so that none covers another, a point, or the edge."""

from collections.abc import Sequence

__all__ = ["placed", "spread"]

Box = tuple[float, float, float, float]
Place = tuple[float, float]
# At the corners first, since lines go from points along both axes; and again farther away.
WAYS = ((1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1))
FAR = (1.0, 1.6, 2.4, 3.4, 4.6, 6.0, 8.0, 10.0)


def placed(
    points: Sequence[Place],
    sizes: Sequence[tuple[float, float]],
    within: tuple[float, float],
    *,
    gap: float = 9.0,
) -> list[Place]:
    """Return the middle of each label: the nearest place that is free, point by point."""
    taken: list[Box] = [_around(x, y, 9, 9) for x, y in points]
    found: list[Place] = []
    for (x, y), (wide, high) in zip(points, sizes, strict=True):
        best = _free(x, y, wide, high, gap, taken, within)
        taken.append(_around(*best, wide, high))
        found.append(best)
    return found


def _free(  # noqa: PLR0913, PLR0917 - a place, a size and what is around
    x: float,
    y: float,
    wide: float,
    high: float,
    gap: float,
    taken: list[Box],
    within: tuple[float, float],
) -> Place:
    """Take the first place that meets nothing, or the one that meets least."""
    tried: list[tuple[float, Place]] = []
    for far in FAR:
        for across, down in WAYS:
            near = gap * far / (2 if across and down else 1)
            place = (x + across * (wide / 2 + near), y + down * (high / 2 + near))
            box = _around(*place, wide, high)
            if not _inside(box, within):
                continue
            met = sum(_overlap(box, other) for other in taken)
            if met == 0:
                return place
            tried.append((met, place))
    return min(tried)[1] if tried else (x, y)


def spread(heights: Sequence[float], gap: float, within: tuple[float, float]) -> list[float]:
    """Move places on a line apart until each has its gap, in their order and near where they were.

    >>> spread([10, 11, 50], 12, (0, 100))
    [4.5, 16.5, 50]
    """
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    groups: list[list[int]] = []
    for one in order:
        groups.append([one])
        while len(groups) > 1 and _meet(groups[-2], groups[-1], heights, gap, within):
            groups[-2:] = [groups[-2] + groups[-1]]
    found = list(heights)
    for group in groups:
        first = _first(group, heights, gap, within)
        for at, one in enumerate(group):
            found[one] = first + at * gap if len(group) > 1 else first
    return found


def _first(
    group: list[int], heights: Sequence[float], gap: float, within: tuple[float, float]
) -> float:
    """Return where a group starts if it stays around its middle, within the ends."""
    middle = sum(heights[one] for one in group) / len(group)
    length = (len(group) - 1) * gap
    return max(within[0], min(middle - length / 2, within[1] - length))


def _meet(
    one: list[int],
    other: list[int],
    heights: Sequence[float],
    gap: float,
    within: tuple[float, float],
) -> bool:
    end = _first(one, heights, gap, within) + (len(one) - 1) * gap
    return _first(other, heights, gap, within) < end + gap


def _around(x: float, y: float, wide: float, high: float) -> Box:
    return (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def _inside(box: Box, within: tuple[float, float]) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= within[0] and box[3] <= within[1]


def _overlap(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0
