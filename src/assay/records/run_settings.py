"""How a benchmark is executed, whatever it measures."""

from dataclasses import dataclass

__all__ = ["RunSettings"]


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a benchmark is executed.

    Each query is asked ``asks`` times, each index built ``builds`` times. ``live`` asks whole
    searches instead of their stages; ``fresh`` uses nothing that was recorded before. Where nothing
    is ``timed``, there are no latencies. ``parallel`` processes work at once, so that times are
    those of a busy machine.
    """

    asks: int = 3
    builds: int = 1
    live: bool = False
    fresh: bool = False
    timed: bool = True
    parallel: int = 1

    @property
    def load(self) -> tuple[object, ...]:
        """Name how times are taken: tapes of one way are not used for another."""
        return (self.timed, self.parallel) if (self.timed, self.parallel) != (True, 1) else ()
