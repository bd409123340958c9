"""The service: benchmarks, datasets and searches over HTTP."""
