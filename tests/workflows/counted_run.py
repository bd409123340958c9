"""Run a benchmark as ``assay.run`` does, and write down every search before it is done.

Arguments: the benchmark file, the log, where the report goes, and options of ``run`` as JSON.
Each line of the log is one write at its end, so that a kill cuts no line: the tape, the query (by
its fingerprint) and the round; a build is a line of its unit alone.
"""

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path

from assay.benchmarks.work import ask, execute
from assay.reports.runs.json.json import json as report_json
from assay.workflows.run import run


@contextmanager
def counting(log):
    """Let every search and every build leave a line before it begins."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    row, index = ask._Asking.row, execute._Execution._index

    def note(*parts):
        os.write(file, (json.dumps([os.getpid(), *parts]) + "\n").encode())

    def counted_row(self, query, number):
        tape = getattr(self._tape, "_tape", self._tape)  # one that is traced is about another
        note(tape.claim.unit.tape or tape.claim.unit.key, query.fingerprint, number)
        return row(self, query, number)

    def counted_index(self, trial, step, claim):
        note(claim.unit.key)
        return index(self, trial, step, claim)

    ask._Asking.row, execute._Execution._index = counted_row, counted_index
    try:
        yield
    finally:
        ask._Asking.row, execute._Execution._index = row, index
        os.close(file)


def main(benchmark, log, out, options):
    """Run it; the report is there whole, or not at all."""
    with counting(log):
        report = run(benchmark, **json.loads(options))
    part = Path(f"{out}.{os.getpid()}")
    part.write_text(json.dumps(report_json(report)), encoding="utf-8")
    part.replace(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
