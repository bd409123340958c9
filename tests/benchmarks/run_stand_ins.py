"""Run a benchmark whose searches are stand-ins, by the lines that every process goes through."""

import json
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.benchmarks.collections.open_collections import open_collections, with_truth
from assay.benchmarks.conduct import STARTED_AGAIN
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.spine import Participation, run_benchmark
from assay.benchmarks.work.context import ExecutionContext
from assay.benchmarks.work.job import BenchmarkJob, about_benchmark, decision_of, identity_of
from assay.benchmarks.work.open_indexes import OpenIndexes
from assay.benchmarks.work.open_systems import OpenSystems
from assay.benchmarks.work.worker import Worker
from assay.records.run_settings import RunSettings
from assay.records.track import untracked
from assay.reports.runs.json.json import json as report_json
from assay.searches.open_models import OpenModels
from assay.workspace.builds import Builds
from assay.workspace.ledger.ledger import open_ledger, worker_name

STANDING_IN = {"kind": "stand-in"}


def run_stand_ins(
    benchmark,
    *,
    build,
    ledger=None,
    clock=time.perf_counter_ns,
    settings=None,
    seed=0,
    sample=None,
    resume=False,
    retry=False,
    keep=None,
    scratch=None,
    track=untracked,
):
    """Run every configuration with what ``build`` makes of a corpus and it, and return the report.

    Without a ``ledger`` nothing outlives the call.
    """
    settings = replace(settings or RunSettings(), seed=seed, sample=sample)
    chosen = [replace(one, system=STANDING_IN) for one in benchmark.configurations]
    benchmark = replace(benchmark, configurations=tuple(chosen))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="assay-")))
        ledger = ledger or stack.enter_context(closing(open_ledger(folder / "ledger.sqlite")))
        opened = OpenIndexes(builds=Builds(folder / "builds"), models=OpenModels(folder))
        stack.callback(opened.close)

        def made(collection, configuration, *, folder, track):
            own = replace(configuration, system=None)
            return build(collection.corpus, own, folder=folder, track=track)

        systems = OpenSystems(made, parent=scratch, track=track)
        collections = open_collections(benchmark, sample=sample, seed=seed)
        known = with_truth(collections, track=track)
        decision = {"decision": decision_of(benchmark, collections)}
        started = ledger.begin(
            identity=identity_of(benchmark, collections, settings),
            name=benchmark.name,
            about=about_benchmark(benchmark, settings=settings) | decision,
            runs=[one.name for one, _ in distinct(benchmark.configurations)],
            resume=resume or retry,
            completed=retry,
            machine=opened.machine,
        )
        lost = (STARTED_AGAIN,) if (resume or retry) and not started.resumed else ()
        worker = Worker(ledger, started.id, worker_name(), opened.machine)
        context = ExecutionContext(
            ledger,
            started.id,
            worker,
            opened,
            systems,
            opened.machine,
            ledger.job(started.id).created,
            track=track,
            clock=clock,
        )
        part = Participation(
            replace(BenchmarkJob.of(benchmark, settings, collections, folder), notes=lost),
            collections,
            context,
            encode=lambda report: json.dumps(report_json(report)).encode(),
            known=known,
            again=retry or not started.resumed,
        )
        try:
            report, results = run_benchmark(part)
        finally:
            systems.close()
        for one in results:
            if keep is not None and one.rankings is not None:
                keep(one.rankings)
        return report
