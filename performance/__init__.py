"""Assay beside its peers on the same data: ratios of CPU time and memory. One file per question."""
