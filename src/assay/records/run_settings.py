"""How a benchmark is run: what is measured, and how this call works on it.

A new option is a field of one of these records, and its use.
"""

from dataclasses import asdict, dataclass
from typing import Any

from assay.errors import UsageError
from assay.records.options import option, refuse_wrong_values
from assay.records.track import Track, untracked

__all__ = ["Invocation", "RunSettings"]

ASKS = 3  # how often a query is asked, of which the median is a latency


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What is measured, and how.

    It is stored with the benchmark, so that any process can go on with it, and is part of the
    benchmark's identity: other settings are another benchmark.
    """

    seed: int = option("Start of the random numbers.", default=0)
    sample: int | None = option(
        "Ask only N queries of each dataset, which the seed chooses.", default=None, least=1
    )
    asks: int | None = option(
        f"How often each query is asked; the median is its latency (default: {ASKS}).",
        default=None,
        least=1,
        most=1000,
    )
    repeats: int = option(
        "How often each index is built: what builds vary by is told from what queries do.",
        default=1,
        least=1,
        most=100,
    )
    live: bool = option("Time whole searches, not the stages they share.", default=False)
    untimed: bool = option("Measure no latency: settings are swept in memory.", default=False)
    race: bool = option(
        "Stop configurations that are shown to be beaten, at a stated error bound.", default=False
    )

    def __post_init__(self) -> None:
        refuse_wrong_values(self)
        if self.untimed and self.live:
            hint = "leave out --untimed to time whole searches, or --live to time nothing"
            raise UsageError("--live says what is timed, and --untimed that nothing is", hint=hint)
        if self.untimed and self.asks is not None:
            hint = "leave out --asks, or --untimed to have latencies"
            raise UsageError("--asks has no effect with --untimed, which asks once", hint=hint)

    @property
    def rounds(self) -> int:
        """How often each query is asked: once where nothing is timed."""
        return 1 if self.untimed else ASKS if self.asks is None else self.asks

    @property
    def timed(self) -> bool:
        """Whether latencies are measured."""
        return not self.untimed

    @property
    def identity(self) -> dict[str, Any]:
        """All that makes it another benchmark; a default that is written out does not."""
        return asdict(self) | {"asks": self.rounds}


@dataclass(frozen=True, slots=True)
class Invocation:
    """How this call works on a benchmark; nothing of it is stored.

    ``progress`` is shown what is being done.
    """

    parallel: int = option(
        "Work with N processes; latencies are then those of a busy machine.",
        default=1,
        least=1,
        most=64,
    )
    resume: bool = option("Go on with the last run that was interrupted.", default=False)
    retry_failed: bool = option("With --resume: do again what failed.", default=False)
    fresh: bool = option(
        "Use nothing recorded or remembered; with --resume, go on with such a run.", default=False
    )
    progress: Track = untracked

    def __post_init__(self) -> None:
        refuse_wrong_values(self)
        if self.retry_failed and not self.resume:
            hint = "add --resume; a new run asks everything that failed before again"
            raise UsageError("what failed is retried of a run that is gone on with", hint=hint)
