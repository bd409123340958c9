"""Reports of benchmarks -> tables and JSON. One file per view."""
