"""Candidates and vectors -> a ranking by coherence: graph, solve, gates, receipt, controls."""
