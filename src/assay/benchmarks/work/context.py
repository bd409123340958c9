"""What a process works with while it works on a benchmark: the ledger, and what it has open."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.work.ask import WARM_UP
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.open_systems import OpenSystems
from assay.benchmarks.work.worker import Worker
from assay.records import Benchmark, Configuration, Track, untracked
from assay.records.clock import Clock
from assay.searches.build import build
from assay.searches.built_search import BuiltSearch
from assay.searches.environment import machine
from assay.searches.open_models import OpenModels
from assay.workspace.blobs import Blobs
from assay.workspace.builds import Builds
from assay.workspace.ledger.ledger import Ledger, worker_name
from assay.workspace.locate import Workspace

__all__ = ["ExecutionContext", "Manner", "attend_benchmark", "open_parts"]


@dataclass(frozen=True, eq=False)
class ExecutionContext:
    """What a process works with: where work is noted, and what it has open.

    ``machine`` names the one that it runs on; ``began`` is when the benchmark did, by the ledger's
    clock. ``together``: it is one of several processes that were started to share the work.
    """

    ledger: Ledger
    benchmark: str
    worker: Worker
    opened: OpenIndexes
    systems: OpenSystems
    machine: str
    began: float = 0.0
    together: bool = False
    track: Track = untracked
    clock: Clock = time.perf_counter_ns
    cpu: Clock = time.process_time_ns
    warm: set[str] = field(default_factory=set)  # tapes whose searches this process has asked


@dataclass(frozen=True, slots=True)
class Manner:
    """How a layout is worked through.

    Who will ``retry`` does again what failed, and may ``rebuild`` the indexes that did. What failed
    for the machine, such as a full disk, is done again in any case. In a block of a race workers
    are ``confined`` to its units, and only the first ``gives_up`` a search whose first queries fail
    alike. Those of later blocks may still be asked: systems stay open for them (``hold``). Queries
    that were asked in blocks are ``spared`` from being retried: they failed in this benchmark.
    """

    retry: bool = False
    spared: frozenset[str] = frozenset()
    rebuild: bool = True
    confined: bool = False
    hold: bool = False
    gives_up: bool = True
    warm_up: int = WARM_UP


@contextmanager
def open_parts(
    place: Workspace,
    benchmark: Benchmark,
    *,
    fresh: bool = False,
    confined: bool = False,
    track: Track = untracked,
) -> Iterator[tuple[OpenIndexes, OpenSystems]]:
    """Open what a process searches with; where it is ``fresh``, no cache is used.

    Of a ``confined`` benchmark, no query leads out of the address of a system.
    """
    vectors = None if fresh else place.vectors
    with ExitStack() as stack:
        tokens = Blobs(_temporary(stack) if fresh else place.tokens)
        models = OpenModels(place.models, memory=tokens, track=track)
        builds = Builds(place.builds)
        indexes = OpenIndexes(builds=builds, models=models, vectors=vectors, track=track)
        stack.callback(indexes.close)

        def search(
            collection: OpenCollection, configuration: Configuration, *, folder: Path, track: Track
        ) -> BuiltSearch:
            return build(
                collection.corpus,
                configuration,
                folder=folder,
                models=models,
                vectors=vectors,
                home=benchmark.home,
                confined=confined,
                known=lambda: collection.reading.known,
                track=track,
            )

        systems = OpenSystems(search, track=track)
        stack.callback(systems.close)
        yield indexes, systems


def attend_benchmark(
    ledger: Ledger,
    benchmark: str,
    opened: OpenIndexes,
    systems: OpenSystems,
    *,
    together: bool = False,
    track: Track = untracked,
) -> ExecutionContext:
    """Introduce this process to the ledger, as one of perhaps several that work on a benchmark."""
    worker = Worker(ledger, benchmark, worker_name(), opened.machine)
    ledger.attend(benchmark, worker.name, opened.machine, machine())
    began = ledger.job(benchmark).created
    return ExecutionContext(
        ledger,
        benchmark,
        worker,
        opened,
        systems,
        opened.machine,
        began=began,
        together=together,
        track=track,
    )


def _temporary(stack: ExitStack) -> Path:
    """Name a file that is gone afterwards."""
    folder = TemporaryDirectory(prefix="assay-tokens-", ignore_cleanup_errors=True)
    return Path(stack.enter_context(folder)) / "tokens.sqlite"
