"""Execute a benchmark in a workspace without summing it up, as a process of its own would."""

from contextlib import closing, contextmanager

from assay.benchmarks.collections.open_collections import open_collections
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.runs.collect import ResultReader
from assay.benchmarks.work.context import Manner, attend_benchmark, open_parts
from assay.benchmarks.work.execute import execute
from assay.benchmarks.work.job import identity_of
from assay.benchmarks.work.layout import Plot, count_work, lay_out
from assay.records.run_settings import RunSettings
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import locate


class Execution:
    """The work of one process on a benchmark: its layout, and what is open."""

    def __init__(self, benchmark, layout, context):
        self.benchmark, self.layout, self.context = benchmark, layout, context
        self.ledger = context.ledger

    @property
    def states(self):
        return self.ledger.states(self.context.benchmark)

    def go(self, *, retry=False):
        """Do all that is left to do."""
        execute(self.layout, self.context, Manner(retry=retry))

    def collect(self, run):
        """Read what was recorded of a run."""
        return ResultReader(self.layout, self.context).collect(run)

    def of(self, run):
        return self.layout.of(run)

    def counted(self):
        return count_work(self.benchmark, self.layout)

    def rows(self):
        """Count what is on the tapes of all units."""
        units = [unit for unit in self.layout.units() if unit.kind != "build"]
        return {unit.key: len([*self.ledger.rows(unit.tape)]) for unit in units}


@contextmanager
def executing(benchmark, folder, *, resume=False, fresh=False, **settings):
    """Open a workspace, and lay a benchmark out in it; it is begun, or gone on with."""
    chosen, place = RunSettings(**settings), locate(given=folder)
    with (
        closing(open_ledger(place.database)) as ledger,
        open_parts(place, benchmark, fresh=fresh) as (opened, systems),
    ):
        collections = open_collections(benchmark, sample=chosen.sample, seed=chosen.seed)
        runs = [one for one, _ in distinct(benchmark.configurations)]
        started = ledger.begin(
            identity=identity_of(benchmark, collections, chosen),
            name=benchmark.name,
            about={},
            runs=[one.name for one in runs],
            resume=resume,
            fresh=fresh,
            machine=opened.machine,
        )
        context = attend_benchmark(ledger, started.id, opened, systems)
        machine = opened.machine if chosen.timed else ""
        plot = Plot(chosen, machine=machine, salt=started.salt, benchmark=started.id)
        yield Execution(benchmark, lay_out(runs, collections, opened, plot), context)
