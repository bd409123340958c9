"""Write the page of a large report: python page_assay.py QUERIES RUNS FILE."""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from _reports import made_report

from assay.benchmarks.analysis.analyse import analyse
from assay.reports.html.page import page

queries, runs = map(int, sys.argv[1:3])
report = made_report(queries, runs)
report = replace(report, analysis=analyse(report))
before = time.process_time()
written = page(report, date="2026-01-02")
took = time.process_time() - before
Path(sys.argv[3]).write_bytes(written)
print(json.dumps({"bytes": len(written), "write_s": took}))
