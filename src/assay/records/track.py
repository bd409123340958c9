"""How long work shows that it goes on, without knowing who looks."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

__all__ = ["Track", "labelled", "moving", "untracked"]

T = TypeVar("T")


class Track(Protocol):
    """Passes items through and shows their number, rate and remaining time."""

    def __call__(
        self, items: Iterable[T], doing: str, *, total: int | None = None, unit: str = ""
    ) -> Iterable[T]:
        """Yield the same items; ``doing`` names the work, ``total`` is their number if known."""


def untracked(
    items: Iterable[T], doing: str, *, total: int | None = None, unit: str = ""
) -> Iterable[T]:
    """Pass items through silently: what libraries and tests want."""
    return items


def moving(steps: Iterator[object]) -> Track:
    """Let work inside of other work move it on: one step of that for each item of this."""

    def step(
        items: Iterable[T], doing: str, *, total: int | None = None, unit: str = ""
    ) -> Iterable[T]:
        for item in items:
            next(steps, None)
            yield item

    return step


def labelled(track: Track, before: str) -> Track:
    """Show the same with a text before the name of each work, e.g. which step of how many it is."""

    def told(
        items: Iterable[T], doing: str, *, total: int | None = None, unit: str = ""
    ) -> Iterable[T]:
        return track(items, f"{before}{doing}", total=total, unit=unit)

    return told
