"""Work on a benchmark as a process of another machine would: with another host and other cores.

Its argument, JSON: ``host``, ``cores``, ``patience_s`` (after which whoever was not seen counts
as gone), ``workspace``, and the ``id`` of a benchmark or a ``file`` with ``options`` of ``run``.
"""

import json
import sys

from assay.benchmarks.conduct import execute_benchmark
from assay.benchmarks.work import worker
from assay.reports.runs.json.json import json as report_json
from assay.searches import environment
from assay.workflows.run import run
from assay.workspace.ledger import _worker, ledger


def main(given):
    """Take another machine for this one, and print the report."""
    _worker._host = lambda: given["host"]
    environment._cores = lambda: given["cores"]
    ledger.LEASE_S = given["patience_s"]
    ledger.Ledger.claim.__kwdefaults__["lease_s"] = given["patience_s"]
    worker.BEAT_S = given["patience_s"] / 5
    if "id" in given:
        report = execute_benchmark(given["id"], workspace=given["workspace"])
    else:
        report = run(given["file"], workspace=given["workspace"], **given["options"])
    sys.stdout.write(json.dumps(report_json(report)))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
