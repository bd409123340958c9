"""Places for labels beside points, so that none covers another, a point, or the edge."""

from collections.abc import Sequence

__all__ = ["Box", "placed", "spread"]

Box = tuple[float, float, float, float]
Place = tuple[float, float]
# At the corners first, since lines go from points along both axes; and again farther away.
WAYS = ((1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1))
GAP = 9.0
FAR = (1.0, 1.6, 2.4, 3.4, 4.6, 6.0, 8.0, 10.0)


def placed(
    points: Sequence[Place],
    sizes: Sequence[tuple[float, float]],
    within: tuple[float, float],
    *,
    lines: Sequence[Box] = (),
    clear: float = 0.0,
) -> list[Place]:
    """Return the middle of each label, point by point: near, free, and best not on a line.

    ``clear`` is the room that a label best leaves around the points of others.
    """
    taken: list[Box] = [_around(x, y, 9, 9) for x, y in points]
    found: list[Place] = []
    wide = 9 + 2 * clear
    for at, (point, size) in enumerate(zip(points, sizes, strict=True)):
        others = [_around(x, y, wide, wide) for x, y in (*points[:at], *points[at + 1 :])]
        shun = [*lines, *(others if clear else ())]
        ways = [way for way in _ways(point, size) if _inside(_around(*way[1], *size), within)]
        costs = [(_cost(_around(*place, *size), taken, shun) + far, place) for far, place in ways]
        best = min(costs, key=lambda one: one[0])[1] if costs else point
        taken.append(_around(*best, *size))
        found.append(best)
    return found


def _ways(point: Place, size: tuple[float, float]) -> list[tuple[float, Place]]:
    """Return the places around a point, each with how much worse it is for being far."""
    found = []
    for far in FAR:
        for at, (across, down) in enumerate(WAYS):
            near = GAP * far / (2 if across and down else 1)
            place = (
                point[0] + across * (size[0] / 2 + near),
                point[1] + down * (size[1] / 2 + near),
            )
            found.append((20 * (far - 1) + at, place))
    return found


def _cost(box: Box, taken: Sequence[Box], lines: Sequence[Box]) -> float:
    """Count what a label covers: others and points never, a line if it must."""
    return 100 * sum(_overlap(box, one) for one in taken) + sum(_overlap(box, one) for one in lines)


def spread(heights: Sequence[float], gap: float, within: tuple[float, float]) -> list[float]:
    """Move places on a line apart until each has its gap, in their order and near where they were.

    >>> spread([10.0, 11.0, 50.0], 12, (0, 100))
    [4.5, 16.5, 50.0]
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
