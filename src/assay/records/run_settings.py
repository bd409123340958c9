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

    It is stored with the benchmark, so that any process can resume it, and is part of the
    benchmark's identity: other settings are another benchmark.
    """

    seed: int = option("Random seed.", default=0)
    sample: int | None = option(
        "Run only N queries of each dataset, chosen by the seed.", default=None, least=1
    )
    asks: int | None = option(
        f"Run each query N times; the median is its latency (default: {ASKS}).",
        default=None,
        least=1,
        most=1000,
    )
    repeats: int = option(
        "Build each index N times, to measure how much scores vary between builds.",
        default=1,
        least=1,
        most=100,
    )
    live: bool = option("Time whole searches instead of their shared stages.", default=False)
    untimed: bool = option("Do not measure latency (faster).", default=False)
    race: bool = option(
        "Stop clearly worse configurations early, with a stated error bound.", default=False
    )

    def __post_init__(self) -> None:
        refuse_wrong_values(self)
        if self.untimed and self.live:
            hint = "remove --untimed to time whole searches, or --live to measure no latency"
            raise UsageError("--live and --untimed cannot be combined", hint=hint)
        if self.untimed and self.asks is not None:
            hint = "remove --asks, or remove --untimed to measure latency"
            problem = "--asks has no effect with --untimed, which runs each query once"
            raise UsageError(problem, hint=hint)

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
        "Use N processes; latency is then measured on a busy machine.",
        default=1,
        least=1,
        most=64,
    )
    resume: bool = option(
        "Resume the last run that was interrupted, cancelled or failed.", default=False
    )
    retry_failed: bool = option("With --resume: run failed queries again.", default=False)
    fresh: bool = option(
        "Ignore recorded stage outputs and cached vectors; with --resume, resume such a run.",
        default=False,
    )
    progress: Track = untracked

    def __post_init__(self) -> None:
        refuse_wrong_values(self)
        if self.retry_failed and not self.resume:
            hint = "add --resume; a new run repeats failed queries without --retry-failed"
            raise UsageError("--retry-failed requires --resume", hint=hint)
