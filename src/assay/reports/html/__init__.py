"""Reports of benchmarks -> one page that explains itself, offline. One file per part of it."""
