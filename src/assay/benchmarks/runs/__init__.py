"""Stored outputs -> runs: rankings, scores, latency, losses."""
