"""One axis of a chart: what it measures, from where to where, and where its ticks are."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

__all__ = ["AxisSpan", "span"]

DECADE = 8  # times the least: from here on differences are ratios
NEAR = 1.25  # times the last tick: beyond it a value needs one of its own
APART = 40.0  # pixels between two ticks, which their numbers need


@dataclass(frozen=True, slots=True)
class AxisSpan:
    """An axis of ``length`` pixels; ``log`` where values span decades.

    ``names`` stand at the ticks in place of numbers.
    """

    low: float
    high: float
    length: float
    title: str = ""
    log: bool = False
    ticks: tuple[float, ...] = ()
    down: bool = False
    names: tuple[str, ...] = ()

    def at(self, value: float) -> float:
        """Return the pixel of a value, from the start of the axis."""
        low, high, here = map(self._scaled, (self.low, self.high, value))
        share = (here - low) / (high - low)
        return self.length * (1 - share if self.down else share)

    def value(self, at: float) -> float:
        """Return the value at a pixel."""
        low, high = map(self._scaled, (self.low, self.high))
        share = 1 - at / self.length if self.down else at / self.length
        here = low + share * (high - low)
        return math.exp(here) if self.log else here

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.log else value


def span(
    values: Iterable[float],
    length: float,
    title: str,
    *,
    log: bool = False,
    down: bool = False,
    within: tuple[float, float] | None = None,
    among: Iterable[float] = (),
) -> AxisSpan:
    """Lay an axis through values with some room at its ends; ``among`` must be on it.

    ``log`` allows for ratios, where the values span them; ``within`` is what no value leaves.
    """
    found = [*values, *among]
    least, most = min(found, default=0.0), max(found, default=1.0)
    if log and least > 0 and most > DECADE * least:
        room = (most / least) ** 0.06
        low, high = least / room, most * room
        axis = AxisSpan(low, high, length, title, log=True, ticks=_decades(low, high), down=down)
        return replace(axis, ticks=_ended(axis, least, most))
    room = (most - least) * 0.06 or abs(most) * 0.1 or 0.1
    low, high = least - room, most + room
    if within is not None:
        low, high = max(low, within[0]), min(high, within[1])
    return AxisSpan(low, high, length, title, ticks=_even(low, high), down=down)


def _decades(low: float, high: float) -> tuple[float, ...]:
    """Return 1, 2, 5, 10, ... or fewer of them, where these are many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{step}e{power}") for power in powers for step in steps]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) <= 9:
            return tuple(ticks)
    return tuple(ticks[:: math.ceil(len(ticks) / 9)])


def _ended(axis: AxisSpan, least: float, most: float) -> tuple[float, ...]:
    """Add a tick at each end whose values lie far beyond the last one."""
    first, last = [*axis.ticks[:1]], [*axis.ticks[-1:]]
    before = [one for one in map(_digit, (least, axis.low)) if first and one * NEAR < first[0]]
    after = [one for one in map(_digit, (most, axis.high)) if last and one > last[0] * NEAR]
    ends = [
        next((tick for tick in ticks if _has_room(axis, tick, beside)), None)
        for ticks, beside in ((before, first), (after, last))
    ]
    known = [tick for tick in ends if tick is not None]
    return tuple(sorted({*axis.ticks, *known}))


def _digit(value: float) -> float:
    """Round to one digit."""
    return float(f"{value:.0e}")


def _has_room(axis: AxisSpan, tick: float, beside: Sequence[float]) -> bool:
    inside = axis.low <= tick <= axis.high
    return inside and all(abs(axis.at(tick) - axis.at(one)) >= APART for one in beside)


def _even(low: float, high: float) -> tuple[float, ...]:
    """Return about six round values."""
    rough = (high - low) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(at * step, 12) for at in range(first, last + 1))
